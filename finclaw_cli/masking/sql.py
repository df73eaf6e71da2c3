"""Private columns of SQL: `INSERT INTO t (id, account_number) VALUES (1, '1234567890'), …`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import is_explicit, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import find_in_string

_INSERT = re.compile(
    r"\b(?:insert|replace)\s{1,8}into\s{1,8}[^()\s]{1,120}\s{0,8}\(([^()]{1,2000})\)\s{0,8}values\s{0,8}", re.IGNORECASE
)
_ROW = re.compile(r"\s{0,40},?\s{0,40}\(")
# A text with its quotes doubled, or whatever else up to the comma; the empty one after the last ends the row.
_FIELD = re.compile(r"\s{0,40}(?:'((?>[^']*(?:''[^']*)*))'|([^,()']{0,200}(?:\([^()]{0,100}\))?))\s{0,40}([,)])")

Column = tuple[str, bool]
Value = tuple[Column, str]
Spans = Memo[Value, tuple[tuple[int, int], ...]]


def find_in_sql(reading: Reading) -> Iterator[Found]:
    """Every value that an INSERT puts into a private column."""
    if not (reading.has("into") and reading.has("values")):
        return
    position, spans = 0, Memo(_spans)
    while statement := _INSERT.search(reading.view, position):
        position = statement.end()
        columns = [_column(name) for name in statement.group(1).split(",")]
        if any(columns):
            position = yield from _rows(reading.view, position, columns, spans)


def _column(name: str) -> Column | None:
    plain = name.strip(" \t\r\n\"'`[]")
    kind = kind_of_name(plain)
    return (kind, is_explicit(plain)) if kind else None


def _spans(value: Value) -> tuple[tuple[int, int], ...]:
    (kind, explicit), text = value
    return find_in_string(kind, text, explicit=explicit)


def _rows(view: str, position: int, columns: list[Column | None], spans: Spans) -> Generator[Found, None, int]:
    """The private values of all rows; returns where they end."""
    while row := _ROW.match(view, position):
        position, more = row.end(), True
        for column in columns:
            field = _FIELD.match(view, position) if more else None
            if not field:
                return position
            position, more = field.end(), field.group(3) == ","
            group = 1 if field.group(1) is not None else 2
            if column:
                start = field.start(group)
                for first, last in spans[column, field.group(group)]:
                    yield Found(start + first, start + last, column[0])
        if more:
            return position
    return position
