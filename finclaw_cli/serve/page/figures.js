// @ts-check
/** The number check made visible: each figure of an answer leads to the tool result that it comes from. */

import { h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").RunEvent} RunEvent */

/**
 * Mark the figures of an answer, in the order of the text.
 * @param {HTMLElement} answer
 * @param {RunEvent[]} checks
 * @param {(callId: string) => void} show shows the call
 */
export function markFigures(answer, checks, show) {
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  let node = /** @type {Text | null} */ (walker.nextNode());
  let from = 0;
  for (const check of [...checks].sort((a, b) => a.start - b.start)) {
    let place = { node, at: node?.data.indexOf(check.text, from) ?? -1 };
    while (place.node && place.at < 0) {
      const next = /** @type {Text | null} */ (walker.nextNode());
      place = { node: next, at: next?.data.indexOf(check.text) ?? -1 };
    }
    if (!place.node) {
      // It is not shown as it was written, as in a link: the next one is looked for from where this one was.
      walker.currentNode = node ?? answer;
      continue;
    }
    const rest = place.node.splitText(place.at);
    node = rest.splitText(check.text.length);
    from = 0;
    rest.replaceWith(figure(check, show));
    walker.currentNode = node;
  }
}

/** @param {RunEvent} check @param {(callId: string) => void} show */
function figure(check, show) {
  const why = source(check);
  if (check.status === "ungrounded") return h("mark", { class: "figure", title: why }, check.text, hidden(why));
  if (!check.call_id) return h("span", { class: "figure given", title: why }, check.text);
  const label = `${check.text}, ${why}`;
  return h("button",
    { type: "button", class: "figure", title: why, "aria-label": label, click: () => show(check.call_id) }, check.text);
}

/** @param {string} text */
function hidden(text) {
  return h("span", { class: "hidden" }, ` (${text})`);
}

/** Where a figure comes from, in words. @param {RunEvent} check */
export function source(check) {
  const paths = check.paths.join(", ");
  const from = [check.tool, paths && `(${paths})`].filter(Boolean).join(" ");
  switch (check.status) {
    case "found": return `${t("found")} ${from}`;
    case "derived": return `${t("derived")} ${from}: ${check.expression ?? check.how}`;
    case "given": return t("given");
    default: return t("ungrounded");
  }
}
