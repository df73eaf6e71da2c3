"""Imports what is one number for each key, economic series and exchange rates: all files, or nothing."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Protocol

from finclaw_cli.sdk.render import file_name
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, Row, counted_rows, row_text
from finclaw_market.options import MAX_CHANGES, ImportOptions, ImportReport, origin_of
from finclaw_market.problems import StoreProblem
from finclaw_market.rowfile import RowFile, look_at_file
from finclaw_market.staging import WRITE_SOURCE, Origin, SymbolCount
from finclaw_market.store import FILE_NAME, STORE, holds_series, reading

Key = tuple[str, str, str]
MAX_ROWS = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One number: by what it is known, its exact text (None: known to be missing), and where it stands."""

    key: Key
    value: str | None
    file: int
    line: int
    content: str = ""


class Reader(Protocol):
    """How the rows of one file become entries."""

    def read(self, cells: list[str], line: int) -> Iterator[tuple[Key, str | None]]:
        """The numbers of one row.

        Raises:
            BadCell: the row is invalid; the message has the reason.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where entries of one kind are kept."""

    name: str
    reader: Callable[[RowFile, ImportOptions], Reader]
    find: str
    """SQL: the value of a key."""
    write: str
    """SQL: put in key, value, source and line."""
    prepare: Callable[[sqlite3.Connection, list[str], ImportOptions], None]
    """What must be there before entries are: called with the names they belong to."""
    name_of: Callable[[Key], str]
    day_of: Callable[[Key], str]
    against: Callable[[Key], Key | None] = lambda key: None  # noqa: ARG005 - most numbers stand alone
    """The key of the same value in another form, as of the inverse rate."""
    agree: Callable[[str | None, str | None], bool] = operator.eq
    """Whether two values for the same thing, in either form, agree."""


@dataclass(slots=True, kw_only=True)
class Batch:
    """What is to be stored together, and where it comes from by the number of its file."""

    entries: dict[Key, Entry] = field(default_factory=dict)
    origins: dict[int, Origin] = field(default_factory=dict)


def import_table(paths: Sequence[Path], home: Path, table: Table, options: ImportOptions) -> ImportReport:
    """Import files of one kind into the store of that data folder."""
    report = ImportReport(dry_run=options.dry_run)
    batch = Batch()
    for number, path in enumerate(paths):
        try:
            file = look_at_file(path, options.encoding)
            options.progress(f"looking at {file.name}")
            reader = table.reader(file, options)
            watched = counted_rows(file.rows(), f"reading {file.name}", options.progress)
            rows = _read_file(watched, (number, file.name), reader, batch, report)
            batch.origins[number] = origin_of(file.name, file.sha256, rows, options)
        except FileProblem as error:
            report.problems.append(f"{file_name(path)}: {error}")
        except OSError as error:
            report.problems.append(f"{file_name(path)}: cannot be read: {error.strerror or error}")
    _reject_contradicting(table, batch.entries, [file_name(path) for path in paths], report)
    if report.problems or (report.rejected_count and not options.skip_bad_rows):
        return report
    options.progress("comparing with the store")
    try:
        store_entries(home, table, batch, options, report)
    except (StoreProblem, sqlite3.Error) as error:
        report.problems.append(f"{FILE_NAME}: {error}")
    return report


def _read_file(rows: Iterator[Row], file: tuple[int, str], reader: Reader, batch: Batch, report: ImportReport) -> str:
    number, name = file
    first = last = 0
    for line, cells in rows:
        first, last = first or line, line
        content = row_text(cells)
        try:
            for key, value in reader.read(cells, line):
                _keep(Entry(key=key, value=value, file=number, line=line, content=content), batch.entries)
        except BadCell as error:
            report.reject(Rejection(file=name, line=line, content=content, reason=str(error)))
    if first == 0:
        raise FileProblem("no rows below the header")
    return f"{first}..{last}"


def _keep(entry: Entry, entries: dict[Key, Entry]) -> None:
    before = entries.setdefault(entry.key, entry)
    if before is not entry and before.value != entry.value:
        raise BadCell(f"another value than in line {before.line} for the same date: {entry.value}, not {before.value}")
    if len(entries) > MAX_ROWS:
        raise FileProblem(f"more than {MAX_ROWS:,} values; import fewer at a time")


