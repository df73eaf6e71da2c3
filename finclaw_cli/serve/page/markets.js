// @ts-check
/** Prices of a symbol and the value of a portfolio, computed by tools, without a model. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { drawn } from "./results.js";
import { t } from "./words.js";

/** @param {HTMLElement} main @param {import("./main.js").View} view */
export function showMarkets(main, view) {
  main.replaceChildren(h("h1", {}, t("markets")), prices(view), portfolio(view));
}

/** @param {import("./main.js").View} view */
function prices({ announce }) {
  const symbol = field("symbol", { required: true });
  const start = field("since", { type: "date" });
  return section(t("prices"), [symbol, start], announce, async () => {
    const given = { symbol: value(symbol), ...(value(start) && { start: value(start) }), limit: 2000 };
    return ["get_price_history", given];
  });
}

/** @param {import("./main.js").View} view */
function portfolio({ announce }) {
  const file = field("holdings", { type: "file", accept: ".csv,text/csv" });
  const currency = field("currency", { size: 5, maxlength: 3 });
  return section(t("portfolio"), [file, currency], announce, async () => {
    const chosen = /** @type {HTMLInputElement} */ (file.querySelector("input")).files?.[0];
    const given = value(currency) && { currency: value(currency) };
    return chosen ? ["portfolio", { table: await chosen.text(), ...given }] : ["ledger_portfolio", { ...given }];
  });
}

/** @param {string} word @param {Record<string, string | number | boolean>} attributes */
function field(word, attributes) {
  return h("label", {}, t(word), " ", h("input", { type: "text", autocomplete: "off", ...attributes }));
}

/** @param {HTMLElement} label */
function value(label) {
  return /** @type {HTMLInputElement} */ (label.querySelector("input")).value.trim();
}

/**
 * A form that calls a tool and shows its result.
 * @param {string} title
 * @param {HTMLElement[]} fields
 * @param {(words: string) => void} announce
 * @param {() => Promise<[string, Record<string, unknown>]>} wanted the tool and its arguments
 */
function section(title, fields, announce, wanted) {
  const shown = h("div", {});
  const call = async () => {
    announce(t("loading"));
    try {
      const [name, given] = await wanted();
      const result = await post(`/tools/${name}`, given);
      const parts = result.is_error ? [] : drawn(name, result.content);
      shown.replaceChildren(...(parts.length ? parts : [h("pre", { tabindex: 0 }, result.content)]));
      announce("");
    } catch (error) {
      shown.replaceChildren();
      announce(error instanceof Error ? error.message : String(error));
    }
  };
  return h("section", { "aria-label": title }, h("h2", {}, title),
    h("form", { class: "filters", submit: (event) => { event.preventDefault(); call(); } },
      ...fields, h("button", { type: "submit" }, t("show"))),
    shown);
}
