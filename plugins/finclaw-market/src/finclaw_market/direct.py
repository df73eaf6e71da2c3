"""Large plain files of symbols that the store does not have go into it directly, in one transaction.

Nothing has to be compared or put in order, so no stage is needed. Where that turns out not to hold, nothing is written,
and the file is imported like any other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple
from datetime import date
from pathlib import Path

from finclaw_cli.sdk.render import bounded, file_name
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_market.checks import check
from finclaw_market.columns import map_columns
from finclaw_market.options import ImportOptions, ImportReport, origin_of
from finclaw_market.queries import bars_between
from finclaw_market.quick import Column, NotPlain, PlainRows, plain_rows
from finclaw_market.rowfile import look_at_file
from finclaw_market.store import STORE

# For less, the few rows that a stage costs are not worth a second way.
_LEAST_BYTES = 1 << 20
_MAX_COLUMNS_SHOWN = 500
_BUSY_S = 20.0
# With 11 values each, fewer than the 999 parameters that any SQLite takes.
_ROWS_AT_ONCE = 50
_WRITE_SOURCE = """
INSERT INTO sources (kind, ref, sha256, retrieved_at, adjustment, licence, rows) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_WRITE_INSTRUMENT = "INSERT INTO instruments (symbol, name, exchange, currency, tz) VALUES (?, ?, ?, ?, ?)"


def import_plain(path: Path, home: Path, options: ImportOptions) -> ImportReport | None:
    """Import one file directly; None, and nothing is written, where it has to be imported in the other way.

    Raises:
        StoreProblem: the store cannot be used.
        sqlite3.Error: it cannot be written.
    """
    try:
        if options.wide or path.stat().st_size < _LEAST_BYTES:
            return None
        file = look_at_file(path, options.encoding)
        columns = map_columns(file.header, has_symbol=options.symbol is not None)
        rows = plain_rows(file, columns, options)
        if rows is None:
            return None
        STORE.create(home)
        with closing(_opened(home)) as store:
            report = _written(store, rows, options)
            store.execute("COMMIT")
    except (NotPlain, FileProblem, OSError, sqlite3.IntegrityError):
        return None  # what is wrong is found again, and reported, row by row
    if columns.ignored:
        ignored = bounded(", ".join(columns.ignored), _MAX_COLUMNS_SHOWN)
        report.warnings.insert(0, f"{file_name(path)}: ignored columns: {ignored}")
    return report


def _opened(home: Path) -> sqlite3.Connection:
    """The store with its lock held; what is not committed is gone when it is closed."""
    store = sqlite3.connect(STORE.address(home, "rw"), uri=True, isolation_level=None, timeout=_BUSY_S)
    store.execute("BEGIN IMMEDIATE")
    return store


def _written(store: sqlite3.Connection, rows: PlainRows, options: ImportOptions) -> ImportReport:
    known = {symbol for (symbol,) in store.execute("SELECT symbol FROM instruments")}
    name = rows.file.name
    source = store.execute(_WRITE_SOURCE, astuple(origin_of(name, rows.file.sha256, "", options))).lastrowid or 0
    # Columns that the file does not have are left out: to bind them takes as long as those that it has.
    columns = ("symbol", "date", "line", *rows.values)
    insert = f"INSERT INTO bars ({', '.join(columns)}, source_id) VALUES "  # noqa: S608 - names of ours
    row = f"({'?, ' * len(columns)}{source})"
    for block in rows.blocks(known):
        _insert(store, insert, row, block)
        options.progress(f"reading {name}", rows.count)
    counts = rows.counts()
    if not counts or (len(counts) > 1 and options.facts.name):
        raise NotPlain
    store.execute("UPDATE sources SET rows = ? WHERE id = ?", (f"{rows.lines[0]}..{rows.lines[1]}", source))
    facts = options.facts
    given = [(count.symbol, facts.name, facts.exchange, facts.currency, facts.tz) for count in counts]
    store.executemany(_WRITE_INSTRUMENT, given)
    return _reported(store, rows, options)


def _insert(store: sqlite3.Connection, insert: str, row: str, block: Sequence[Column]) -> None:
    """Insert the rows of a block: many by one statement take a third less time than each by its own."""
    width, rows = len(block), len(block[0])
    flat: list[object] = [None] * (width * rows)
    for place, column in enumerate(block):
        flat[place::width] = column
    full, step = rows - rows % _ROWS_AT_ONCE, width * _ROWS_AT_ONCE
    batches = (flat[at : at + step] for at in range(0, width * full, step))
    store.executemany(insert + ", ".join([row] * _ROWS_AT_ONCE), batches)
    store.executemany(insert + row, zip(*(column[full:] for column in block), strict=True))


def _reported(store: sqlite3.Connection, rows: PlainRows, options: ImportOptions) -> ImportReport:
    report = ImportReport(dry_run=False, imported=True, symbols=rows.counts())
    report.warnings.extend(f"{rows.file.name}: {note}" for note in rows.notes.in_words())
    _look_for_errors(store, rows, options, report)
    return report


def _look_for_errors(store: sqlite3.Connection, rows: PlainRows, options: ImportOptions, report: ImportReport) -> None:
    left = options.checked_bars
    odd = [count for count in report.symbols if count.symbol in rows.odd]
    for number, count in enumerate(odd):
        if left <= 0:
            if options.checked_bars:
                report.warnings.append(f"{len(odd) - number} symbols were not checked for errors: finclaw data check")
            return
        options.progress("looking for errors", number, len(odd))
        bars = bars_between(store, count.symbol, date.min, date.max)
        left -= len(bars)
        report.findings.extend(check(count.symbol, bars, options.basis, options.facts.exchange))
