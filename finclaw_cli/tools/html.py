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
_BREAK = r"(?i)<(?:br|/p|/div|/tr|/li|/h[1-6]|/table|/section|/article|/title)\b[^>]*>"
_BLANKS = r"[ \t]*\n(?:[ \t]*\n)+"
SILENT = {"script", "style", "noscript", "template"}


def is_page(text: str) -> bool:
    """Whether the text is HTML: it begins with an element that pages are made of, or closes one. No JSON, no XML."""
    begins = text.lstrip()[:5]
    if begins[:1] in {"{", "["} or begins == "<?xml":
        return False
    return (begins[:1] == "<" and re.search(_ELEMENT, text) is not None) or re.search(_CLOSING, text) is not None


def page_text(text: str) -> str:
    """The text of a page, without tags, scripts and styles."""
    import html

    import nh3

    words = nh3.clean(re.sub(_BREAK, r"\g<0>\n", text), tags=set(), clean_content_tags=SILENT, strip_comments=True)
    return re.sub(_BLANKS, "\n\n", html.unescape(words)).strip()
