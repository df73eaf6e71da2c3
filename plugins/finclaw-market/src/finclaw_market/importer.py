"""`finclaw data import`: read files, say all that is wrong with them, and import all of them or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.render import bounded, file_name
from finclaw_cli.sdk.tabular import (
    BadCell,
    FileProblem,
    Rejection,
    Row,
    counted_rows,
    row_text,
    sign_fits,
)
from finclaw_market.cells import cells_of
from finclaw_market.checks import check
from finclaw_market.columns import Columns, map_columns
from finclaw_market.direct import import_plain
from finclaw_market.layouts import by_column, by_symbol
from finclaw_market.options import MAX_CHANGES, ImportOptions, ImportReport, origin_of
from finclaw_market.order import OrderWatch
from finclaw_market.problems import StoreProblem
from finclaw_market.rowfile import RowFile, look_at_file
from finclaw_market.rows import RowReader
from finclaw_market.staging import Origin, Stage
from finclaw_market.store import FILE_NAME, STORE, reading

_MAX_COLUMNS_SHOWN = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Staged:
    """One file whose rows wait in the stage."""

    origin: Origin
    disordered: tuple[str, ...]
    """The symbols whose rows must be put in order, or rejected."""
    sign: str | None
    """The currency sign before its prices."""


def import_files(paths: Sequence[Path], home: Path, options: ImportOptions) -> ImportReport:
    """Import price files into the store of that data folder."""
    report = ImportReport(dry_run=options.dry_run)
    try:
        if len(paths) == 1 and not options.dry_run and (done := import_plain(paths[0], home, options)) is not None:
            return done
        with closing(Stage()) as stage:
            _import(paths, stage, home, options, report)
    except (StoreProblem, sqlite3.Error) as error:
        report.problems.append(f"{FILE_NAME}: {error}")
    return report


def _import(paths: Sequence[Path], stage: Stage, home: Path, options: ImportOptions, report: ImportReport) -> None:
    names = [file_name(path) for path in paths]
    files = [_staged(path, number, stage, options, report) for number, path in enumerate(paths)]
    options.progress("looking for repeated rows")
    report.reject(*stage.take_duplicates(names))
    for number, file in enumerate(files):
        for symbol in file.disordered if file else ():
            report.reject(*stage.take_out_of_order(symbol, number, names))
    report.rejected.sort(key=lambda row: (names.index(row.file), row.line))
    if report.problems or (report.rejected_count and not options.skip_bad_rows):
        return
    _merge(stage, [file for file in files if file], home, options, report)


def _staged(path: Path, number: int, stage: Stage, options: ImportOptions, report: ImportReport) -> _Staged | None:
    name = file_name(path)
    try:
        file: RowFile = look_at_file(path, options.encoding)
        file = by_column(file) if options.wide else by_symbol(file)
        columns = map_columns(file.header, has_symbol=options.symbol is not None)
        if columns.ignored:
            ignored = bounded(", ".join(columns.ignored), _MAX_COLUMNS_SHOWN)
            report.warnings.append(f"{name}: ignored columns: {ignored}")
        rows = counted_rows(file.rows(), f"looking at {name}", options.progress)
        reader = _reader(rows, columns, file.delimiter, options)
        rows = counted_rows(file.rows(), f"reading {name}", options.progress, reader.cells.rows)
        lines, watch = _stage_rows(rows, file.name, reader, (number, stage), report)
        broken = watch.broken()
    except FileProblem as error:
        report.problems.append(f"{name}: {error}")
        return None
    except OSError as error:
        report.problems.append(f"{name}: cannot be read: {error.strerror or error}")
        return None
    if options.sort:
        report.warnings.extend(
            f"{name}: {symbol}: rows are out of order ({count} times); imported by date"
            for symbol, count in broken.items()
        )
    origin = origin_of(name, file.sha256, f"{lines[0]}..{lines[1]}", options)
    report.warnings.extend(f"{name}: {note}" for note in reader.notes.in_words())
    if unsaid := reader.cells.signs.unsaid():
        report.warnings.append(f"{name}: {unsaid}")
    return _Staged(origin=origin, disordered=() if options.sort else tuple(broken), sign=reader.cells.signs.first)


def _reader(rows: Iterator[Row], columns: Columns, delimiter: str, options: ImportOptions) -> RowReader:
    if options.symbol is None and "symbol" not in columns.at:
        raise FileProblem("no symbol column; say --symbol")
    numbers = [index for _, index in columns.numeric()]
    cells = cells_of(rows, delimiter, columns.width, ([columns.at["date"]], numbers), options)
    if cells.rows == 0:
        raise FileProblem("no rows below the header")
    return RowReader(columns=columns, cells=cells, symbol=options.symbol)


def _stage_rows(
    rows: Iterator[Row], name: str, reader: RowReader, to: tuple[int, Stage], report: ImportReport
) -> tuple[tuple[int, int], OrderWatch]:
    """Read every row into the stage or into the report; the first and the last line, and what their order is."""
    watch = OrderWatch()
    number, stage = to
    first = last = 0
    for line, cells in rows:
        first, last = first or line, line
        content = row_text(cells)
        try:
            found = reader.read(cells, line)
        except BadCell as error:
            report.reject(Rejection(file=name, line=line, content=content, reason=str(error)))
            continue
        # A file of several symbols may be read for one of them.
        if found is not None and reader.symbol in {None, (symbol := found[0])}:
            bar = found[1]
            watch.step(symbol, bar.day)
            stage.add(symbol, bar, number, content)
    return (first, last), watch


def _merge(stage: Stage, files: list[_Staged], home: Path, options: ImportOptions, report: ImportReport) -> None:
    if options.dry_run:
        with reading(home) as stored:
            stage.attach(home if stored else None, "ro")
    else:
        STORE.create(home)
        stage.attach(home, "rw")
    options.progress("comparing with the store")
    report.symbols = stage.compare(options.basis)
    report.changes = stage.changes(options.basis, MAX_CHANGES)
    _look_for_errors(stage, options, report)
    _refuse(stage, options, report)
    _refuse_signs(stage, files, options, report)
    if report.problems or options.dry_run:
        stage.rollback()
        return
    options.progress("writing")
    undone = stage.write([file.origin for file in files], options.facts)
    report.warnings.extend(f"{symbol}: its repairs are undone, because stored bars changed" for symbol in undone)
    stage.commit()
    report.imported = True


def _look_for_errors(stage: Stage, options: ImportOptions, report: ImportReport) -> None:
    left = options.checked_bars
    for number, count in enumerate(report.symbols):
        if left <= 0:
            if options.checked_bars:
                unchecked = len(report.symbols) - number
                report.warnings.append(f"{unchecked} symbols were not checked for errors: finclaw data check")
            return
        options.progress("looking for errors", number, len(report.symbols))
        bars = stage.series_of(count.symbol)
        left -= len(bars)
        exchange = options.facts.exchange or stage.exchange_of(count.symbol)
        report.findings.extend(check(count.symbol, bars, options.basis, exchange))


def _refuse(stage: Stage, options: ImportOptions, report: ImportReport) -> None:
    if not report.symbols:
        report.problems.append("no rows left to import" + (f" for {options.symbol}" if options.symbol else ""))
    if len(report.symbols) > 1 and options.facts.name:
        report.problems.append(f"--name is for one symbol; the files have {len(report.symbols)}")
    if options.replace:
        return
    report.problems.extend(f"{line}; say --replace" for line in stage.currency_conflicts(options.facts.currency))
    changed = stage.overwritten(may_state=options.may_state)
    if changed:
        report.problems.append(
            f"{changed} stored bars would change (prices, or how they are adjusted); say --replace if that is meant"
        )


def _refuse_signs(stage: Stage, files: list[_Staged], options: ImportOptions, report: ImportReport) -> None:
    """Check that a file without a currency does not contradict the stored one."""
    if options.facts.currency is not None:
        return
    for number, file in enumerate(files):
        for symbol, known in stage.stored_currencies(number) if file.sign else ():
            if not sign_fits(file.sign or "", known):
                report.problems.append(f"{symbol} is stored in {known}; {file.origin.ref} has {file.sign}")
