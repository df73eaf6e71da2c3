// @ts-check
/** Results of tools as charts and tables: prices over dates, amounts by name. */

import { bars, lines } from "./charts.js";
import { h, table } from "./dom.js";

/** @typedef {Record<string, any>} Row */

const DATES = ["date", "session", "day", "month", "period", "week"];
const NAMES = ["symbol", "category", "account", "name", "model", "currency"];
const AMOUNTS = ["value_base", "value", "market_value", "spent", "amount", "total", "balance", "weight"];
const LEVELS = ["adjusted_close", "close", "value", "level", "rate", "rebased", "balance"];
const DATE = /^\d{4}-\d{2}-\d{2}/;
const MOST_ROWS = 200;

/**
 * What a result shows beside its text; empty where it is no table of dates or names.
 * @param {string} name of the tool
 * @param {string} result
 * @returns {HTMLElement[]}
 */
export function drawn(name, result) {
  const data = parsed(result);
  return tablesOf(data).flatMap(([key, rows]) => {
    const title = [name, key].filter(Boolean).join(": ");
    return [overDates(title, rows) ?? byName(title, rows), listed(title, rows)].filter((element) => element !== null);
  });
}

/** @param {string} result @returns {any} */
function parsed(result) {
  try {
    const whole = JSON.parse(result);
    return whole?.data ?? whole;
  } catch {
    return null;
  }
}

/** The tables of a result: lists of objects, or columns with rows. @param {any} data @returns {[string, Row[]][]} */
function tablesOf(data) {
  if (Array.isArray(data)) return isTable(data) ? [["", data]] : [];
  if (data === null || typeof data !== "object") return [];
  if (Array.isArray(data.columns) && Array.isArray(data.rows)) {
    const rows = data.rows.filter(Array.isArray).map((/** @type {any[]} */ row) =>
      Object.fromEntries(data.columns.map((/** @type {string} */ column, /** @type {number} */ at) => [column, row[at]])));
    return rows.length ? [["", rows]] : [];
  }
  return Object.entries(data).filter(([, value]) => isTable(value));
}

/** @param {any} value */
function isTable(value) {
  return Array.isArray(value) && value.length > 0 && value.every((row) => row && typeof row === "object" && !Array.isArray(row));
}

/** @param {string} title @param {Row[]} rows */
function overDates(title, rows) {
  const date = DATES.find((column) => DATE.test(String(rows[0][column])));
  if (date === undefined) return null;
  const columns = LEVELS.filter((column) => rows.some((row) => number(row[column]) !== null)).slice(0, 1);
  return lines(title, columns.map((column) => ({ name: column, points: points(rows, date, column) })));
}

/** @param {Row[]} rows @param {string} date @param {string} column @returns {[string, number][]} */
function points(rows, date, column) {
  return rows.flatMap((row) => {
    const value = number(row[column]);
    return value === null ? [] : [/** @type {[string, number]} */ ([String(row[date]), value])];
  });
}

/** @param {string} title @param {Row[]} rows */
function byName(title, rows) {
  const name = NAMES.find((column) => typeof rows[0][column] === "string");
  const amount = AMOUNTS.find((column) => number(rows[0][column]) !== null);
  if (name === undefined || amount === undefined) return null;
  return bars(title, points(rows, name, amount), amount);
}

/** @param {string} title @param {Row[]} rows */
function listed(title, rows) {
  const columns = [...new Set(rows.slice(0, MOST_ROWS).flatMap(Object.keys))];
  const cell = (/** @type {any} */ value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? ""));
  const shown = table(title, columns, rows.slice(0, MOST_ROWS).map((row) => columns.map((column) => cell(row[column]))));
  return h("div", {}, shown, rows.length > MOST_ROWS && h("p", {}, `${MOST_ROWS} / ${rows.length}`));
}

/** A number, also one in a text, as amounts are. @param {any} value @returns {number | null} */
function number(value) {
  const amount = typeof value === "object" && value !== null ? value.amount : value;
  if (typeof amount === "number") return Number.isFinite(amount) ? amount : null;
  return typeof amount === "string" && /^-?\d+(?:\.\d+)?$/.test(amount) ? Number(amount) : null;
}
