// @ts-check
/** Drawings of numbers, each with the same numbers as a table. */

import { h, svg, table } from "./dom.js";
import { t } from "./words.js";

/** @typedef {{name: string, points: [string, number][]}} Series */

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 10;
const BAR = 22;
const MOST_POINTS = 1_000;
const MOST_BARS = 60;

/** @param {number} value */
export function short(value) {
  return new Intl.NumberFormat("en", { maximumSignificantDigits: 5 }).format(value);
}

/**
 * Lines over dates.
 * @param {string} title
 * @param {Series[]} series
 */
export function lines(title, series) {
  const thinned = series.map(({ name, points }) => ({ name, points: thin(points) }));
  const dates = [...new Set(thinned.flatMap(({ points }) => points.map(([date]) => date)))].sort();
  const values = thinned.flatMap(({ points }) => points.map(([, value]) => value));
  if (dates.length < 2) return null;
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = place(Date.parse(dates[0]), Date.parse(dates[dates.length - 1]), LEFT, WIDTH - 8);
  const y = place(low, high, HEIGHT - BOTTOM, TOP);
  const path = (/** @type {Series} */ { points }) =>
    points.map(([date, value], at) => `${at ? "L" : "M"}${x(Date.parse(date)).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return figure(title,
    drawing(title, HEIGHT,
      ...[low, (low + high) / 2, high].flatMap((value) => level(y(value), short(value))),
      text(LEFT, HEIGHT - 6, dates[0], "start"),
      text(WIDTH - 8, HEIGHT - 6, dates[dates.length - 1], "end"),
      ...thinned.map((one, at) => svg("path", { d: path(one), class: `line line-${at % 6}` }))),
    series.length > 1 && h("p", { class: "legend" },
      ...series.map(({ name }, at) => h("span", { class: `key key-${at % 6}` }, name))),
    table(title, [t("day"), ...series.map(({ name }) => name)], rowsOf(thinned, dates)));
}

/**
 * A bar for each label.
 * @param {string} title
 * @param {[string, number][]} rows
 * @param {string} [unit]
 */
export function bars(title, rows, unit = "") {
  const drawn = rows.slice(0, MOST_BARS);
  const most = Math.max(0, ...drawn.map(([, value]) => value));
  const least = Math.min(0, ...drawn.map(([, value]) => value));
  if (drawn.length === 0 || most === least) return null;
  const x = place(least, most, 160, WIDTH - 90);
  const bar = (/** @type {[string, number]} */ [label, value], /** @type {number} */ at) => [
    text(152, at * BAR + 15, label.length > 22 ? `${label.slice(0, 21)}…` : label, "end"),
    svg("rect", {
      x: Math.min(x(0), x(value)), y: at * BAR + 3, width: Math.max(1, Math.abs(x(value) - x(0))), height: BAR - 6,
      class: value < 0 ? "bar negative" : "bar",
    }),
    text(Math.max(x(0), x(value)) + 6, at * BAR + 15, short(value), "start"),
  ];
  return figure(title, drawing(title, drawn.length * BAR, ...drawn.flatMap(bar)),
    table(title, [t("name"), unit || t("value")], rows.map(([label, value]) => [label, value])));
}

/** @param {string} title @param {SVGElement} drawn @param {...(HTMLElement | false)} beside */
function figure(title, drawn, ...beside) {
  const numbers = /** @type {HTMLElement} */ (beside.pop());
  return h("figure", {}, h("figcaption", {}, title), drawn, ...beside,
    h("details", {}, h("summary", {}, t("asTable")), numbers));
}

/** @param {string} title @param {number} height @param {...SVGElement} parts */
function drawing(title, height, ...parts) {
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title }, ...parts);
}

/** @param {number} y @param {string} label */
function level(y, label) {
  return [svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y, y2: y, class: "level" }), text(LEFT - 6, y + 4, label, "end")];
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor */
function text(x, y, words, anchor) {
  return svg("text", { x, y, "text-anchor": anchor }, words);
}

/** From one interval to another. @param {number} low @param {number} high @param {number} from @param {number} to */
function place(low, high, from, to) {
  return (/** @type {number} */ value) => (high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from));
}

/** No more points than can be seen, the first and the last among them. @param {[string, number][]} points */
function thin(points) {
  const step = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, at) => at % step === 0 || at === points.length - 1);
}

/** @param {Series[]} series @param {string[]} dates */
function rowsOf(series, dates) {
  const values = series.map(({ points }) => new Map(points));
  return dates.map((date) => [date, ...values.map((of) => of.get(date) ?? "")]);
}
