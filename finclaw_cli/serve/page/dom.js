// @ts-check
/** Elements made from values: no text becomes markup. */

/** @typedef {Node | string | null | undefined | false} Child */

/** What rendered Markdown may consist of; all else is left out, with its text kept. */
const ELEMENTS = new Set(
  ["A", "BLOCKQUOTE", "BR", "CODE", "DIV", "EM", "H1", "H2", "H3", "H4", "H5", "H6", "HR", "LI", "OL", "P", "PRE", "S",
    "STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"],
);
const ADDRESS = /^(?:https?:\/\/|mailto:)/i;
const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. A function is a listener of the event that the attribute names.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | ((event: Event) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...shown(children));
  return element;
}

/**
 * Make an element of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  element.append(...shown(children));
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | ((event: Event) => void)>} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function shown(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false));
}

/**
 * A table with a caption; cells that are numbers are aligned to the right.
 * @param {string} caption
 * @param {string[]} columns
 * @param {(Child | number)[][]} rows
 */
export function table(caption, columns, rows) {
  const cell = (/** @type {Child | number} */ value) =>
    typeof value === "number" ? h("td", { class: "number" }, String(value)) : h("td", {}, value);
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": caption },
    h("table", {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(cell))))));
}

/**
 * Nodes of rendered Markdown, built anew from the few elements and attributes that it may have.
 * @param {string} html
 * @returns {Node[]}
 */
export function adopted(html) {
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes].flatMap(rebuilt);
}

/** @param {Node} node @returns {Node[]} */
function rebuilt(node) {
  if (node instanceof Text) return [document.createTextNode(node.data)];
  if (!(node instanceof Element)) return [];
  const children = [...node.childNodes].flatMap(rebuilt);
  if (!ELEMENTS.has(node.tagName)) return children;
  return [h(node.tagName, kept(node), ...children)];
}

/** @param {Element} node */
function kept(node) {
  /** @type {Record<string, string | number>} */
  const attributes = {};
  const address = node.getAttribute("href");
  if (address !== null && ADDRESS.test(address)) {
    Object.assign(attributes, { href: address, rel: "noreferrer noopener nofollow", target: "_blank" });
  }
  const start = Number(node.getAttribute("start"));
  if (node.tagName === "OL" && Number.isInteger(start) && start > 1) attributes.start = start;
  if (node.getAttribute("class") === "right") attributes.class = "number";
  if (node.tagName === "PRE") attributes.tabindex = 0;
  return attributes;
}
