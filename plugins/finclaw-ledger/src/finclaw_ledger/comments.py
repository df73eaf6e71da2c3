"""Comments of XML and SGML, which are no content."""

from __future__ import annotations

from collections.abc import Iterator

_OPENINGS = {"<!--": "-->", "<![CDATA[": "]]>"}


def without_comments(text: str) -> str:
    """The text without its comments, but for their line breaks; what looks like one in CDATA stays."""
    return "".join(_kept(text)) if "<!--" in text else text


def _kept(text: str) -> Iterator[str]:
    at = 0
    while (begin := text.find("<!", at)) >= 0:
        opening = next((each for each in _OPENINGS if text.startswith(each, begin)), None)
        end = -1 if opening is None else text.find(_OPENINGS[opening], begin + len(opening))
        if opening is None:
            yield text[at : begin + 2]
            at = begin + 2
            continue
        if end < 0:
            break
        after = end + len(_OPENINGS[opening])
        yield text[at:begin]
        yield "\n" * text.count("\n", begin, after) if opening == "<!--" else text[begin:after]
        at = after
    yield text[at:]