def _reject_contradicting(table: Table, entries: dict[Key, Entry], names: list[str], report: ImportReport) -> None:
    """Take out the later one of two entries that say different things of the same."""
    for entry in list(entries.values()):
        other = entries.get(table.against(entry.key) or entry.key, entry)
        if other is entry or (other.file, other.line) > (entry.file, entry.line):
            continue
        if not table.agree(other.value, entry.value):
            elsewhere = "" if other.file == entry.file else f"{names[other.file]}, "
            reason = f"contradicts {elsewhere}line {other.line}: {table.name_of(other.key)} at {other.value}"
            report.reject(Rejection(file=names[entry.file], line=entry.line, content=entry.content, reason=reason))
            del entries[entry.key]


def store_entries(home: Path, table: Table, batch: Batch, options: ImportOptions, report: ImportReport) -> None:
    """Compare entries with the store and, unless it is a dry run or is refused, write what is new or changed.

    Raises:
        StoreProblem: the store cannot be used.
        sqlite3.Error: it cannot be written.
    """
    if options.dry_run:
        with reading(home) as stored:
            _compare(stored if stored and holds_series(stored) else None, table, batch.entries, report)
        _refuse(options, report)
        return
    STORE.create(home)
    with closing(sqlite3.connect("", uri=True, timeout=20.0, isolation_level=None)) as store:
        store.execute("ATTACH ? AS store", (STORE.address(home, "rw"),))
        store.execute("BEGIN IMMEDIATE")
        pending = _compare(store, table, batch.entries, report)
        _refuse(options, report)
        if report.problems:
            store.execute("ROLLBACK")
            return
        table.prepare(store, [count.symbol for count in report.symbols], options)
        _write(store, table, pending, batch.origins)
        store.execute("COMMIT")
        report.imported = True


def _compare(
    store: sqlite3.Connection | None, table: Table, entries: dict[Key, Entry], report: ImportReport
) -> list[Entry]:
    """Count the entries by name, and pick those that are not stored already."""
    pending: list[Entry] = []
    odd: list[str] = []
    for name, group in groupby(sorted(entries.values(), key=lambda entry: entry.key), lambda e: table.name_of(e.key)):
        states: list[str] = []
        days: list[str] = []
        for entry in group:
            found = store.execute(table.find, entry.key).fetchone() if store else None
            state = "new" if found is None else "unchanged" if found[0] == entry.value else "changed"
            states.append(state)
            days.append(table.day_of(entry.key))
            if state != "unchanged":
                pending.append(entry)
                odd.extend(_contradicted(store, table, entry))
            if found is not None and state == "changed" and len(report.changes) < MAX_CHANGES:
                report.changes.append(f"{name} {days[-1]}: {found[0] or '-'} → {entry.value or '-'}")
        counts = {state: states.count(state) for state in ("new", "changed", "unchanged")}
        report.symbols.append(SymbolCount(symbol=name, rows=len(states), first=min(days), last=max(days), **counts))
    report.warnings.extend(odd[:MAX_CHANGES])
    return pending


def _contradicted(store: sqlite3.Connection | None, table: Table, entry: Entry) -> Iterator[str]:
    """The contradicting value of the inverse in the store."""
    other = table.against(entry.key)
    found = store.execute(table.find, other).fetchone() if store and other else None
    if other and found and not table.agree(found[0], entry.value):
        name, stored = table.name_of(entry.key), table.name_of(other)
        yield f"{name} {table.day_of(entry.key)}: {entry.value} contradicts the stored {stored} at {found[0]}"


def _refuse(options: ImportOptions, report: ImportReport) -> None:
    if not report.symbols:
        report.problems.append("no rows left to import")
    changed = sum(count.changed for count in report.symbols)
    if changed and not options.replace:
        report.problems.append(f"{changed} stored values would change; say --replace if that is meant")


def _write(store: sqlite3.Connection, table: Table, pending: list[Entry], origins: dict[int, Origin]) -> None:
    sources = {
        number: store.execute(WRITE_SOURCE, astuple(origins[number])).lastrowid
        for number in sorted({entry.file for entry in pending})
    }
    rows = ((*entry.key, entry.value, sources[entry.file], entry.line) for entry in pending)
    store.executemany(table.write, rows)
