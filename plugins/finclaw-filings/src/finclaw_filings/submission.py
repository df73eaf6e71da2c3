"""The documents of SEC's full submission, a text file with all parts of a filing: https://www.sec.gov/info/edgar/pdsdissemspec.pdf."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_DOCUMENT = re.compile(r"<DOCUMENT>\s*+<TYPE>([^\n<]{1,40})", re.IGNORECASE)
# The annual report to shareholders, and what foreign filers and current reports attach: the contents stand there.
_READ = re.compile(r"EX-(?:13|99)(?:\.|$)", re.IGNORECASE)
_ENCODED = re.compile(r"\s*+(?:<PDF>|begin \d{3} )", re.IGNORECASE)
_MAX_NAMED = 12


@dataclass(frozen=True, slots=True)
class Part:
    """One document: its type, such as `10-K` or `EX-99.1`, and its content."""

    type: str
    body: str

    @property
    def is_encoded(self) -> bool:
        """Whether the content is a PDF, an image or another file as text (uuencode)."""
        return _ENCODED.match(self.body) is not None

    @property
    def is_xml(self) -> bool:
        """Whether the content is XML without a page."""
        return re.match(r"\s*+<XML>", self.body, re.IGNORECASE) is not None and "<html" not in self.body[:1000].lower()


def parts_of(markup: str) -> list[Part]:
    """The documents in their order; empty where it is no full submission."""
    starts = list(_DOCUMENT.finditer(markup))
    parts = []
    for at, start in enumerate(starts):
        limit = starts[at + 1].start() if at + 1 < len(starts) else len(markup)
        stop = markup.find("</DOCUMENT>", start.end(), limit)
        document = markup[start.end() : stop if stop >= 0 else limit]
        body = document.partition("<TEXT>")[2] or document
        parts.append(Part(start.group(1).strip().upper(), body.rpartition("</TEXT>")[0] or body))
    return parts


def main_part(parts: Sequence[Part], form: str | None) -> Part:
    """The report itself: the document of the form's type, or else the first one."""
    wanted = (form or "").upper()
    return next((part for part in parts if part.type == wanted), parts[0])


def exhibits_read(parts: Sequence[Part], main: Part) -> list[Part]:
    """The exhibits that belong to the text: the annual report to shareholders, and those numbered 99."""
    return [part for part in parts if part is not main and _READ.match(part.type) and not part.is_encoded]


def left_out(parts: Sequence[Part], read: Sequence[Part]) -> str:
    """The documents that are not part of the text, counted by their types, in words; empty where there are none."""
    kept = set(map(id, read))
    others = [part for part in parts if id(part) not in kept]
    if not others:
        return ""
    kinds = Counter(part.type for part in others)
    named = [f"{kind} ({count})" if count > 1 else kind for kind, count in kinds.items()]
    more = f" and {len(named) - _MAX_NAMED} more types" if len(named) > _MAX_NAMED else ""
    count = "1 document" if len(others) == 1 else f"{len(others)} documents"
    return f"; {count} left out: {', '.join(named[:_MAX_NAMED])}{more}"
