// @ts-check
/** Text of a model as it streams: complete blocks are rendered as Markdown by the server, the rest is plain. */

import { post } from "./api.js";
import { adopted, h } from "./dom.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The beginning of a block that continues no list, quote or table before it. */
const BLOCK_START = /^[^\s\-*+\d>|]/;
const MOST_AT_ONCE = 1_000;
const MOST_AT_ONCE_CHARS = 100_000;

/** The streamed text of one turn. */
export class Answer {
  element = h("div", { class: "answer", dir: "auto" });
  text = "";
  #tail = document.createTextNode("");
  #waiting = "";
  #frame = 0;
  #scanned = 0;
  #settled = 0;
  #fence = "";
  #isAfterBlank = false;
  /** @type {{holder: HTMLElement, text: string}[]} */
  #blocks = [];
  #rendering = Promise.resolve();

  constructor() {
    this.element.append(h("div", { class: "tail" }, this.#tail));
  }

  /** Add a piece; the page changes once a frame, however many pieces come. @param {string} piece */
  add(piece) {
    this.text += piece;
    this.#waiting += piece;
    this.#frame ||= requestAnimationFrame(() => this.#show());
  }

  /** Settle all of the text. @returns {Promise<void>} when it is rendered */
  async finish() {
    cancelAnimationFrame(this.#frame);
    this.#show();
    this.#settle(this.text.length);
    await this.#rendering;
  }

  #show() {
    this.#frame = 0;
    this.#tail.appendData(this.#waiting);
    this.#waiting = "";
    this.#scan();
  }

  /** Look at the lines that are complete, each of them once. */
  #scan() {
    for (let end = this.text.indexOf("\n", this.#scanned); end >= 0; end = this.text.indexOf("\n", this.#scanned)) {
      const line = this.text.slice(this.#scanned, end);
      if (this.#isAfterBlank && this.#fence === "" && BLOCK_START.test(line)) this.#settle(this.#scanned);
      this.#takeFence(line);
      this.#isAfterBlank = line.trim() === "";
      this.#scanned = end + 1;
    }
  }

  /** @param {string} line */
  #takeFence(line) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (this.#fence === "") this.#fence = mark;
    else if (mark.startsWith(this.#fence) && line.trim() === mark) this.#fence = "";
  }

  /** Have the text before a place rendered. @param {number} end */
  #settle(end) {
    const text = this.text.slice(this.#settled, end);
    this.#settled = end;
    this.#tail.data = this.text.slice(end, this.text.length - this.#waiting.length);
    if (text.trim() === "") return;
    const holder = h("div", { class: "plain" }, text);
    this.element.lastElementChild?.before(holder);
    this.#blocks.push({ holder, text });
    this.#rendering = this.#rendering.then(() => this.#render());
  }

  async #render() {
    const blocks = this.#taken();
    if (blocks.length === 0) return;
    try {
      const { html } = await post("/markdown", { texts: blocks.map(({ text }) => text) });
      blocks.forEach(({ holder }, at) => holder.replaceWith(...adopted(html[at])));
    } catch {
      // It stays plain text, which is all of it.
    }
  }

  /** The blocks that go into one request. */
  #taken() {
    let chars = 0;
    const isWithin = (/** @type {{text: string}} */ { text }, /** @type {number} */ at) =>
      (chars += text.length) <= MOST_AT_ONCE_CHARS && at < MOST_AT_ONCE;
    const count = this.#blocks.findIndex((block, at) => !isWithin(block, at));
    return this.#blocks.splice(0, count < 0 ? this.#blocks.length : Math.max(1, count));
  }
}
