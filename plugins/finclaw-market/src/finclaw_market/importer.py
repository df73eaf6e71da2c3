"""`finclaw data import`: read files, say all that is wrong with them, and import all of them or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from finclaw_market.bars import Adjustment, Basis
from finclaw_market.checks import Finding, check
from finclaw_market.columns import Columns, map_columns
from finclaw_market.dates import DateStyle, OrderVotes, style_from
from finclaw_market.numbers import Mark, MarkVotes
from finclaw_market.order import OrderWatch
from finclaw_market.problems import BadCell, FileProblem, StoreProblem
from finclaw_market.progress import Progress, counted, no_progress
from finclaw_market.rowfile import look_at_file
from finclaw_market.rows import Rejection, RowReader, content_of
from finclaw_market.sessions import latest_possible_date
from finclaw_market.signs import SignWatch, fits
from finclaw_market.staging import Facts, Origin, Stage, SymbolCount
from finclaw_market.store import FILE_NAME, STORE, reading
from finclaw_market.textfile import Row
from finclaw_market.wording import bounded, file_name

# Beyond these the report counts and no longer lists.
MAX_CHANGES = 5
_MAX_COLUMNS_SHOWN = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The given facts of the files."""

    symbol: str | None = None
    facts: Facts = field(default_factory=Facts)
    date_format: str | None = None
    decimal: Mark | None = None
    encoding: str | None = None
    adjustment: Adjustment | None = None
    dry_run: bool = False
    replace: bool = False
    skip_bad_rows: bool = False
    sort: bool = False
    """Take rows in any order."""
    kind: str = "file"
    """What results say of the source, with its licence."""
    licence: str = "user"
    progress: Progress = no_progress
    checked_bars: int = 100_000
    """How many bars are looked through for probable errors; the symbols after that are not."""

    @property
    def basis(self) -> Basis:
        return self.adjustment or "unstated"


@dataclass(slots=True, kw_only=True)
class ImportReport:
    """What became of an import, for people and for machines."""

    dry_run: bool
    imported: bool = False
    problems: list[str] = field(default_factory=list)
    """Why nothing was imported, where no single row is to blame."""
    rejected: list[Rejection] = field(default_factory=list)
    """Every bad row, by file and line, with a bounded message."""
    rejected_count: int = 0
    symbols: list[SymbolCount] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """Probable errors among the prices, which do not keep them from being imported."""

    def reject(self, *rejections: Rejection) -> None:
        self.rejected.extend(rejections)
        self.rejected_count = len(self.rejected)


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
        file = look_at_file(path, options.encoding)
        columns = map_columns(file.header)
        if columns.ignored:
            ignored = bounded(", ".join(columns.ignored), _MAX_COLUMNS_SHOWN)
            report.warnings.append(f"{name}: ignored columns: {ignored}")
        rows = counted(file.rows(), f"looking at {name}", options.progress)
        reader, count = _reader(rows, columns, file.delimiter, options)
        rows = counted(file.rows(), f"reading {name}", options.progress, count)
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
    if unsaid := reader.signs.unsaid():
        report.warnings.append(f"{name}: {unsaid}")
    return _Staged(origin=origin, disordered=() if options.sort else tuple(broken), sign=reader.signs.first)


def origin_of(ref: str, sha256: str, rows: str, options: ImportOptions) -> Origin:
    """What the store is to remember of a source that is read now."""
    return Origin(
        kind=options.kind,
        ref=ref,
        sha256=sha256,
        retrieved_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        basis=options.basis,
        licence=options.licence,
        rows=rows,
    )


def _reader(rows: Iterator[Row], columns: Columns, delimiter: str, options: ImportOptions) -> tuple[RowReader, int]:
    """Look through the whole file for what decides how its dates and numbers are read, and count its rows."""
    if options.symbol is None and "symbol" not in columns.at:
        raise FileProblem("no symbol column; say --symbol")
    style = style_from(options.date_format)
    marks, orders, signs = MarkVotes(), OrderVotes(), SignWatch(currency=options.facts.currency)
    numeric = columns.numeric()
    count = 0
    for line, cells in rows:
        count += 1
        if len(cells) != columns.width:
            continue
        orders.look(cells[columns.at["date"]], line)
        for _, index in numeric:
            marks.look(cells[index], line)
            signs.look(cells[index], line)
    if count == 0:
        raise FileProblem("no rows below the header")
    reader = RowReader(
        columns=columns,
        mark=options.decimal or marks.decide(delimiter),
        style=style or DateStyle(order=orders.decide()),
        latest=latest_possible_date(),
        symbol=options.symbol,
        signs=signs,
    )
    return reader, count


def _stage_rows(
    rows: Iterator[Row], name: str, reader: RowReader, to: tuple[int, Stage], report: ImportReport
) -> tuple[tuple[int, int], OrderWatch]:
    """Read every row into the stage or into the report; the first and the last line, and what their order is."""
    watch = OrderWatch()
    number, stage = to
    first = last = 0
    for line, cells in rows:
        first, last = first or line, line
        content = content_of(cells)
        try:
            symbol, bar = reader.read(cells, line)
        except BadCell as error:
            report.reject(Rejection(file=name, line=line, content=content, reason=str(error)))
            continue
        # A file of several symbols may be read for one of them.
        if reader.symbol in {None, symbol}:
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
    stage.write([file.origin for file in files], options.facts)
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
    changed = sum(symbol.changed for symbol in report.symbols)
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
            if not fits(file.sign or "", known):
                report.problems.append(f"{symbol} is stored in {known}; {file.origin.ref} has {file.sign}")
