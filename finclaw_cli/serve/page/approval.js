// @ts-check
/** A call that waits for an approval: what it would do, and the two answers. */

import { ApiError, decide } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").RunEvent} RunEvent */

/** The request of one approval, until it is answered here or elsewhere. */
export class ApprovalForm {
  #outcome = h("p", { class: "outcome", role: "status" });
  #reason = /** @type {HTMLInputElement} */ (h("input", { type: "text", name: "reason", maxlength: 500, autocomplete: "off" }));
  #buttons = ["deny", "allow"].map((decision) =>
    /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: decision, click: () => this.#answer(decision) }, t(decision))));

  /** @param {RunEvent} request */
  constructor(request) {
    this.id = request.id;
    const title = `${t("approval")}: ${request.name}`;
    this.element = h("section", { class: "approval", "aria-label": title },
      h("h3", {}, title),
      h("p", {}, `${request.stage}: ${request.reason}`),
      request.preview && h("pre", { class: "ticket", tabindex: 0 }, request.preview),
      h("dl", {}, ...Object.entries(request.input).flatMap(([name, value]) =>
        [h("dt", {}, name), h("dd", {}, typeof value === "string" ? value : JSON.stringify(value))])),
      h("label", {}, t("reason"), " ", this.#reason),
      h("div", { class: "buttons" }, ...this.#buttons),
      this.#outcome);
  }

  /** @param {RunEvent} approval */
  close(approval) {
    for (const button of this.#buttons) button.disabled = true;
    this.#reason.disabled = true;
    this.#outcome.textContent = [`${t("answered")}: ${t(approval.decision)} (${approval.by})`, approval.reason].filter(Boolean).join(", ");
  }

  /** @param {string} decision */
  async #answer(decision) {
    for (const button of this.#buttons) button.disabled = true;
    try {
      await decide(this.id, decision, this.#reason.value);
    } catch (error) {
      this.#outcome.textContent = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof ApiError && [404, 409].includes(error.status);
      for (const button of this.#buttons) button.disabled = isFinal;
    }
  }
}
