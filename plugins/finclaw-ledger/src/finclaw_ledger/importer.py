"""Bringing a statement into the books: looked at first, then written as a whole or not at all."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from pathlib import Path

from finclaw_cli.sdk.render import plain_number
from finclaw_cli.sdk.tabular import FileProblem, Rejection
from finclaw_ledger.continuity import breaks
from finclaw_ledger.csvreader import Given
from finclaw_ledger.entries import Entry
from finclaw_ledger.formats import read_statement
from finclaw_ledger.identity import stored
from finclaw_ledger.met import Met
from finclaw_ledger.names import shown_name
from finclaw_ledger.numbers import plus
from finclaw_ledger.statement import Statement
from finclaw_ledger.statement_writer import account_keys, write_statement
from finclaw_ledger.store import reading, writing
from finclaw_ledger.tally import Tally
from finclaw_ledger.textfile import RawFile
from finclaw_ledger.wording import alias, private

_MOST_BREAKS = 10
_MOST_EXAMPLES = 3


@dataclass(slots=True, kw_only=True)
class Report:
    """What an import did, or would do."""

    file: str
    sha256: str
    how: str
    wrote: bool = False
    read: int = 0
    new: int = 0
    duplicate: int = 0
    categorised: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    accounts: list[str] = field(default_factory=list)
    first: date | None = None
    last: date | None = None
    sums: dict[str, dict[str, str]] = field(default_factory=dict)
    """By currency: money in, money out (negative) and net, of all rows that were read."""
    notes: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    """The first bookings as they were understood."""
    warnings: list[str] = field(default_factory=list)
    """What is odd in the file."""
    profile_problems: list[str] = field(default_factory=list)
    """What is wrong with profiles of the user's."""

    @property
    def bad(self) -> int:
        """How many rows cannot be imported."""
        return len(self.rejected)

    @property
    def bad_rows(self) -> str:
        """The same in words."""
        return "1 row is bad" if self.bad == 1 else f"{self.bad} rows are bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a file is to be imported. `profile` None takes the one that fits best, if one does."""

    profile: str | None = None
    given: Given = field(default_factory=Given)
    write: bool = False
    skip_bad_rows: bool = False


def import_raw(raw: RawFile, home: Path, plan: Plan) -> Report:
    """Read a file, compare it with the books, and write what is new if that is wanted and no row is bad.

    Raises:
        FileProblem: the file cannot be read as a statement.
        BadOption: an option for it is invalid.
        StoreProblem: the books cannot be used.
    """
    with _no_cycles_made():
        return _imported(raw, home, plan)


@contextmanager
def _no_cycles_made() -> Iterator[None]:
    """Do not look for cycles of references: reading makes none, and going through all rows again takes a third more."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _imported(raw: RawFile, home: Path, plan: Plan) -> Report:
    statement = read_statement(raw, home, plan.profile, plan.given)
    if statement.shown_only and plan.write:
        raise FileProblem(f"nothing is written: {statement.shown_only}")
    report, found = _described(raw, statement), Met()
    if plan.write and (plan.skip_bad_rows or not statement.rejected):
        with writing(home) as connection:
            write_statement(connection, raw, statement, found)
        report.wrote = True
    else:
        with reading(home) as connection:
            if connection is None:
                found.new = len(statement.entries)
            else:
                deque(found.met(connection, stored(statement.entries)), maxlen=0)
    report.new, report.duplicate, report.categorised = found.new, found.duplicate, found.categorised
    return report


def _described(raw: RawFile, statement: Statement) -> Report:
    entries, spans = statement.entries, statement.entries.tally.spans.values()
    interim = [f"only shown: {statement.shown_only}"] if statement.shown_only else []
    # The balances of MT940 are reckoned from the opening one; the closing one was held against them.
    has_running = entries.tally.has_balances and statement.how != "mt940"
    return Report(
        file=shown_name(raw.name),
        sha256=raw.sha256,
        how=statement.how,
        read=len(entries) + len(statement.rejected),
        rejected=[_hidden(row) for row in statement.rejected],
        accounts=sorted({alias(key) for key in account_keys(statement)}),
        first=min((span.first for span in spans), default=None),
        last=max((span.last for span in spans), default=None),
        sums=_sums(entries.tally),
        notes=statement.notes,
        examples=[_example(entry) for entry in islice(entries, _MOST_EXAMPLES)],
        warnings=[*interim, *statement.warnings, *(_balance_breaks(entries) if has_running else ())],
        profile_problems=statement.profile_problems,
    )


def _example(entry: Entry) -> str:
    what = " ".join(part for part in (entry.symbol, entry.payee or entry.memo) if part)
    shown = f"line {entry.line}: {entry.day} {plain_number(entry.amount)} {entry.currency} {entry.kind}"
    return private(f"{shown}: {what}" if what else shown)


def _hidden(row: Rejection) -> Rejection:
    return replace(row, content=private(row.content), reason=private(row.reason))


def _sums(tally: Tally) -> dict[str, dict[str, str]]:
    sums: dict[str, dict[str, str]] = {}
    for currency, (came, went) in tally.sums.items():
        found = {"in": came, "out": went, "net": plus(came, went)}
        sums[currency] = {side: plain_number(number) for side, number in found.items()}
    return sums


def _balance_breaks(entries: Iterable[Entry]) -> list[str]:
    """One line for each booking whose balance is not the one before plus its amount; the first ten and a count."""
    found = [
        f"line {entry.line}: balance {plain_number(balance)} of {alias(entry.account)} is not {plain_number(before)} "
        f"before plus {plain_number(entry.amount)} = {plain_number(plus(before, entry.amount))}"
        for entry, balance, before in breaks(entries, lambda entry: (entry.account, entry.currency))
    ]
    more = len(found) - _MOST_BREAKS
    note = [f"{more} more balances do not agree with their amounts"] if more > 0 else []
    return found[:_MOST_BREAKS] + note
