"""Columns that say that their values are private: in CSV, in Markdown, in tables that are aligned with spaces."""

from __future__ import annotations

import heapq
import re
from collections.abc import Generator, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import STEMS, WHOLE, counts_things, is_explicit, is_tender, joined_name, kind_of_name
from finclaw_cli.masking.reading import BARRIER, Found, Reading
from finclaw_cli.masking.values import find_in_string

_DELIMITERS = ("|", "\t", ";", ",")
_QUOTED_FIELDS = {
    delimiter: re.compile(rf'(?>(?:"(?>[^"]*(?:""[^"]*)*)"|[^{re.escape(delimiter)}"]++)*)(?:{re.escape(delimiter)}|$)')
    for delimiter in _DELIMITERS
}
_RULER = re.compile(r"[\s|:+=-]*")
_DIGITS = re.compile(r"[0-9]")
_LONGEST_HEADER = 2000
_LONGEST_QUOTED = 10_000
_MOST_DIGITS, _MOST_WORDS = 6, 6
# What columns that are aligned with spaces are separated by.
_GAP = "  "
_CELL = re.compile(r"\S+(?: \S+)*")


class Column(NamedTuple):
    """A private column: which one it is, where its name stands in the header, and what that means."""

    place: int
    span: tuple[int, int]
    kind: str
    explicit: bool


Table = tuple[tuple[Column, ...], str, int]
"""The private columns, what separates them, and how many there are in all."""
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
        table = _table(reading.view[first:end]) if not _is_row(reading.view, first, end) else None
        position = end + 1
        if table:
            position = yield from _rows(reading, position, tables[table])


def _is_row(view: str, start: int, end: int) -> bool:
    """Whether a line that may be a header stands in the middle of a table of Markdown."""
    if "|" not in view[start:end] or start == 0:
        return False
    above = view[view.rfind("\n", 0, start - 1) + 1 : start]
    below = view[end + 1 : end + 1 + _LONGEST_HEADER].partition("\n")[0]
    return "|" in above and not (below.strip() and _RULER.fullmatch(below))


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
    if not header.count(delimiter):
        delimiter = _GAP
    if BARRIER in header or delimiter not in header.strip() or len(_DIGITS.findall(header)) > _MOST_DIGITS:
        return None
    spans = _fields(header, delimiter)
    names = [header[slice(*span)].strip(" \t\r\"'*`\ufeff") for span in spans]
    columns = tuple(
        Column(index, spans[index], kind, is_explicit(name))
        for index, name in enumerate(names)
        if _is_name(name)
        and (kind := kind_of_name(name) or _kind_beside(name, names))
        and not _is_count(kind, name, names)
        # A list of settings is aligned with spaces, too, and what is below a password there is another setting.
        if delimiter != _GAP or kind not in WHOLE
    )
    return (columns, delimiter, len(names)) if columns else None


def _is_name(name: str) -> bool:
    """Whether it can be a column's: no sentence with a comma, no option of a command."""
    return len(name.split()) <= _MOST_WORDS and not name.startswith("-") and not name.endswith(":") and "  " not in name


def _kind_beside(name: str, names: list[str]) -> str | None:
    """What a column "Number" holds the numbers of: there is a column "Account" or "Card", too."""
    if joined_name(name) not in {"number", "no", "번호"}:
        return None
    return next((kind for other in names if (kind := kind_of_name(other)) in {"account", "card"}), None)


def _is_count(kind: str, name: str, names: list[str]) -> bool:
    """Whether a column of cards or accounts has their number, or what was paid with them."""
    return kind in {"card", "account"} and (counts_things(name) or is_tender(name, names))


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
    columns, delimiter, _ = table
    if row.strip() and _RULER.fullmatch(row):
        return []
    if delimiter not in row.strip():
        return None
    fields, found = _fields(row, delimiter), []
    for column in columns:
        start, end = _field(table, column, fields)
        spans = find_in_string(column.kind, row[start:end], explicit=column.explicit)
        found += [(start + first, start + last, column.kind) for first, last in spans]
    return found


def _field(table: Table, column: Column, fields: list[tuple[int, int]]) -> tuple[int, int]:
    """The field of a column; where cells may be empty and leave no trace, the one under the column's name."""
    _, delimiter, names = table
    if delimiter != _GAP or len(fields) == names:
        return fields[column.place] if column.place < len(fields) else (0, 0)
    first, last = column.span
    return next(((start, end) for start, end in fields if start < last and first < end), (0, 0))


def _fields(row: str, delimiter: str) -> list[tuple[int, int]]:
    """The spans of a row's fields, without their quotes."""
    if delimiter == _GAP:
        return [cell.span() for cell in _CELL.finditer(row)]
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
