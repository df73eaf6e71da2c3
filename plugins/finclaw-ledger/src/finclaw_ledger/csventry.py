"""One row of a CSV file as a booking, by what was decided for the whole file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, Mark, check_written_currency, column_key, parse_amount
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.debit_credit import DebitCredit
from finclaw_ledger.entries import KINDS, TRADES, Entry, Kind
from finclaw_ledger.header import Layout
from finclaw_ledger.numbers import plus
from finclaw_ledger.signs import Direction
from finclaw_ledger.trades import Trade, settled
from finclaw_ledger.wording import cleaned

_MONEY = ("amount", "debit", "credit", "balance", "quantity", "price", "fee")
_OF_MONEY = tuple(role for role in _MONEY if role != "quantity")
_NAMED = {"$": "USD", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW"}
"""Signs that stand for a code in the column of currencies."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How each cell of one file is read."""

    layout: Layout
    mark: Mark
    order: str
    account: str | None
    currency: str | None
    debit_credit: DebitCredit
    direction: Direction

    @cached_property
    def money(self) -> tuple[str, ...]:
        """The roles of amounts that the file has columns for."""
        return tuple(role for role in _OF_MONEY if role in self.layout.at)

    @cached_property
    def days(self) -> dict[str, date]:
        """The dates that have been read, by their cells: many bookings are of one day."""
        return {}

    def day(self, cells: list[str]) -> date:
        """The date of a row.

        Raises:
            BadCell: it is none.
        """
        cell = self.layout.cell(cells, "date")
        found = self.days.get(cell)
        if found is None:
            found = self.days[cell] = parse_day(cell, self.order)
        return found

    def number(self, cells: list[str], role: str) -> Decimal | None:
        """The number of a role.

        Raises:
            BadCell: it is none.
        """
        try:
            return parse_amount(self.layout.cell(cells, role), self.mark)
        except BadCell as error:
            raise BadCell(f"{role}: {error}") from None


def entry_of(reading: Reading, cells: list[str], line: int, warnings: list[str]) -> Entry:
    """The booking of a row.

    Raises:
        BadCell: a cell cannot be read.
    """
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
