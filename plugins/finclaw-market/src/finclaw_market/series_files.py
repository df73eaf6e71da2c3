"""Reads economic series: `date,value` as FRED and others give it, long files, and one column for each vintage."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from finclaw_cli.sdk.tabular import BadCell, FileProblem, check_width, match_columns, missing_column
from finclaw_market.bars import exact_text, normal_symbol
from finclaw_market.cells import Cells, cells_of
from finclaw_market.keyed import Key, Table
from finclaw_market.options import ImportOptions
from finclaw_market.rowfile import RowFile

_ROLES = {
    "date": ("date", "observationdate", "datum", "period", "time", "일자", "날짜"),
    "value": ("value", "wert", "obsvalue", "값"),
    "series": ("series", "seriesid", "indicator", "symbol"),
    "known": ("knownfrom", "realtimestart", "vintage", "vintagedate", "released", "releasedate"),
    "ignored": ("realtimeend",),
}
# As ALFRED names the columns of a download with all vintages: GDP_20240125.
_VINTAGE = re.compile(r"(?P<id>.+)_(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})")
_FIND = "SELECT value FROM observations WHERE series = ? AND date = ? AND known_from = ?"
_WRITE = "INSERT OR REPLACE INTO observations VALUES (?, ?, ?, ?, ?, ?)"
_PREPARE = """
INSERT INTO series (id, name, unit) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    name = coalesce(excluded.name, name), unit = coalesce(excluded.unit, unit)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of values: of which series, and from when they were known, if the header has it."""

    index: int
    series: str | None
    known_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesReader:
    """How the rows of one file become observations."""

    cells: Cells
    date_at: int
    series_at: int | None
    known_at: int | None
    columns: tuple[_Column, ...]

    def read(self, cells: list[str], line: int) -> Iterator[tuple[Key, str | None]]:  # noqa: ARG002 - of the protocol
        """The observations of one row; one for each vintage where they stand side by side.

        Raises:
            BadCell: the row is invalid; the message has the reason.
        """
        check_width(cells, self.cells.width)
        day = self.cells.day(cells[self.date_at])
        known = self._known(cells, day)
        before: str | None = None
        for column in self.columns:
            value = exact_text(self.cells.number(cells[column.index]))
            series = column.series or self._series(cells)
            if column.known_from and value == before:
                continue  # nothing new was known on that day
            before = value
            yield (series, day.isoformat(), column.known_from or known), value

    def _known(self, cells: list[str], day: date) -> str:
        if self.known_at is None or not cells[self.known_at].strip():
            return ""
        known = self.cells.day(cells[self.known_at])
        if known < day:
            raise BadCell(f"known from {known}, before {day}")
        return known.isoformat()

    def _series(self, cells: list[str]) -> str:
        given = cells[self.series_at] if self.series_at is not None else ""
        series = normal_symbol(given)
        if series is None:
            raise BadCell(f"{given[:40]!r} is not the name of a series")
        return series


def _reader(file: RowFile, options: ImportOptions) -> SeriesReader:
    header = file.header
    at = match_columns(header, _ROLES)
    if "date" not in at:
        raise missing_column("date", header)
    date_at, series_at, known_at, value_at = at["date"], at.get("series"), at.get("known"), at.get("value")
    taken = {index for role, index in at.items() if role != "value"}
    free = [index for index, cell in enumerate(header) if index not in taken and cell.strip()]
    if value_at is not None:
        columns: tuple[_Column, ...] = (
            _Column(index=value_at, series=_named(options.symbol) if series_at is None else None),
        )
    else:
        columns = _columns(file, free, options)
    if not columns:
        raise missing_column("value", header)
    dates = [date_at] if known_at is None else [date_at, known_at]
    numbers = [column.index for column in columns]
    cells = cells_of(file.rows(), file.delimiter, len(header), (dates, numbers), options)
    return SeriesReader(cells=cells, date_at=date_at, series_at=series_at, known_at=known_at, columns=columns)


def _columns(file: RowFile, free: list[int], options: ImportOptions) -> tuple[_Column, ...]:
    """Each column is a series, or a vintage of one, by its header."""
    found = [_column(index, file.header[index]) for index in free]
    vintages = [column for column in found if column.known_from]
    if vintages and len(vintages) < len(found):
        raise FileProblem("some columns are vintages (as GDP_20240125), some are not")
    if options.symbol and len({column.series for column in found}) == 1:
        found = [_Column(index=c.index, series=options.symbol, known_from=c.known_from) for c in found]
    return tuple(sorted(found, key=lambda column: (column.series or "", column.known_from)))


def _column(index: int, cell: str) -> _Column:
    vintage = _VINTAGE.fullmatch(cell.strip())
    if vintage is None:
        return _Column(index=index, series=_named(cell))
    try:
        known = date(int(vintage["y"]), int(vintage["m"]), int(vintage["d"]))
    except ValueError:
        raise FileProblem(f"{cell[:40]!r} ends with no date") from None
    return _Column(index=index, series=_named(vintage["id"]), known_from=known.isoformat())


def _named(given: str | None) -> str:
    if given is None:
        raise FileProblem("the file does not name its series; give --symbol ID")
    series = normal_symbol(given)
    if series is None:
        raise FileProblem(f"{given[:40]!r} is not the name of a series: letters, digits and .^=_- only, at most 32")
    return series


def _prepare(store: sqlite3.Connection, names: list[str], options: ImportOptions) -> None:
    facts = options.facts
    store.executemany(_PREPARE, [(name, facts.name if len(names) == 1 else None, facts.unit) for name in names])


SERIES = Table(
    name="series",
    reader=_reader,
    find=_FIND,
    write=_WRITE,
    prepare=_prepare,
    name_of=lambda key: key[0],
    day_of=lambda key: key[1],
)
