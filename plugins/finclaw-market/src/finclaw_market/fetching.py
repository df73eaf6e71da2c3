"""From a service into the store: with the service as source, never beside the user's own rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from finclaw_cli.sdk import no_data
from finclaw_market.checks import check
from finclaw_market.fred import LICENCE as FRED_LICENCE
from finclaw_market.fred import fetch_series
from finclaw_market.held import held_date
from finclaw_market.keyed import Batch, Entry, store_entries
from finclaw_market.options import ImportOptions, ImportReport, origin_of
from finclaw_market.problems import StoreProblem
from finclaw_market.series_files import SERIES
from finclaw_market.staging import Facts, Stage
from finclaw_market.store import STORE, holds_series, reading
from finclaw_market.yahoo import LICENCE as YAHOO_LICENCE
from finclaw_market.yahoo import fetch_chart

_HELD = """
SELECT min(b.date), max(b.date), max(s.ref) FILTER (WHERE s.kind <> 'service')
FROM bars b JOIN sources s ON s.id = b.source_id WHERE b.symbol = ?
"""
_SERIES_HELD = """
SELECT max(substr(s.retrieved_at, 1, 10)), max(s.ref) FILTER (WHERE s.kind <> 'service')
FROM observations o JOIN sources s ON s.id = o.source_id WHERE o.series = ?
"""


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except (StoreProblem, sqlite3.Error) as error:
        raise no_data(f"the store cannot be used: {error}", code="NOT_CONFIGURED") from None


def prices_held(home: Path, symbol: str) -> tuple[date, date, str | None] | None:
    """The first and last stored day of a symbol, and the user's own file they are from; None where there is none.

    Raises:
        ToolError: NOT_CONFIGURED: the store cannot be read.
    """
    with _reported(), reading(home) as stored:
        row = stored.execute(_HELD, (symbol,)).fetchone() if stored else None
        if row is None or row[0] is None:
            return None
        of = f"the date of a bar of {symbol}"
        return held_date(row[0], of), held_date(row[1], of), row[2]


def series_held(home: Path, series: str) -> tuple[date, str | None] | None:
    """The day a series was last fetched, and the user's own file it is from; None where there is none.

    Raises:
        ToolError: NOT_CONFIGURED: the store cannot be read.
    """
    with _reported(), reading(home) as stored:
        row = stored.execute(_SERIES_HELD, (series,)).fetchone() if stored and holds_series(stored) else None
        if row is None or row[0] is None:
            return None
        return held_date(row[0], f"the date of series {series}"), row[1]


def fetch_prices(home: Path, symbol: str, start: date) -> ImportReport:
    """Bring the finished sessions of a symbol into the store, from `start` or what is stored already, until now.

    What is stored is asked for again, because a split changes all prices before it.

    Raises:
        ToolError: the service could not answer, or the symbol is the user's own.
    """
    held = prices_held(home, symbol)
    _refuse_own(symbol, held[2] if held else None)
    chart = fetch_chart(home, symbol, min(start, held[0]) if held else start, datetime.now(UTC))
    report = ImportReport(dry_run=False, warnings=list(chart.warnings))
    options = ImportOptions(adjustment="split", kind="service", licence=YAHOO_LICENCE)
    origin = origin_of(chart.ref, chart.sha256, f"1..{chart.bars[-1].line}", options)
    with _reported(), closing(Stage()) as stage:
        for bar in chart.bars:
            stage.add(symbol, bar, 0, "")
        stage.take_duplicates([chart.ref])
        STORE.create(home)
        stage.attach(home, "rw")
        _refuse_own(symbol, stage.own_file_of(symbol))  # it may have been imported while the service answered
        report.symbols = stage.compare("split")
        report.findings = check(symbol, stage.series_of(symbol), "split", chart.facts.exchange)
        if stage.write([origin], chart.facts):
            report.warnings.append(f"{symbol}: its repairs are undone, because stored bars changed")
        stage.commit()
    report.imported = True
    return report


def fetch_observations(home: Path, series: str) -> ImportReport:
    """Bring all vintages of a series into the store.

    Raises:
        ToolError: the service could not answer, or the series is the user's own.
    """
    held = series_held(home, series)
    _refuse_own(series, held[1] if held else None)
    found = fetch_series(home, series)
    report = ImportReport(dry_run=False, warnings=list(found.warnings))
    options = ImportOptions(
        facts=Facts(name=found.name, unit=found.unit), replace=True, kind="service", licence=FRED_LICENCE
    )
    origin = origin_of(found.ref, found.sha256, f"1..{len(found.values)}", options)
    batch = Batch(origins={0: origin})
    for line, ((day, known), value) in enumerate(sorted(found.values.items()), 1):
        key = (series, day, known)
        batch.entries[key] = Entry(key=key, value=value, file=0, line=line)
    with _reported():
        store_entries(home, replace(SERIES, prepare=_prepared), batch, options, report)
    return report


def _prepared(store: sqlite3.Connection, names: list[str], options: ImportOptions) -> None:
    """What the store needs before the values of a service, unless the user's own have been imported meanwhile."""
    for name in names:
        _refuse_own(name, store.execute(_SERIES_HELD, (name,)).fetchone()[1])
    SERIES.prepare(store, names, options)


def _refuse_own(name: str, file: str | None) -> None:
    if file is not None:
        raise no_data(f"{name} is from your own file {file}; sources are not mixed", code="BAD_INPUT")
