// @ts-check
/** The steps of a run in the order of time: requests, calls, retries, approvals, with what each took and cost. */

import { h, table } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./api.js").RunEvent} RunEvent */
/** @typedef {{at: number, ms: number, what: string, detail: string, tokens: string, cost: string}} Step */

/** Collects the steps of one run. */
export class Timeline {
  element = h("details", { class: "timeline", toggle: () => this.#draw() }, h("summary", {}, t("timeline")));
  #start = 0;
  /** @type {Step[]} */
  #steps = [];
  /** @type {Map<string, number>} */
  #begun = new Map();

  /** @param {RunEvent} event */
  take(event) {
    const at = Date.parse(event.ts);
    this.#start ||= at;
    const step = this.#step(event, at);
    if (step !== null) this.#steps.push({ tokens: "", cost: "", ...step });
    if (event.type === "agent.result") this.#draw();
  }

  /** @param {RunEvent} event @param {number} at @returns {Partial<Step> & Pick<Step, "at" | "ms" | "what" | "detail"> | null} */
  #step(event, at) {
    switch (event.type) {
      case "agent.turn_complete":
        return { at: at - event.duration_ms, ms: event.duration_ms, what: t("turn"), detail: event.model, ...spent(event) };
      case "agent.tool_call":
        return this.#call(event, at);
      case "agent.retry":
        return { at, ms: event.delay_s * 1000, what: event.type, detail: `${event.code}: ${event.message}` };
      case "agent.failover":
        return { at, ms: 0, what: event.type, detail: `${event.model_from} → ${event.model_to}: ${event.code}` };
      case "agent.approval_request":
        this.#begun.set(event.id, at);
        return { at, ms: 0, what: t("approval"), detail: `${event.name}: ${event.stage}, ${event.reason}` };
      case "agent.approval":
        return { at, ms: at - (this.#begun.get(event.id) ?? at), what: event.type, detail: `${event.name}: ${event.decision}, ${event.by}` };
      case "tool.policy_verdict":
        return { at, ms: 0, what: t("policy"), detail: `${event.name}: ${event.decision}, ${event.stage}` };
      case "agent.warning":
      case "agent.error":
        return { at, ms: 0, what: event.type, detail: `${event.code}: ${event.message}` };
      case "agent.result":
        return { at: this.#start, ms: event.duration_ms, what: t("total"), detail: event.status, ...spent(event) };
      default:
        return null;
    }
  }

  /** @param {RunEvent} event @param {number} at */
  #call(event, at) {
    if (event.status === "running") this.#begun.set(event.call_id, at);
    if (event.duration_ms === null) return null;
    const begun = this.#begun.get(event.call_id) ?? at - event.duration_ms;
    return { at: begun, ms: at - begun, what: event.name, detail: event.status };
  }

  #draw() {
    const element = /** @type {HTMLDetailsElement} */ (this.element);
    if (!element.open || this.#steps.length === 0) return;
    const whole = Math.max(1, ...this.#steps.map(({ at, ms }) => at + ms - this.#start));
    const rows = this.#steps.sort((a, b) => a.at - b.at).map(({ at, ms, what, detail, tokens, cost }) => {
      const bar = h("span", { class: "span", "aria-hidden": "true" });
      bar.style.marginInlineStart = `${(100 * (at - this.#start)) / whole}%`;
      bar.style.inlineSize = `${Math.max(0.5, (100 * ms) / whole)}%`;
      const offset = `+${((at - this.#start) / 1000).toFixed(2)} s`;
      return [offset, what, detail, h("div", { class: "track" }, bar), `${(ms / 1000).toFixed(2)} s`, tokens, cost];
    });
    const columns = [t("offset"), t("step"), t("description"), t("course"), t("duration"), t("tokens"), t("cost")];
    element.replaceChildren(h("summary", {}, t("timeline")), table(t("timeline"), columns, rows));
  }
}

/** @param {RunEvent} event */
function spent({ usage, cost_usd: cost }) {
  return { tokens: usage === null ? "" : String(usage.total ?? ""), cost: cost === null ? t("unknown") : `$${cost}` };
}
