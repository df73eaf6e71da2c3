"""Positions as the user's books have them on a day: lots with their cost and day of purchase, and stated cash."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from finclaw_analytics.rational import to_decimal
from finclaw_cli.sdk import Source, ToolContext, no_data
from finclaw_ledger.actions import recorded_splits
from finclaw_ledger.books import Booking, Books
from finclaw_ledger.coverage import coverage
from finclaw_ledger.holdings import double_lines, stated_cash, traded
from finclaw_ledger.lots import Lot, positions
from finclaw_ledger.results import cite, omissions
from finclaw_ledger.selection import Extent, extents_of
from finclaw_portfolio.positions import CASH, Position, Positions
from finclaw_portfolio.splits import settled_by_store
from finclaw_portfolio.trades import booked_trades

_SOLD = "more was sold than bought: purchases before the books begin, or sold short"
_SPLIT = "an account that held it across a split on {day} has no row of that; import one"


def booked_positions(books: Books, ctx: ToolContext, account: str | None, as_of: date | None) -> Positions:
    """What the accounts that trade hold at the end of a day.

    Raises:
        ToolError: NO_DATA: the books hold no securities then, or do not reach back to the day.
    """
    last = min(as_of or books.cap, books.cap)
    names = books.accounts(account)
    if all(books.covered(name)[0] > last for name in names):
        raise no_data(f"holdings on {last} are not covered; the books cover {coverage(books, names)}")
    found = _double if books.complete else _single
    return found(books, ctx, names, last)


def _single(books: Books, ctx: ToolContext, names: list[str], last: date) -> Positions:
    trades = booked_trades(books, names)
    items = [item for item in trades.items if item.day <= last]
    rows = settled_by_store(items, ctx, last)
    held = positions(rows.items)
    left_out = dict(rows.unknown)
    for one in held:
        if one.unknown:
            left_out.setdefault(one.symbol, _SOLD)
    lots = [
        _position(one.symbol, lot, trades.place(lot.bought))
        for one in held
        if one.symbol not in left_out
        for lot in one.lots
    ]
    accounts = sorted({item.account for item in items})
    cash, extents, notes = _stated(books, accounts, last, set())
    every = [*extents_of(items), *extents]
    return _found(books, [*lots, *cash], every, (left_out, [*rows.notes, *notes, *_late(books, accounts, last)]))


def _double(books: Books, ctx: ToolContext, names: list[str], last: date) -> Positions:
    items: list[Booking] = list(traded(books).of(names).where("day <= ?", last.isoformat()).bookings())
    lines, _, _ = double_lines(items, recorded_splits(ctx, items, last))
    left_out = {symbol: _SPLIT.format(day=line.split) for (symbol, _), line in lines.items() if not line.is_known}
    lots = [
        Position(
            symbol=symbol,
            quantity=to_decimal(line.quantity),
            cost=None if line.cost is None else to_decimal(line.cost),
            currency=currency or None,
        )
        for (symbol, currency), line in lines.items()
        if line.quantity and symbol not in left_out
    ]
    cash, extents, notes = _stated(books, names, last, {symbol for symbol, _ in lines})
    return _found(books, [*lots, *cash], [*extents_of(items), *extents], (left_out, notes))


def _position(symbol: str, lot: Lot, place: str) -> Position:
    return Position(
        symbol=symbol,
        quantity=to_decimal(lot.units),
        cost=to_decimal(lot.cost),
        currency=lot.bought.currency,
        day=lot.bought.day,
        lot=place,
    )


def _stated(
    books: Books, names: list[str], last: date, symbols: set[str]
) -> tuple[list[Position], list[Extent], list[str]]:
    """Cash of each account on the last day that its files cover, up to a day."""
    found: list[Position] = []
    extents: list[Extent] = []
    notes: list[str] = []
    for name in names:
        first, covered = books.covered(name)
        if first > last:
            continue
        cash, used, missing = stated_cash(books, [name], min(last, covered), symbols)
        found += [
            Position(symbol=CASH, quantity=Decimal(amount), currency=currency)
            for currency, amount in cash.items()
            if Decimal(amount)
        ]
        extents, notes = [*extents, *used], [*notes, *missing]
    return found, extents, notes


def _late(books: Books, accounts: list[str], last: date) -> list[str]:
    ends = [f"{name} {books.covered(name)[1]}" for name in accounts if books.covered(name)[1] < last]
    return [f"trades after these days are not known: {', '.join(ends)}"] if ends else []


def _found(
    books: Books, items: list[Position], extents: list[Extent], notes: tuple[dict[str, str], list[str]]
) -> Positions:
    left_out, warnings = notes
    if not items and not left_out:
        raise no_data("the books hold no securities then")
    sources: tuple[Source, ...] = cite(books, extents)
    return Positions(
        items=tuple(items),
        sources=sources,
        left_out=left_out,
        warnings=(*books.warnings, *warnings, *omissions(books, extents)),
    )
