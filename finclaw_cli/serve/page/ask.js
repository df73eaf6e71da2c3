// @ts-check
/** Asking: a question, the run that answers it, and the next question of the same session. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { RunView } from "./run.js";
import { t } from "./words.js";

/**
 * A form that asks, and adds the runs to a list.
 * @param {{session?: string, announce: (words: string) => void, runs: HTMLElement, closes: (() => void)[]}} options
 */
export function askForm({ session = "", announce, runs, closes }) {
  const prompt = /** @type {HTMLTextAreaElement} */ (h("textarea", { name: "prompt", rows: 3, required: true, id: "prompt", dir: "auto" }));
  const model = /** @type {HTMLInputElement} */ (h("input", { name: "model", type: "text", autocomplete: "off", placeholder: t("modelHint") }));
  const button = h("button", { type: "submit" }, t("ask"));
  const ask = async () => {
    if (prompt.value.trim() === "") return;
    button.setAttribute("disabled", "");
    try {
      const body = { prompt: prompt.value, verify_numbers: "warn", ...(session && { session }), ...(model.value.trim() && { model: model.value.trim() }) };
      const begun = await post("/runs", body, { "Idempotency-Key": crypto.randomUUID() });
      session = begun.session_id;
      const view = new RunView(begun.run_id, prompt.value, announce);
      runs.append(view.element);
      closes.push(view.follow());
      prompt.value = "";
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
    } finally {
      button.removeAttribute("disabled");
    }
  };
  const onKey = (/** @type {Event} */ event) => {
    const { key, ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event);
    if (key === "Enter" && (ctrlKey || metaKey)) ask();
  };
  prompt.addEventListener("keydown", onKey);
  return h("form", { class: "ask", submit: (event) => { event.preventDefault(); ask(); } },
    h("label", { for: "prompt" }, t("prompt")), prompt,
    h("div", { class: "buttons" }, h("label", {}, t("model"), " ", model), button));
}

/** The view of a new conversation. @param {HTMLElement} main @param {import("./main.js").View} view */
export function showAsk(main, view) {
  const runs = h("div", { class: "runs" });
  main.replaceChildren(h("h1", {}, t("ask")), runs, askForm({ announce: view.announce, runs, closes: view.closes }));
  document.getElementById("prompt")?.focus();
}
