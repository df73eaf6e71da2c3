"""From one row of a CSV file to a booking, cell by cell."""

from __future__ import annotations

from decimal import Decimal

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, check_written_currency, column_key
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.entries import KINDS, TRADES, Entry, Kind
from finclaw_ledger.header import Layout
from finclaw_ledger.numbers import plus
from finclaw_ledger.reading import Reading
from finclaw_ledger.trades import Trade, settled
from finclaw_ledger.wording import cleaned

_NAMED = {"$": "USD", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW"}
"""Signs that stand for a code in the column of currencies."""
Labels = tuple[str | None, Kind]
"""Category and kind."""


def row_entry(reading: Reading, cells: list[str], line: int, warnings: list[str]) -> Entry:
    """The booking of a row; what is odd about it is added to the warnings.

    Raises:
        BadCell: it is no booking, with the reason.
    """
    layout = reading.layout
    if len(cells) < max(layout.at.values()) + 1 or len(cells) > len(layout.header) + 1:
        raise BadCell(f"{len(cells)} cells where the header has {len(layout.header)}")
    day = reading.day(cells)
    kind = kind_of(layout, layout.cell(cells, "kind"))
    trade = _trade(reading, cells, kind) if layout.profile.has_trades() else Trade(cash=_with_fee(reading, cells))
    payee, memo = _payee(layout, cells, trade.cash), cleaned(layout.cell(cells, "memo"))
    category, kind = ruled(layout, f"{payee} {memo}", (cleaned(layout.cell(cells, "category")) or None, kind))
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
    return reading.direction.signed(layout.profile, layout.cell(cells, "direction"), amount)


def _currency(reading: Reading, cells: list[str]) -> str:
    found = currency_named(reading, reading.layout.cell(cells, "currency"))
    for role in reading.money:
        check_written_currency(reading.layout.cell(cells, role), found)
    return found


def currency_named(reading: Reading, cell: str) -> str:
    """The currency that a cell names, or that of the file.

    Raises:
        BadCell: it is none.
    """
    found = cell or (reading.currency or "")
    if not found:
        raise BadCell("no currency")
    return _NAMED.get(found) or currency_of(found)


def kind_of(layout: Layout, word: str) -> Kind:
    """The kind that a word of the file means.

    Raises:
        BadCell: it is none, in a file of trades.
    """
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


def ruled(layout: Layout, text: str, own: Labels) -> Labels:
    """Category and kind by the first rule of the profile that a text fits; where none does, those of the row."""
    lowered = text.casefold()
    for rule in layout.profile.category:
        if rule.match.casefold() in lowered:
            return rule.name, rule.kind or own[1]
    return own


def _trade(reading: Reading, cells: list[str], kind: Kind) -> Trade:
    symbol = cleaned(reading.layout.cell(cells, "symbol")).upper()
    numbers = {role: reading.number(cells, role) for role in ("quantity", "price", "fee", "amount")}
    if kind in TRADES and not symbol:
        raise BadCell(f"a {kind} without a symbol")
    return settled(kind, symbol or None, numbers)
