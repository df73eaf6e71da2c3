// @ts-check
/** One run as it goes on, or as it was recorded: the same events make the same page. */

import { Answer } from "./answer.js";
import { follow, post } from "./api.js";
import { ApprovalForm } from "./approval.js";
import { Call } from "./call.js";
import { h, table } from "./dom.js";
import { markFigures, source } from "./figures.js";
import { Timeline } from "./timeline.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").RunEvent} RunEvent */

/** Shows the events of one run. */
export class RunView {
  /** @type {Answer | null} */
  #answer = null;
  /** @type {Answer | null} the last one that is complete */
  #last = null;
  /** @type {Map<string, Call>} */
  #calls = new Map();
  /** @type {Map<string, ApprovalForm>} */
  #approvals = new Map();
  /** @type {RunEvent[]} */
  #checks = [];
  #timeline = new Timeline();
  #steps = h("div", { class: "steps" });
  #facts = h("p", { class: "facts" });
  #cancel = h("button", { type: "button", click: () => this.#end() }, t("cancel"));

  /**
   * @param {string} runId
   * @param {string} question
   * @param {(words: string) => void} announce shows a line in the status of the page
   */
  constructor(runId, question, announce) {
    this.runId = runId;
    this.announce = announce;
    this.element = h("article", { class: "run", "aria-label": question || runId },
      question !== "" && h("div", { class: "question", dir: "auto" }, question), this.#steps,
      h("div", { class: "foot" }, this.#facts, this.#cancel), this.#timeline.element);
    this.#facts.textContent = t("running");
  }

  /** Follow it to its end. @returns {() => void} stops following */
  follow() {
    return follow(this.runId, (event) => this.take(event), (connected) => this.announce(connected ? "" : t("connecting")));
  }

  /** @param {RunEvent} event */
  take(event) {
    this.#timeline.take(event);
    switch (event.type) {
      case "agent.delta": return this.#text().add(event.text);
      case "agent.tool_call": return this.#call(event);
      case "agent.approval_request": return this.#ask(event);
      case "agent.approval": return this.#approvals.get(event.id)?.close(event);
      case "agent.retry":
      case "agent.failover": return this.#retract(event);
      case "agent.turn_complete": return this.#settle();
      case "agent.number_check": return void this.#checks.push(event);
      case "agent.warning":
      case "agent.error": return this.#notice(event.type, [event.message, event.hint].filter(Boolean).join(" "));
      case "agent.result": return void this.#finish(event);
      default: return undefined;
    }
  }

  #text() {
    if (this.#answer === null) {
      this.#answer = new Answer();
      this.#steps.append(this.#answer.element);
    }
    return this.#answer;
  }

  #settle() {
    const answer = this.#answer;
    this.#answer = null;
    if (answer === null) return;
    this.#last = answer;
    void answer.finish();
  }

  /** @param {RunEvent} event */
  #call(event) {
    let call = this.#calls.get(event.call_id);
    if (call === undefined) {
      call = new Call();
      this.#calls.set(event.call_id, call);
      this.#steps.append(call.element);
    }
    call.take(event);
  }

  /** @param {RunEvent} event */
  #ask(event) {
    const form = new ApprovalForm(event);
    this.#approvals.set(event.id, form);
    this.#steps.append(form.element);
    this.announce(`${t("approval")}: ${event.name}`);
  }

  /** @param {RunEvent} event */
  #retract(event) {
    this.#answer?.element.remove();
    this.#answer = null;
    this.#notice(event.type, `${t("retracted")} ${event.message}`);
  }

  /** @param {string} kind @param {string} words */
  #notice(kind, words) {
    this.#steps.append(h("p", { class: kind.replace(".", "-") }, words));
  }

  /** @param {RunEvent} result */
  async #finish(result) {
    this.#cancel.remove();
    const tokens = result.usage === null ? null : `${result.usage.total} ${t("tokens")}`;
    const cost = result.cost_usd === null ? `${t("cost")}: ${t("unknown")}` : `$${result.cost_usd}`;
    this.#facts.textContent = [result.status, result.model, `${(result.duration_ms / 1000).toFixed(1)} s`,
      tokens, cost].filter(Boolean).join(" · ");
    this.announce(`${t("answer")}: ${result.status}`);
    await this.#final(result);
  }

  /** Show the sources of the final text's figures. @param {RunEvent} result */
  async #final(result) {
    this.#settle();
    if (this.#checks.length === 0 || result.text === "") return;
    const last = this.#last;
    const answer = last !== null && last.text.trim() === result.text.trim() ? last : this.#other(result.text);
    await answer.finish();
    markFigures(answer.element, this.#checks, (callId) => this.#calls.get(callId)?.reveal());
    this.#steps.append(h("details", {}, h("summary", {}, t("figures")),
      table(t("figures"), [t("value"), t("source")], this.#checks.map((check) => [check.text, source(check)]))));
  }

  /** The final text where it is not what was streamed last. @param {string} text */
  #other(text) {
    const answer = new Answer();
    answer.add(text);
    if (this.#last === null) this.#steps.append(answer.element);
    else this.#last.element.replaceWith(answer.element);
    return answer;
  }

  async #end() {
    this.#cancel.setAttribute("disabled", "");
    await post(`/runs/${encodeURIComponent(this.runId)}/cancel`, {}).catch((error) => this.announce(error.message));
  }
}
