"""From the rows of a CSV file to bookings: what decides how cells are read is settled once, before any row is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import pairwise

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import (
    BadCell,
    FileProblem,
    Mark,
    MarkVotes,
    OrderVotes,
    Row,
    check_written_currency,
    column_key,
    parse_amount,
    read_rows,
)
from finclaw_ledger.csvrows import booked_rows
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.debit_credit import DebitCredit, Pair
from finclaw_ledger.entries import KINDS, TRADES, Entry, Kind, Statement
from finclaw_ledger.header import Layout
from finclaw_ledger.names import shown_name
from finclaw_ledger.numbers import plus
from finclaw_ledger.reading import NUMBERS, Reading
from finclaw_ledger.signs import Sign, direction_of
from finclaw_ledger.trades import Trade, settled
from finclaw_ledger.wording import cleaned, private

_MARKS: tuple[Mark, Mark] = (".", ",")
_FEES = {"fee", "fees", "commission", "gebühr", "gebühren", "poplatek", "수수료", "totalfees"}
_NAMED = {"$": "USD", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW"}
"""Signs that stand for a code in the column of currencies."""


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


def read_csv(layout: Layout, given: Given) -> Statement:
    """All bookings of a file, from the oldest to the newest.

    Raises:
        FileProblem: nothing decides how amounts or dates are read, or the account or the currency is not known.
    """
    booked = booked_rows(layout)
    reading, notes = _decide(replace(layout, rows=booked.rows), given)
    found = Statement(how=layout.profile.name, notes=[*notes, *booked.notes()], warnings=booked.warnings())
    found.warnings += [*_unread_fees(layout, booked.rows), *filter(None, [reading.direction.warning])]
    read = partial(_entry, reading, warnings=found.warnings)
    found.entries = oldest_first(list(read_rows(booked.rows, read, found.rejected, shown=private)))
    return found


def _unread_fees(layout: Layout, rows: list[Row]) -> Iterator[str]:
    """Columns of fees that the profile does not read although they have amounts."""
    for index, name in enumerate(layout.header):
        if column_key(name) not in _FEES or index in layout.at.values():
            continue
        if any(set(cells[index]) & set("123456789") for _, cells in rows if index < len(cells)):
            yield f"the column {_column(name)} has amounts and is not read: are they in the amounts already?"


def oldest_first(entries: list[Entry]) -> list[Entry]:
    """Bookings in the order in which they happened: a file that begins with the newest is turned round."""
    pairs = list(pairwise(entries))
    falling = sum(later.day < earlier.day for earlier, later in pairs)
    rising = sum(later.day > earlier.day for earlier, later in pairs)
    return sorted(reversed(entries) if falling > rising else entries, key=lambda entry: entry.day)


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
    direction = direction_of(layout, layout.rows, mark, given.sign)
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
    for _, cells in layout.rows:
        with suppress(BadCell):
            yield parse_amount(layout.cell(cells, "debit"), mark), parse_amount(layout.cell(cells, "credit"), mark)


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
    votes = MarkVotes()
    roles = [role for role in NUMBERS if role in layout.at]
    for line, cells in layout.rows:
        for role in roles:
            cell = layout.cell(cells, role)
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
    for line, cells in layout.rows:
        votes.look(layout.cell(cells, "date"), line)
    order, why = votes.decide()
    return order or "YMD", why


def _entry(reading: Reading, cells: list[str], line: int, warnings: list[str]) -> Entry:
    layout = reading.layout
    if len(cells) < max(layout.at.values()) + 1 or len(cells) > len(layout.header) + 1:
        raise BadCell(f"{len(cells)} cells where the header has {len(layout.header)}")
    day = reading.day(cells)
    kind = _kind(layout, cells)
    trade = _trade(reading, cells, kind) if layout.profile.has_trades() else Trade(cash=_with_fee(reading, cells))
    payee, memo = _payee(layout, cells, trade.cash), cleaned(layout.cell(cells, "memo"))
    category, kind = _category(layout, cells, f"{payee} {memo}", kind)
    if trade.note:
        warnings.append(f"line {line}: {trade.note}")
    return Entry(
        line=line,
        day=day,
        amount=trade.cash,
        currency=_currency(reading, cells),
        account=cleaned(layout.cell(cells, "account")) or reading.account or _no_account(),
        payee=payee,
        memo=memo,
        category=category,
        kind=kind,
        balance=reading.number(cells, "balance"),
        symbol=trade.symbol,
        quantity=trade.quantity,
        price=trade.price,
        fee=trade.fee,
    )


def _no_account() -> str:
    raise BadCell("no account in this row; say --account NAME")


def _payee(layout: Layout, cells: list[str], amount: Decimal) -> str:
    """The other party: of money in the one who pays, where the file has a column for it."""
    payer = cleaned(layout.cell(cells, "payer")) if amount > 0 else ""
    return payer or cleaned(layout.cell(cells, "payee"))


def _with_fee(reading: Reading, cells: list[str]) -> Decimal:
    """The amount of a row and the fee that left the account beside it."""
    amount, fee = _amount(reading, cells), reading.number(cells, "fee")
    return plus(amount, abs(fee).copy_negate()) if fee else amount


def _amount(reading: Reading, cells: list[str]) -> Decimal:
    layout = reading.layout
    amount = reading.number(cells, "amount")
    if "amount" not in layout.at:
        return reading.debit_credit.amount(reading.number(cells, "debit"), reading.number(cells, "credit"))
    if amount is None:
        raise BadCell("no amount")
    return reading.direction.signed(layout, cells, amount)


def _currency(reading: Reading, cells: list[str]) -> str:
    found = reading.layout.cell(cells, "currency") or (reading.currency or "")
    if not found:
        raise BadCell("no currency")
    found = _NAMED.get(found) or currency_of(found)
    for role in reading.money:
        check_written_currency(reading.layout.cell(cells, role), found)
    return found


def _kind(layout: Layout, cells: list[str]) -> Kind:
    word = layout.cell(cells, "kind")
    if not word:
        return "payment"
    key = column_key(word)
    for kind, words in layout.profile.kinds.items():
        if key in {column_key(one) for one in words}:
            return kind
    if key in KINDS:
        return next(kind for kind in KINDS if kind == key)
    if layout.profile.has_trades():
        raise BadCell(f"kind {quoted(word)} is none of {', '.join(KINDS)}; say it in a profile's [kinds]")
    return "payment"


def _category(layout: Layout, cells: list[str], text: str, kind: Kind) -> tuple[str | None, Kind]:
    own = cleaned(layout.cell(cells, "category"))
    lowered = text.casefold()
    for rule in layout.profile.category:
        if rule.match.casefold() in lowered:
            return rule.name, rule.kind or kind
    return own or None, kind


def _trade(reading: Reading, cells: list[str], kind: Kind) -> Trade:
    symbol = cleaned(reading.layout.cell(cells, "symbol")).upper()
    numbers = {role: reading.number(cells, role) for role in ("quantity", "price", "fee", "amount")}
    if kind in TRADES and not symbol:
        raise BadCell(f"a {kind} without a symbol")
    return settled(kind, symbol or None, numbers)
