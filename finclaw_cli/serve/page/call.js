// @ts-check
/** One tool call: its arguments, its state, its result with charts. */

import { h } from "./dom.js";
import { drawn } from "./results.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").RunEvent} RunEvent */

const MOST_SHOWN_CHARS = 200_000;

/** A call from its announcement to its end. */
export class Call {
  #state = h("span", { class: "state" });
  #details = h("div", {});
  #result = "";
  #name = "";

  constructor() {
    this.element = /** @type {HTMLDetailsElement} */ (h("details", { class: "call", tabindex: -1, toggle: () => this.#show() }));
  }

  /** @param {RunEvent} event */
  take(event) {
    this.#name = event.name;
    if (!this.element.firstChild) {
      this.element.append(h("summary", {}, h("code", {}, event.name), " ", this.#state), this.#details);
    }
    const took = event.duration_ms === null ? "" : `, ${(event.duration_ms / 1000).toFixed(2)} s`;
    this.#state.textContent = `${event.status}${took}`;
    this.element.classList.toggle("failed", event.is_error === true);
    if (event.input !== null) this.#details.append(h("h4", {}, t("arguments")), pre(JSON.stringify(event.input, null, 2)));
    if (event.result !== null) this.#result = event.result;
    this.#show();
  }

  /** Open it and move there. */
  reveal() {
    this.element.open = true;
    this.element.scrollIntoView({ block: "center" });
    this.element.focus();
  }

  /** Show the result once the user wants to see it: charts take time. */
  #show() {
    if (!this.element.open || this.#result === "") return;
    const result = this.#result;
    this.#result = "";
    this.#details.append(h("h4", {}, t("result")), ...drawn(this.#name, result), pre(result.slice(0, MOST_SHOWN_CHARS)));
  }
}

/** @param {string} text */
function pre(text) {
  return h("pre", { tabindex: 0 }, text);
}
