// @ts-check
/** What things cost, which tools there are, and how finclaw is set. */

import { get } from "./api.js";
import { bars } from "./charts.js";
import { h, table } from "./dom.js";
import { t } from "./words.js";

/** @param {HTMLElement} main */
export async function showCost(main) {
  const [days, models] = await Promise.all([get("/cost", { by: "day" }), get("/cost", { by: "model" })]);
  main.replaceChildren(h("h1", {}, t("cost")), ...report(t("byDay"), "day", days), ...report(t("byModel"), "model", models));
}

/** @param {string} title @param {string} key @param {any} found */
function report(title, key, found) {
  if (found.rows.length === 0) return [h("p", {}, t("noRuns"))];
  const costs = found.rows.map((/** @type {any} */ row) => [String(row[key]), Number(row.cost_usd ?? 0)]);
  const rows = found.rows.map((/** @type {any} */ row) =>
    [String(row[key]), row.requests, row.usage.total, row.cost_usd === null ? t("unknown") : `$${row.cost_usd}`]);
  return [bars(title, costs, "USD") ?? "", table(title, [t("name"), t("requests"), t("tokens"), t("cost")], rows)];
}

/** @param {HTMLElement} main */
export async function showTools(main) {
  const tools = await get("/tools");
  const rows = tools.map((/** @type {any} */ tool) =>
    [h("code", {}, tool.name), tool.group, tool.state, tool.description, tool.flags.join(", "), tool.source]);
  main.replaceChildren(h("h1", {}, t("tools")),
    table(t("tools"), [t("name"), t("group"), t("state"), t("description"), t("flags"), t("source")], rows));
}

/** @param {HTMLElement} main */
export async function showSettings(main) {
  const settings = await get("/settings");
  const rows = Object.entries(settings).map(([name, { value, origin }]) => [h("code", {}, name), JSON.stringify(value), origin]);
  main.replaceChildren(h("h1", {}, t("settings")), table(t("settings"), [t("name"), t("value"), t("source")], rows));
}
