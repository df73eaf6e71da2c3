"""Columns that say that their values are private, in CSV and in Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from finclaw_cli.masking.names import STEMS, is_explicit, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import find_in_string

_DELIMITERS = ("|", "\t", ";", ",")
_QUOTED_FIELDS = {
    delimiter: re.compile(rf'(?:"(?:[^"]|"")*+"|[^{re.escape(delimiter)}"])*+(?:{re.escape(delimiter)}|$)')
    for delimiter in _DELIMITERS
}
_RULER = re.compile(r"[\s|:+=-]*")
_DIGITS = re.compile(r"[0-9]")
_LONGEST_HEADER = 2000
_LONGEST_QUOTED = 10_000
_MOST_DIGITS = 6
Column = tuple[int, str, bool]


def find_columns(reading: Reading) -> Iterator[Found]:
    """Every value in a private column of the tables in a text."""
    if "\n" not in reading.view or (reading.is_json and "\\n" not in reading.text):
        return
    position, lines = 0, _Headers(reading)
    while (start := lines.next(position)) is not None:
        end = reading.view.find("\n", start)
        if end < 0:
            return
        # A table inside of a JSON string begins after the quote that opens it.
        first = max(start, reading.view.rfind('"', start, end) + 1) if reading.is_json else start
        columns, delimiter = _columns(reading.view[first:end])
        position = end + 1
        if columns:
            position = yield from _rows(reading, position, columns, delimiter)


class _Headers:
    """The lines of a text that have one of the stems, in turn; every stem is looked for once throughout."""

    def __init__(self, reading: Reading) -> None:
        self._low = reading.low
        self._next = {stem: reading.low.find(stem) for stem in STEMS if reading.has(stem)}

    def next(self, position: int) -> int | None:
        """Where the first such line at or after a position starts."""
        for stem, found in list(self._next.items()):
            if found < position:  # also the one of -1, for a stem that only the vocabulary has
                later = self._low.find(stem, position)
                if later < 0:
                    del self._next[stem]
                else:
                    self._next[stem] = later
        if not self._next:
            return None
        return max(position, self._low.rfind("\n", position, min(self._next.values())) + 1)


def _columns(header: str) -> tuple[list[Column], str]:
    if len(header) > _LONGEST_HEADER:
        return [], ""
    delimiter = max(_DELIMITERS, key=header.count)
    if not header.count(delimiter) or len(_DIGITS.findall(header)) > _MOST_DIGITS:
        return [], ""
    names = [name.strip(" \t\r\"'*`\ufeff") for name in header.split(delimiter)]
    columns = [
        (index, kind, is_explicit(name))
        for index, name in enumerate(names)
        if (kind := kind_of_name(name)) and not name.endswith(":")
    ]
    return columns, delimiter


def _rows(reading: Reading, position: int, columns: list[Column], delimiter: str) -> Generator[Found, None, int]:
    """The private values of the rows from a position on; returns where the table ends."""
    text, least = reading.view, min(columns[-1][0], 1)
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        row = text[position:end]
        if reading.is_json and '"' in row:  # the end of the string that the table is in
            row = row[: row.index('"')]
            end = position
        if row.count(delimiter) < least or not row.strip():
            break
        if not _RULER.fullmatch(row):
            yield from _row(row, position, columns, delimiter)
        if end == position:
            break
        position = end + 1
    return position


def _row(row: str, offset: int, columns: list[Column], delimiter: str) -> Iterator[Found]:
    fields = _fields(row, delimiter)
    for index, kind, explicit in columns:
        if index >= len(fields):
            return
        start, end = fields[index]
        if start < end and (span := find_in_string(kind, row[start:end], explicit=explicit)):
            yield Found(offset + start + span[0], offset + start + span[1], kind)


def _fields(row: str, delimiter: str) -> list[tuple[int, int]]:
    """The spans of a row's fields, without their quotes."""
    if '"' in row and len(row) <= _LONGEST_QUOTED:
        spans = [found.span() for found in _QUOTED_FIELDS[delimiter].finditer(row)]
        return [_unquoted(row, start, end, delimiter) for start, end in spans]
    spans, start = [], 0
    for field in row.split(delimiter):
        spans.append((start, start + len(field)))
        start += len(field) + 1
    return spans


def _unquoted(row: str, start: int, end: int, delimiter: str) -> tuple[int, int]:
    if row[end - 1 : end] == delimiter:
        end -= 1
    field = row[start:end].strip()
    if field[:1] == '"' and field[-1:] == '"' and len(field) > 1:
        return row.index('"', start) + 1, row.rindex('"', start, end)
    return start, end
