// @ts-check
/** The list of sessions with its search, and one session with its runs. */

import { get } from "./api.js";
import { askForm } from "./ask.js";
import { h, table } from "./dom.js";
import { RunView } from "./run.js";
import { moment, t } from "./words.js";

const FIELDS = /** @type {const} */ ([["query", "search", "search"], ["since", "since", "date"], ["model", "model", "text"],
  ["tool", "tool", "text"], ["symbol", "symbol", "text"], ["cost_over", "costOver", "text"], ["tag", "tag", "text"]]);
const AT_ONCE = "50";

/** The view of all sessions. @param {HTMLElement} main @param {import("./main.js").View} view */
export function showSessions(main, view) {
  const inputs = FIELDS.map(([name, word, type]) =>
    h("label", {}, t(word), " ", h("input", { name, type, autocomplete: "off" })));
  const failed = h("label", {}, h("input", { name: "failed", type: "checkbox", value: "true" }), " ", t("failed"));
  const list = h("div", {});
  const form = /** @type {HTMLFormElement} */ (h("form", { class: "filters", role: "search", submit: (event) => { event.preventDefault(); fill(); } },
    ...inputs, failed, h("button", { type: "submit" }, t("search"))));
  const fill = async () => {
    const query = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    list.replaceChildren(h("p", {}, t("loading")));
    try {
      const page = await get("/sessions", { ...query, limit: AT_ONCE });
      list.replaceChildren(...page.warnings.map((/** @type {string} */ text) => h("p", {}, text)), ...(page.sessions.length ? [listed(page, query, view)] : [h("p", {}, t("noSessions"))]));
      view.announce(`${t("sessions")}: ${page.sessions.length}${page.next ? "+" : ""}`);
    } catch (error) {
      list.replaceChildren();
      view.announce(error instanceof Error ? error.message : String(error));
    }
  };
  main.replaceChildren(h("h1", {}, t("sessions")), form, list);
  return fill();
}

/** @param {any} first @param {Record<string, string>} query @param {import("./main.js").View} view */
function listed(first, query, view) {
  const list = h("ol", { class: "sessions" });
  const more = h("button", { type: "button" }, t("more"));
  const add = (/** @type {any} */ page) => {
    list.append(...page.sessions.map(session));
    more.hidden = !page.next;
    more.onclick = async () => add(await get("/sessions", { ...query, limit: AT_ONCE, cursor: page.next }).catch((error) => {
      view.announce(error.message);
      return { ...page, sessions: [] };
    }));
  };
  add(first);
  return h("div", {}, list, more);
}

/** @param {any} one */
function session(one) {
  const count = one.found > one.hits?.length && `${one.found} ${t("hits")}`;
  const facts = [moment(one.written), one.status, ...(one.tags ?? []), count].filter(Boolean).join(" · ");
  return h("li", {}, h("a", { href: `#/session/${encodeURIComponent(one.name)}` }, one.question || one.name),
    h("p", { class: "facts" }, facts), one.note && h("p", {}, one.note),
    ...(one.hits ?? []).map((/** @type {any} */ hit) => h("p", { class: "hit", dir: "auto" }, hit.text)));
}

/** The view of one session. @param {HTMLElement} main @param {import("./main.js").View} view */
export async function showSession(main, view) {
  const found = await get(`/sessions/${encodeURIComponent(view.name)}`);
  const runs = h("div", { class: "runs" });
  const rows = found.runs.map((/** @type {any} */ run) =>
    [moment(run.began), run.models.join(", "), run.status ?? "", run.cost_usd === null ? "" : `$${run.cost_usd}`]);
  main.replaceChildren(h("h1", {}, found.question || found.name),
    h("p", { class: "facts" }, [found.name, ...(found.tags ?? [])].join(" · ")), found.note ? h("p", {}, found.note) : "",
    table(t("session"), [t("offset"), t("model"), t("state"), t("cost")], rows), runs,
    askForm({ session: found.name, announce: view.announce, runs, closes: view.closes }));
  for (const run of found.runs) {
    const shown = new RunView(run.run_id, run.question ?? "", view.announce);
    runs.append(shown.element);
    view.closes.push(shown.follow());
  }
}
