"""Distinguishing a web page from text with angle brackets, and reading its text."""

from __future__ import annotations

import re

# These are compiled when they are used: most runs see no page.
# Elements that a page is made of; `a < b`, `List<int>` and `<name>` are none.
_ELEMENT = (
    r"(?i)<(?:!doctype html|html|head|body|div|span|p|br|table|tr|td|th|ul|ol|li|h[1-6]|script|style|section|article"
    r"|nav|a\s+href|img\s)[\s/>=]"
)
_CLOSING = r"(?i)</(?:p|div|span|b|i|em|strong|a|td|tr|li|ul|ol|h[1-6]|table|body|html)\s*>"
_BREAK = r"(?i)<(?:br|/p|/div|/tr|/li|/h[1-6]|/table|/section|/article|/title)\b[^<>]*+>"
_BLANKS = r"[ \t]*\n(?:[ \t]*\n)+"
SILENT = {"script", "style", "noscript", "template"}
_TAG = r"<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})"
_LONG_TAG = r"<[^>]{8000}"
_CONTENT = r"(?is)<!--.*?(?:-->|\Z)|<(script|style|noscript|template)\b.*?(?:</\1\s*>|\Z)|<[/!?a-z][^<>]*+>?"
"""What is left out of a page: comments, what is silent, and tags."""
# Elements without an end, and those whose end may be left out: any number of them is as deep as one.
_FLAT = frozenset(
    {"area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
     "source", "td", "th", "tr", "wbr"}
)  # fmt: skip
MOST_OPEN = 300
"""Elements that are open at once in a page that a parser is given: its time grows with the square of them."""
MOST_CHARS = 400_000


def is_page(text: str) -> bool:
    """Whether the text is HTML: it begins with an element that pages are made of, or closes one. No JSON, no XML."""
    begins = text.lstrip()[:5]
    if begins[:1] in {"{", "["} or begins == "<?xml":
        return False
    return (begins[:1] == "<" and re.search(_ELEMENT, text) is not None) or re.search(_CLOSING, text) is not None


def page_text(text: str) -> str:
    """The text of a page, without tags, scripts and styles."""
    import html

    broken = re.sub(_BREAK, r"\g<0>\n", text)
    words = _parsed(broken) if _is_parsable(broken) else re.sub(_CONTENT, "", broken)
    return re.sub(_BLANKS, "\n\n", html.unescape(words)).strip()


def _parsed(page: str) -> str:
    import nh3

    return nh3.clean(page, tags=set(), clean_content_tags=SILENT, strip_comments=True)


def _is_parsable(page: str) -> bool:
    """Whether a parser takes no longer than usual: it does for elements in elements, and for tags without an end."""
    if len(page) > MOST_CHARS or re.search(_LONG_TAG, page):
        return False
    open_elements: dict[str, int] = {}
    depth = 0
    for tag in re.finditer(_TAG, page):
        name = tag[2].lower()
        if name in _FLAT or (tag[1] and not open_elements.get(name)):
            continue
        step = -1 if tag[1] else 1
        open_elements[name] = open_elements.get(name, 0) + step
        depth += step
        if depth > MOST_OPEN:
            return False
    return True
