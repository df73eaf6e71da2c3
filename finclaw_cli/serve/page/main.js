// @ts-check
/** The page of `finclaw serve`: one view at a time, chosen by the fragment of the address. */

import { ApiError, get, takeToken, useToken } from "./api.js";
import { showAsk } from "./ask.js";
import { h } from "./dom.js";
import { showMarkets } from "./markets.js";
import { showCost, showSettings, showTools } from "./reports.js";
import { showSession, showSessions } from "./sessions.js";
import { changeLanguage, showWords, t } from "./words.js";

/** @typedef {{name: string, announce: (words: string) => void, closes: (() => void)[]}} View */
/** @typedef {(main: HTMLElement, view: View) => void | Promise<void>} Show */

/** @type {Record<string, Show>} */
const VIEWS = { ask: showAsk, sessions: showSessions, session: showSession, cost: showCost, markets: showMarkets, tools: showTools, settings: showSettings };
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));
/** @type {(() => void)[]} */
let closes = [];

/** @param {string} words */
function announce(words) {
  status.textContent = words;
}

/** Show the view that the address names. */
async function show() {
  for (const close of closes) close();
  closes = [];
  const [, kind = "ask", name = ""] = location.hash.split("/");
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href") === `#/${kind === "session" ? "sessions" : kind}`;
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  announce("");
  try {
    await (VIEWS[kind] ?? showAsk)(main, { name: decodeURIComponent(name), announce, closes });
    document.title = `${main.querySelector("h1")?.textContent ?? ""} – finclaw`;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return showEntry();
    main.replaceChildren(h("p", { class: "agent-error" }, error instanceof Error ? error.message : String(error)));
  }
}

/** Ask for the token, as after the page was loaded again. */
function showEntry() {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "password", name: "token", required: true, autocomplete: "off" }));
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    useToken(input.value);
    await begin();
  };
  main.replaceChildren(h("h1", {}, "finclaw"), h("p", {}, t("needsToken")),
    h("form", { submit: enter }, h("label", {}, t("token"), " ", input), h("button", { type: "submit" }, t("enter"))));
  input.focus();
}

/** Show the first view, or the form for a token where there is no valid one. */
async function begin() {
  try {
    await get("/runs");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return showEntry();
    announce(error instanceof Error ? error.message : String(error));
  }
  return show();
}

document.getElementById("language")?.addEventListener("click", () => {
  changeLanguage();
  showWords();
  show();
});
addEventListener("hashchange", () => {
  if (takeToken() || location.hash.startsWith("#/")) show();
});
showWords();
if (takeToken()) begin();
else showEntry();
