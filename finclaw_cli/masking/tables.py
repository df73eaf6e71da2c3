"""Columns that say that their values are private, in CSV and in Markdown tables."""

from __future__ import annotations

import heapq
import re
from collections.abc import Generator, Iterator
from functools import lru_cache, partial

from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import STEMS, counts_things, is_explicit, is_tender, kind_of_name
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
Table = tuple[tuple[Column, ...], str]
# What is private in each row of a table, as it was for the same row before.
Rows = Memo[str, list[tuple[int, int, str]] | None]


def find_columns(reading: Reading) -> Iterator[Found]:
    """Every value in a private column of the tables in a text."""
    if "\n" not in reading.view or (reading.is_json and "\\n" not in reading.text):
        return
    position, lines = 0, _Headers(reading)
    tables: Memo[Table, Rows] = Memo(lambda table: Memo(partial(_row, table)))
    while (start := lines.next(position)) is not None:
        end = reading.view.find("\n", start)
        if end < 0:
            return
        # A table inside of a JSON string begins after the quote that opens it.
        first = max(start, reading.view.rfind('"', start, end) + 1) if reading.is_json else start
        table = _table(reading.view[first:end])
        position = end + 1
        if table:
            position = yield from _rows(reading, position, tables[table])


class _Headers:
    """The lines of a text that have one of the stems, in turn; every stem is looked for once throughout."""

    def __init__(self, reading: Reading) -> None:
        self._low = reading.low
        # -1 for a stem that only the vocabulary has.
        self._next = [(reading.low.find(stem), stem) for stem in STEMS if reading.has(stem)]
        heapq.heapify(self._next)

    def next(self, position: int) -> int | None:
        """Where the first such line at or after a position starts."""
        while self._next:
            found, stem = self._next[0]
            if found >= position:
                return max(position, self._low.rfind("\n", position, found) + 1)
            later = self._low.find(stem, position)
            if later < 0:
                heapq.heappop(self._next)
            else:
                heapq.heapreplace(self._next, (later, stem))
        return None


@lru_cache(maxsize=256)
def _table(header: str) -> Table | None:
    """The private columns that a header names, and what separates them."""
    if len(header) > _LONGEST_HEADER:
        return None
    delimiter = max(_DELIMITERS, key=header.count)
    if not header.count(delimiter) or len(_DIGITS.findall(header)) > _MOST_DIGITS:
        return None
    names = [name.strip(" \t\r\"'*`\ufeff") for name in header.split(delimiter)]
    columns = tuple(
        (index, kind, is_explicit(name))
        for index, name in enumerate(names)
        if (kind := kind_of_name(name)) and not name.endswith(":") and not (kind == "card" and _is_count(name, names))
    )
    return (columns, delimiter) if columns else None


def _is_count(name: str, names: list[str]) -> bool:
    """Whether a column of cards has their number or what was paid with them."""
    return counts_things(name) or is_tender(name, names)


def _rows(reading: Reading, position: int, rows: Rows) -> Generator[Found, None, int]:
    """The private values of the rows from a position on; returns where the table ends."""
    text, is_json = reading.view, reading.is_json
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        row = text[position:end]
        if is_json and '"' in row:  # the end of the string that the table is in
            row = row[: row.index('"')]
            end = position
        found = rows[row]
        if found is None:
            break
        for start, stop, kind in found:
            yield Found(position + start, position + stop, kind)
        if end == position:
            break
        position = end + 1
    return position


def _row(table: Table, row: str) -> list[tuple[int, int, str]] | None:
    """The private values of a row; None for what is no row of the table."""
    columns, delimiter = table
    if row.count(delimiter) < min(columns[-1][0], 1) or not row.strip():
        return None
    if _RULER.fullmatch(row):
        return []
    fields, found = _fields(row, delimiter), []
    for index, kind, explicit in columns:
        if index >= len(fields):
            break
        start, end = fields[index]
        if start < end and (span := find_in_string(kind, row[start:end], explicit=explicit)):
            found.append((start + span[0], start + span[1], kind))
    return found


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
