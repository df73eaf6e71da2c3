"""From the rows of a CSV file to bookings: what decides how cells are read is settled once, before any row is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import itemgetter

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import (
    BadCell,
    FileProblem,
    Mark,
    MarkVotes,
    OrderVotes,
    column_key,
    parse_amount,
    read_rows,
)
from finclaw_ledger.batches import plain_entries
from finclaw_ledger.blocks import Block
from finclaw_ledger.csvrow import row_entry
from finclaw_ledger.csvrows import booked_rows
from finclaw_ledger.debit_credit import DebitCredit, Pair
from finclaw_ledger.entries import Entry
from finclaw_ledger.header import Layout, blocks_below
from finclaw_ledger.names import shown_name
from finclaw_ledger.reading import NUMBERS, Reading
from finclaw_ledger.signs import Sign, direction_of
from finclaw_ledger.statement import Statement
from finclaw_ledger.textfile import RawFile
from finclaw_ledger.wording import private

_MARKS: tuple[Mark, Mark] = (".", ",")
_FEES = {"fee", "fees", "commission", "gebühr", "gebühren", "poplatek", "수수료", "totalfees"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The user's options, which take precedence over the profile."""

    account: str | None = None
    currency: str | None = None
    decimal: Mark | None = None
    date_format: str | None = None
    encoding: str | None = None
    sign: Sign | None = None
    columns: Mapping[str, int] | None = None
    """The number of the column of each role, the first being 1: for files without a header."""


def read_csv(raw: RawFile, layout: Layout, given: Given) -> Statement:
    """All bookings of a file, from the oldest to the newest.

    Raises:
        FileProblem: it cannot be split into cells, nothing decides how amounts or dates are read, or the account or the
            currency is not known.
    """
    booked = booked_rows(layout, blocks_below(raw, layout))
    layout = replace(layout, blocks=booked.blocks)
    reading, notes = _decide(layout, given)
    found = Statement(how=layout.profile.name, notes=[*notes, *booked.notes()], warnings=booked.warnings())
    found.warnings += [*_unread_fees(layout), *filter(None, [reading.direction.warning])]
    _read(reading, booked.blocks, found)
    found.entries.turn_round()
    return found


def _read(reading: Reading, blocks: list[Block], found: Statement) -> None:
    """Add the bookings of rows to a statement; bad rows are added to the rejected ones."""
    blocks.reverse()
    while blocks:
        # Taken out of the list, so that the cells of a file are not held beside its bookings.
        found.entries.extend(_entries(reading, blocks.pop(), found))


def _entries(reading: Reading, block: Block, found: Statement) -> Iterable[Entry]:
    read = partial(row_entry, reading, warnings=found.warnings)
    entries = plain_entries(reading, block)
    return read_rows(block.rows(), read, found.rejected, shown=private) if entries is None else entries


def _unread_fees(layout: Layout) -> Iterator[str]:
    """Columns of fees that the profile does not read although they have amounts."""
    for index, name in enumerate(layout.header):
        if column_key(name) not in _FEES or index in layout.at.values():
            continue
        if any(set(cell) & set("123456789") for block in layout.blocks for cell in block.column(index)):
            yield f"the column {_column(name)} has amounts and is not read: are they in the amounts already?"


def _decide(layout: Layout, given: Given) -> tuple[Reading, list[str]]:
    profile = layout.profile
    mark, why_mark = _mark(layout, given)
    order, why_order = _order(layout, given)
    account = given.account or profile.account
    if account is None and "account" not in layout.at:
        raise FileProblem("the file does not say whose account it is; say --account NAME")
    currency = given.currency or profile.currency or layout.currency
    if currency is None and "currency" not in layout.at:
        raise FileProblem("the file has no currency column; say --currency, e.g. EUR")
    debit_credit = DebitCredit(_pairs(layout, mark))
    direction = direction_of(layout, mark, given.sign)
    notes = [
        *layout_notes(layout),
        *debit_credit.notes,
        f"decimal mark {mark!r} ({why_mark}); dates {order} ({why_order})",
        *([f"sign: {direction.why}"] if direction.why else []),
    ]
    reading = Reading(
        layout=layout, mark=mark, order=order, account=account, currency=currency, debit_credit=debit_credit,
        direction=direction,
    )  # fmt: skip
    return reading, notes


def _pairs(layout: Layout, mark: Mark) -> Iterator[Pair]:
    """The amounts of two columns, of the rows that have them."""
    if "debit" not in layout.at and "credit" not in layout.at:
        return
    debits, credits_ = (chain.from_iterable(layout.columns(role)) for role in ("debit", "credit"))
    for debit, credit in zip(debits, credits_, strict=True):
        with suppress(BadCell):
            yield parse_amount(debit, mark), parse_amount(credit, mark)


def layout_notes(layout: Layout) -> list[str]:
    """Where the header stands and what its columns are taken for."""
    roles = ", ".join(f"{role} = {_column(layout.header[index])}" for role, index in layout.at.items())
    rest = [_column(name) for index, name in enumerate(layout.header) if name and index not in layout.at.values()]
    begins = f"header in line {layout.header_line}" if layout.profile.has_header else "no header: columns have numbers"
    return [
        f"{begins}, {layout.encoding}, separated by {layout.delimiter!r}",
        f"columns: {roles}" + (f"; not read: {', '.join(rest)}" if rest else ""),
    ]


def _column(name: str) -> str:
    # A file without a header can have bookings where its names would be.
    return quoted(shown_name(name))


def _mark(layout: Layout, given: Given) -> tuple[Mark, str]:
    if given.decimal:
        return given.decimal, "as given"
    if layout.profile.decimal:
        return layout.profile.decimal, f"profile {layout.profile.name}"
    try:
        return _voted(layout, lambda _: True)
    except FileProblem:
        # What is no number in either way is no evidence; its row is rejected for it.
        return _voted(layout, _is_amount)


def _voted(layout: Layout, counts: Callable[[str], bool]) -> tuple[Mark, str]:
    # What a cell shows is the same in each of its rows; the first evidence in the file is named.
    votes = MarkVotes()
    for block in layout.blocks:
        first = [layout.first_lines(block, role).items() for role in NUMBERS]
        found = [(line, at, cell) for at, cells in enumerate(first) for cell, line in cells if votes.may_add(cell)]
        for line, _, cell in sorted(found):
            if counts(cell):
                votes.look(cell, line)
    return votes.decide()


def _is_amount(cell: str) -> bool:
    for mark in _MARKS:
        with suppress(BadCell):
            parse_amount(cell, mark)
            return True
    return False


def _order(layout: Layout, given: Given) -> tuple[str, str]:
    if given.date_format:
        return given.date_format, "as given"
    if layout.profile.date_format:
        return layout.profile.date_format, f"profile {layout.profile.name}"
    votes = OrderVotes()
    for block in layout.blocks:
        for cell, line in sorted(layout.first_lines(block, "date").items(), key=itemgetter(1)):
            votes.look(cell, line)
    order, why = votes.decide()
    return order or "YMD", why
