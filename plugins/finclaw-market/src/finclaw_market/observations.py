"""The observations of an economic series as they were known on a day: from the user's store, else from the package."""

from __future__ import annotations

import csv
import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from finclaw_cli.sdk import Source
from finclaw_market.held import damaged, held_date, held_number
from finclaw_market.series import typical_gap
from finclaw_market.store import holds_series, reading

_PACKAGED = "us-macro.csv"
_PACKAGED_KNOWN = "2009-12-15"
_LICENCE = "public domain; compiled by S. Seabold for statsmodels from FRED and BLS"
_UNITS = {
    "US.REALGDP": ("US real gross domestic product", "billions of chained 2005 USD, seasonally adjusted annual rate"),
    "US.REALCONS": ("US real personal consumption", "billions of chained 2005 USD, seasonally adjusted annual rate"),
    "US.CPI": ("US consumer prices, all urban consumers", "index 1982-84 = 100, seasonally adjusted, end of quarter"),
    "US.M1": ("US money stock M1", "billions of USD, seasonally adjusted, end of quarter"),
    "US.TBILRATE": ("US 3-month treasury bill rate", "percent per year, quarterly average"),
    "US.UNEMP": ("US unemployment rate", "percent, seasonally adjusted"),
}
_SERIES = """
SELECT id, name, unit, EXISTS (
    SELECT 1 FROM observations o WHERE o.series = s.id AND o.date <= ?1 AND o.known_from <= ?1
) FROM series s ORDER BY id
"""
_OBSERVED = """
SELECT o.date, o.known_from, o.value, o.line, s.id, substr(s.retrieved_at, 1, 10)
FROM observations o JOIN sources s ON s.id = o.source_id
WHERE o.series = :series AND o.date <= :known AND o.known_from <= :known
AND o.known_from = (SELECT max(known_from) FROM observations l
    WHERE l.series = o.series AND l.date = o.date AND l.known_from <= :known)
ORDER BY o.date
"""
_SOURCE = "SELECT kind, ref, sha256, retrieved_at, licence FROM sources WHERE id = ?"
# An observation of at least this many days is dated by the first of them, and not known before the last.
_PERIODIC_DAYS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One value; None where it was known to be missing."""

    day: date
    value: Decimal | None
    known_from: str
    line: int
    source_id: int = 0
    retrieved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesFacts:
    """What is known of a series beside its values."""

    id: str
    name: str | None
    unit: str | None


class SeriesShelf:
    """The series of one store and, behind them, those of the package."""

    def __init__(self, store: sqlite3.Connection | None) -> None:
        self._store = store if store is not None and holds_series(store) else None

    def facts(self, known: date) -> list[SeriesFacts]:
        """The user's own series that had values by a day, and those of the package that they do not hide."""
        rows = self._store.execute(_SERIES, (known.isoformat(),)).fetchall() if self._store else []
        own = [SeriesFacts(id=key, name=name, unit=unit) for key, name, unit, had_values in rows if had_values]
        taken = {key for key, *_ in rows}
        packaged = [SeriesFacts(id=key, name=name, unit=unit) for key, (name, unit) in _UNITS.items()]
        return own + [facts for facts in packaged if facts.id not in taken]

    def observed(self, series: str, known: date) -> list[Observation]:
        """The values of a series as they were known on a day, oldest first."""
        if self._store is None or not self._store.execute("SELECT 1 FROM series WHERE id = ?", (series,)).fetchone():
            return [found for found in _packaged().get(series, ()) if found.known_from <= known.isoformat()]
        rows = self._store.execute(_OBSERVED, {"series": series, "known": known.isoformat()})
        found = [
            Observation(
                day=held_date(day, f"a date of series {series}"),
                known_from=known_from,
                value=None if value is None else held_number(value, f"series {series} on {day}"),
                line=line,
                source_id=source,
                retrieved=retrieved,
            )
            for day, known_from, value, line, source, retrieved in rows
        ]
        return _over(found, known)

    def sources(self, observations: list[Observation]) -> tuple[Source, ...]:
        """The files that these values are from."""
        found: list[Source] = []
        for number, source in enumerate(sorted({item.source_id for item in observations}), 1):
            lines = [item.line for item in observations if item.source_id == source]
            rows = f"{min(lines)}..{max(lines)}"
            found.append(self._source(f"s{number}", source, rows))
        return tuple(found)

    def _source(self, name: str, source: int, rows: str) -> Source:
        if source == 0 or self._store is None:
            return Source(id=name, kind="package", ref=_PACKAGED, sha256=_sha256(), rows=rows, licence=_LICENCE)
        row = self._store.execute(_SOURCE, (source,)).fetchone()
        if row is None:
            raise damaged(f"its source {source} is missing")
        kind, ref, sha256, retrieved_at, licence = row
        return Source(id=name, kind=kind, ref=ref, sha256=sha256, rows=rows, retrieved_at=retrieved_at, licence=licence)


def is_packaged(series: str) -> bool:
    """Whether a series comes with this package."""
    return series in _UNITS


@contextmanager
def series_shelf(home: Path) -> Iterator[SeriesShelf]:
    """All series there are.

    Raises:
        StoreProblem: the store cannot be read.
    """
    with reading(home) as stored:
        yield SeriesShelf(stored)


def _over(found: list[Observation], known: date) -> list[Observation]:
    """Leave out values that were not known yet: a month's value without a release date, within that month."""
    days = [item.day for item in found]
    gap = typical_gap(days)
    if gap < _PERIODIC_DAYS:
        return found
    ends = [*days[1:], days[-1] + timedelta(days=gap)] if days else []
    return [
        item
        for item, end in zip(found, ends, strict=True)
        if item.known_from or item.retrieved <= known.isoformat() or end <= known
    ]


@lru_cache(maxsize=1)
def _packaged() -> dict[str, list[Observation]]:
    found: dict[str, list[Observation]] = {}
    text = (files("finclaw_market") / "data" / _PACKAGED).read_text(encoding="utf-8")
    rows = enumerate(csv.reader(text.splitlines()), 1)
    numbered = [(line, cells) for line, cells in rows if not cells[0].startswith("#")]
    header = numbered[0][1]
    for line, (day, *values) in numbered[1:]:
        for series, value in zip(header[1:], values, strict=True):
            item = Observation(day=date.fromisoformat(day), value=Decimal(value), known_from=_PACKAGED_KNOWN, line=line)
            found.setdefault(series, []).append(item)
    return found


@lru_cache(maxsize=1)
def _sha256() -> str:
    return hashlib.sha256((files("finclaw_market") / "data" / _PACKAGED).read_bytes()).hexdigest()
