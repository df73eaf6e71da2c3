"""From a filing's HTML to plain text, always the same for the same bytes, so that offsets into it can be cited.

Not the standard library's parser: its time grows with the square of the length where comments or tags are not closed.
Here no tag reaches over the next angle bracket, so each character is looked at a fixed number of times.
"""

from __future__ import annotations

import html
import re

from finclaw_filings.wording import visible

_BLOCKS = frozenset({
    "address", "article", "blockquote", "body", "br", "caption", "center", "dd", "div", "dl", "dt", "footer", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section",
    "table", "tbody", "tfoot", "thead", "title", "tr", "ul",
})  # fmt: skip
_CELLS = frozenset({"td", "th"})
# What readers of the page do not see; `ix:header` holds the hidden facts of inline XBRL.
_SILENT = frozenset({"script", "style", "noscript", "template", "head", "ix:header"})
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_HIDDEN = re.compile(r"style\s*=\s*[\"'][^\"']*display\s*:\s*none", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*+)([^<>]*+)>|<[!?/][^<>]*+>")
_CELL, _BREAK, _SOFT = "\x00", "\x01", "\x02"
_MARKS = re.compile("[\x00-\x02]")
_ROWS = frozenset({"table", "tr", "tbody", "thead", "tfoot", "caption"})
_MAX_DEPTH = 10_000
# A cell with more text than this is layout: its paragraphs are lines of their own.
_LONG_CELL = 300


class _Reader:
    """Collects what is seen; knows which hidden elements it is in."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._hidden: list[str] = []
        self._in_cell = False

    def text(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(_MARKS.sub(" ", html.unescape(data)))

    def begin(self, tag: str, attributes: str) -> None:
        if tag in _VOID or attributes.endswith("/"):
            self._mark(tag)
        elif self._hidden:
            if tag == self._hidden[-1] and len(self._hidden) < _MAX_DEPTH:
                self._hidden.append(tag)
        elif tag in _SILENT or _HIDDEN.search(attributes):
            self._hidden.append(tag)
        else:
            self._mark(tag)

    def end(self, tag: str) -> None:
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.pop()
            # A head that was never closed ends where the body ends at the latest.
            elif tag in {"body", "html"}:
                self._hidden.clear()
        elif tag in _CELLS or tag in _ROWS - {"table"}:
            # The begin of the next cell or row divides enough.
            self._in_cell = self._in_cell and tag in _CELLS
        else:
            self._mark(tag)

    def _mark(self, tag: str) -> None:
        if self._hidden:
            return
        if tag in _CELLS:
            self._in_cell = True
            self.parts.append(_CELL)
        elif tag in _ROWS:
            self._in_cell = False
            self.parts.append(_BREAK)
        elif tag in _BLOCKS:
            self.parts.append(_SOFT if self._in_cell else _BREAK)


def text_of_html(markup: str) -> str:
    """The text of a page: a line for each block and table row, cells divided by ` | `, no hidden parts."""
    reader, at = _Reader(), 0
    source, _ = _without_comments(markup)
    for tag in _TAG.finditer(source):
        reader.text(source[at : tag.start()])
        at = tag.end()
        slash, name, attributes = tag.groups()
        if name and slash:
            reader.end(name.lower())
        elif name:
            reader.begin(name.lower(), attributes)
    reader.text(source[at:])
    # A line break in the source of a page is a blank; a block begins a new line.
    flowing = re.sub(r"\s+", " ", "".join(reader.parts))
    return tidy("\n".join(_row(line) for line in flowing.split(_BREAK)))


def leaves_comment_open(markup: str) -> bool:
    """Whether a comment begins that never ends, so that its text was kept."""
    return _without_comments(markup)[1]


def _without_comments(markup: str) -> tuple[str, bool]:
    """The markup without comments, and whether the last one is never closed: only its mark goes, no text is lost."""
    kept: list[str] = []
    at = 0
    while (start := markup.find("<!--", at)) >= 0:
        kept.append(markup[at:start])
        stop = markup.find("-->", start + 2)
        if stop < 0:
            return "".join((*kept, markup[start + 4 :])), True
        at = stop + 3
    return "".join((*kept, markup[at:])), False


def _row(line: str) -> str:
    if _CELL not in line:
        return line.replace(_SOFT, "\n")
    found = [piece.strip(f"{_SOFT} ") for piece in line.split(_CELL)]
    layout = any(len(cell) > _LONG_CELL for cell in found)
    joined = " | ".join(cell.replace(_SOFT, "\n" if layout else " ") for cell in found if cell)
    # A currency sign, a closing bracket and a percent sign stand in cells of their own.
    joined = re.sub(r"([$€£¥₩(]) \| ", r"\1", joined)
    return re.sub(r" \| ([)%]+)(?= \||$)", r"\1", joined)


def tidy(text: str) -> str:
    """The text with visible characters only, single blanks, one empty line at most, nothing like a tag."""
    lines = (" ".join(line.split()) for line in visible(text).split("\n"))
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    # Literal markup would be parsed as a page when the text is shown, and offsets would no longer fit.
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", joined)
