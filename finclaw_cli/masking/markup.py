"""Private data in XML and HTML: by an element's name its content, by a form field's attributes its value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.names import counts_things, is_explicit, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import find_in_string

_TAG = re.compile(r"<[a-z][\w:-]{0,40}\s[^<>]{1,600}>", re.IGNORECASE)
_QUOTED = r"\s?=\s?(?:\"([^\"<>]{1,200})\"|'([^'<>]{1,200})'|  ([^<>]{1,200}?)(?=  ))"
_NAMES = re.compile(
    rf"\b(?:name|id|key|field|label|placeholder|title|autocomplete|aria-label|type){_QUOTED}", re.IGNORECASE
)
_VALUES = re.compile(rf"(?<![\w-])(?:value|content|val|defaultvalue){_QUOTED}", re.IGNORECASE)
_ELEMENT = re.compile(
    r"<(?:[\w-]{1,30}:)?([a-z가-힣][\w.-]{1,60})(?:\s[^<>]{0,300})?>([^<>\x01]{4,400})</", re.IGNORECASE
)
_TABLE_ROW = re.compile(r"<tr(?=[\s>])[^<]*+(?:<(?!/?tr[\s>])[^<]*+)*", re.IGNORECASE)
_TABLE_CELL = re.compile(r"<(t[hd])(?:\s[^<>]{0,300})?>((?>[^<]*(?:<(?!/?t[hdr][\s>])[^<]*)*))", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{1,300}>")
_HEADING = re.compile(r"<th(?:\s[^<>]{0,300})?>")
_CELL = re.compile(r"<t[hd][\s>]")
_LONGEST_ROW, _LONGEST_HEADING = 2000, 200
_LABEL_BEFORE = re.compile(r"<label[^<>]{0,80}>([^<>]{2,40})</label>\s{0,20}$", re.IGNORECASE)

# ISO 20022: an account that is no IBAN.
_OTHER_ID = re.compile(r"Acct>\s{0,40}<(?:\w+:)?Id>\s{0,40}<(?:\w+:)?Othr>\s{0,40}<(?:\w+:)?Id>([A-Za-z0-9-]{5,34})<")

Meaning = tuple[str, bool]
"""The kind of what a name marks as private, and whether it has "number"."""


def find_in_markup(reading: Reading) -> Iterator[Found]:
    """Every value whose element or attribute marks it as private."""
    view = reading.view
    if "<" not in view:
        return
    if "</" in view:
        yield from _elements(reading)
    if "<th" in reading.low:
        yield from _tables(view)
    if reading.has("value") or reading.has("content"):
        yield from _tags(reading)
    if reading.has("othr"):
        for found in _OTHER_ID.finditer(view):
            yield from _private(("account", True), found.start(1), found.group(1))


def _tables(view: str) -> Iterator[Found]:
    """Cells under a heading that marks them as private."""
    kinds: list[Meaning | None] = []
    for row in _TABLE_ROW.finditer(view):
        cells = [(cell.group(1).lower(), cell.start(2), cell.group(2)) for cell in _TABLE_CELL.finditer(row.group())]
        if len(cells) > 1 and all(tag == "th" for tag, _, _ in cells):
            kinds = [_heading(text) for _, _, text in cells]
            continue
        for heading, (_, start, text) in zip(kinds, cells, strict=False):
            if heading:
                yield from _private(heading, row.start() + start, text)


def _private(meaning: Meaning, start: int, text: str) -> Iterator[Found]:
    kind, explicit = meaning
    for first, last in find_in_string(kind, text, explicit=explicit):
        yield Found(start + first, start + last, kind)


def _meaning(name: str) -> Meaning | None:
    kind = kind_of_name(name)
    return (kind, is_explicit(name)) if kind else None


def _heading(text: str) -> Meaning | None:
    name = _ANY_TAG.sub("", text).strip()
    return None if counts_things(name) else _meaning(name)


def _tags(reading: Reading) -> Iterator[Found]:
    view = reading.view
    for tag in _TAG.finditer(view):
        value = _VALUES.search(tag.group())
        if not value:
            continue
        names = [name.group(name.lastindex or 0) for name in _NAMES.finditer(tag.group())]
        if before := _LABEL_BEFORE.search(view, max(0, tag.start() - 180), tag.start()):
            names.append(before.group(1))
        yield from _named_value(tag.start(), value, names)


def _elements(reading: Reading) -> Iterator[Found]:
    for element in _ELEMENT.finditer(reading.view):
        if meaning := _meaning(element.group(1)):
            yield from _private(meaning, element.start(2), element.group(2))


def _named_value(offset: int, value: re.Match[str], names: list[str]) -> Iterator[Found]:
    group = value.lastindex or 0
    for meaning in filter(None, map(_meaning, names)):
        if found := list(_private(meaning, offset + value.start(group), value.group(group))):
            yield from found
            return


class Headings:
    """The headings of the tables of HTML that numbers stand in, which ask for them in their order."""

    def __init__(self, view: str, low: str) -> None:
        self._view, self._low = view, low
        self._names: list[str] = []
        self._next = _HEADING.search(low) if "<th" in low else None
        self._seen = self._table = 0

    def at(self, position: int) -> str:
        """The heading of the column that a position is in, or nothing."""
        while self._next and self._next.start() < position:
            self._add(self._next.start(), self._next.end())
            self._next = _HEADING.search(self._low, self._seen)
        if not self._names:
            return ""
        row = self._low.rfind("<tr", max(self._seen, position - _LONGEST_ROW), position)
        if self._table < position or row < 0:
            return ""
        index = len(_CELL.findall(self._low, row, position)) - 1
        return self._names[index] if 0 <= index < len(self._names) else ""

    def _add(self, start: int, end: int) -> None:
        """Note a heading, the first of its row or one more."""
        if "<tr" in self._low[self._seen : start]:
            self._names = []
        stop = self._low.find("</t", end, end + _LONGEST_HEADING)
        self._names.append(_ANY_TAG.sub(" ", self._view[end:stop]).strip() if stop >= 0 else "")
        self._seen = end
        if self._table < end:
            table = self._low.find("</table", end)
            self._table = table if table >= 0 else len(self._low)
