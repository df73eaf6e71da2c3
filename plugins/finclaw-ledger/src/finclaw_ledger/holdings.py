"""`holdings`: securities by symbol and cash by currency, and the flows that a rate of return needs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact, InvalidOperation
from fractions import Fraction

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.actions import missing_splits, recorded_splits
from finclaw_ledger.balances import standings
from finclaw_ledger.books import Booking, Books
from finclaw_ledger.coverage import coverage
from finclaw_ledger.current_books import ask_books
from finclaw_ledger.flows import CONVENTION, Rows, flows_of
from finclaw_ledger.lots import METHOD, Position, positions, repeated_notes
from finclaw_ledger.numbers import plus
from finclaw_ledger.results import BOOKS_NEEDED, cite, omissions, places
from finclaw_ledger.selection import Extent, Selection, extents_of, own_bookings

_MOST = 200
_MOST_NAMES = 20
_EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
_SHOWN = Context(prec=15)
_NO_VALUE = (
    "no market values: these books hold no prices; ledger_portfolio (finclaw-portfolio) values them at stored closes"
)
_DOUBLE = "beancount's own booking; cost as the lots say it"


@dataclass(slots=True)
class Line:
    """One symbol over all accounts."""

    quantity: Fraction = Fraction(0)
    cost: Fraction | None = Fraction(0)
    realised: Fraction | None = Fraction(0)
    items: list[Booking] = field(default_factory=list)
    split: dt.date | None = None
    """The day of a split that an account held it across without a row of it."""
    is_known: bool = True
    """Whether the units are those that are held."""


@tool(group="data", sensitive=True, read_only=True, idempotent=True, timeout=20, needs=BOOKS_NEEDED)
async def holdings(ctx: ToolContext, date: dt.date | None = None) -> FinanceResult:
    """Quantity and cost of the user's securities, and cash; `quantities` is for risk, `flows` for cashflow_return.

    Args:
        ctx: given by finclaw.
        date: by default the last one covered.
    """
    return await ask_books(ctx, lambda books: _holdings(books, date, ctx))


def _holdings(books: Books, date: dt.date | None, ctx: ToolContext) -> FinanceResult:
    day, warnings = _day(books, date)
    trades = list(traded(books).where("day <= ?", day.isoformat()).bookings())
    # Without a day the question is what is held now, and the books may end before a recorded split.
    splits = recorded_splits(ctx, trades, date or books.cap)
    lines, flows, incomplete = double_lines(trades, splits) if books.complete else _single_lines(trades, splits)
    shown = _held_or_sold(lines)
    cash, cash_rows, notes = stated_cash(books, books.accounts(), date, {symbol for symbol, _ in lines})
    if not shown and not cash:
        raise no_data(f"no securities and no stated cash on {day}; the books cover {coverage(books, books.accounts())}")
    used = [item for line in shown.values() for item in line.items]
    cited = [*extents_of(used), *cash_rows]
    data = {
        "date": day,
        "holdings": [_row(books, key, line) for key, line in list(shown.items())[:_MOST]],
        "quantities": _quantities(shown),
        "cash": cash,
    }
    return FinanceResult(
        data={**data, "flows": flows} if flows else data,
        as_of=day.isoformat(),
        units={"cost": "currency of the row", "realised": "currency of the row", "flows": "date, amount; by currency"},
        method=Method(
            name="holdings",
            convention=f"{_DOUBLE if books.complete else METHOD}; {CONVENTION}; {_since(books)}",
            n=len(used),
        ),
        sources=cite(books, cited),
        warnings=(
            *books.warnings,
            *warnings,
            *notes,
            *_unknown(shown),
            *repeated_notes(trades),
            *incomplete,
            *omissions(books, cited),
            _NO_VALUE,
        ),
        truncated=len(shown) > _MOST,
    )


def traded(books: Books) -> Selection:
    """What was traded, and in double-entry books all that is counted in what was traded."""
    if books.complete:
        lots = "lot IS NOT NULL OR currency IN (SELECT currency FROM seen WHERE lot IS NOT NULL)"
        return own_bookings(books).where(f"({lots})")
    return own_bookings(books).where("kind <> 'payment'").where("symbol IS NOT NULL")


_Lines = dict[tuple[str, str], Line]
_Splits = Mapping[str, Iterable[dt.date]]


def _held_or_sold(lines: _Lines) -> _Lines:
    return {key: line for key, line in sorted(lines.items()) if line.quantity or line.realised}


def double_lines(trades: list[Booking], splits: _Splits) -> tuple[_Lines, dict[str, Rows | None], tuple[str, ...]]:
    """What is held by symbol and currency in double-entry books, which have no flows."""
    return _with_splits(_double(trades), trades, splits), {}, ()


def _single_lines(trades: list[Booking], splits: _Splits) -> tuple[_Lines, dict[str, Rows | None], tuple[str, ...]]:
    """What is held by symbol and currency, the flows, and the currencies without them."""
    found = positions(trades)
    lines = _with_splits(_single(found), trades, splits)
    for line in lines.values():
        # More sold than bought: a short sale or purchases before the books begin, which is not ours to decide.
        line.is_known = line.is_known and line.cost is not None
    return lines, *flows_of(trades, found)


def _with_splits(lines: _Lines, trades: list[Booking], splits: _Splits) -> _Lines:
    missing = missing_splits(trades, splits)
    for (symbol, _), line in lines.items():
        line.split = missing.get(symbol)
        line.is_known = line.split is None
    return lines


def _since(books: Books) -> str:
    first = min(books.covered(name)[0] for name in books.accounts())
    return f"counted from what was traded since {first}: what was held before is not in the books"


def _day(books: Books, asked: dt.date | None) -> tuple[dt.date, list[str]]:
    names = books.accounts()
    last = max(books.covered(name)[1] for name in names)
    day = asked or last
    if day > last or all(books.covered(name)[0] > day for name in names):
        raise no_data(f"holdings on {day} are not covered; the books cover {coverage(books, names)}")
    stale = [name for name in names if not books.covered(name)[0] <= day <= books.covered(name)[1]]
    notes = [f"not covered on {day}: {coverage(books, stale)}"] if stale else []
    return day, notes


def _single(found: list[Position]) -> dict[tuple[str, str], Line]:
    lines: dict[tuple[str, str], Line] = {}
    for one in found:
        line = lines.setdefault((one.symbol, one.currency), Line())
        line.quantity += one.quantity
        line.cost = None if line.cost is None or one.cost is None else line.cost + one.cost
        line.realised = None if line.realised is None or one.unknown else line.realised + one.realised
        line.items += one.items
    return lines


def _double(trades: list[Booking]) -> dict[tuple[str, str], Line]:
    lines: dict[tuple[str, str], Line] = {}
    symbols = {item.currency for item in trades if item.lot}
    for item in trades:
        if item.currency not in symbols:
            continue
        line = lines.setdefault((item.currency, item.lot[1] if item.lot else ""), Line(realised=None))
        line.quantity += Fraction(item.amount)
        line.cost = (
            None if line.cost is None or item.lot is None else line.cost + Fraction(item.amount) * Fraction(item.lot[0])
        )
        line.items.append(item)
    return lines


def _row(books: Books, key: tuple[str, str], line: Line) -> dict[str, object]:
    row: dict[str, object] = {
        "symbol": key[0],
        "quantity": _text(line.quantity) if line.is_known else None,
        "traded": None if line.is_known else _text(line.quantity),
        "cost": None if line.cost is None else _text(line.cost),
        "currency": key[1] or None,
        "realised": None if line.realised is None else _text(line.realised),
        "trades": len(line.items),
        "largest_at": places(books, line.items),
    }
    return {name: value for name, value in row.items() if name in {"cost", "quantity"} or value is not None}


def _text(number: Fraction) -> str:
    """Exact where that is possible; a part of a lot can be periodic and is shown to 15 digits."""
    parts = Decimal(number.numerator), Decimal(number.denominator)
    try:
        found = _EXACT.divide(*parts)
    except Inexact:
        found = _SHOWN.divide(*parts)
    return plain_number(found.normalize(_EXACT) if found else Decimal(0))


def _quantities(shown: dict[tuple[str, str], Line]) -> dict[str, str]:
    unknown = {symbol for (symbol, _), line in shown.items() if not line.is_known}
    totals: dict[str, Fraction] = {}
    for (symbol, _), line in shown.items():
        totals[symbol] = totals.get(symbol, Fraction(0)) + line.quantity
    return {symbol: _text(number) for symbol, number in totals.items() if number and symbol not in unknown}


def _unknown(shown: dict[tuple[str, str], Line]) -> tuple[str, ...]:
    names = [symbol for (symbol, _), line in shown.items() if line.cost is None]
    why = "purchases before the books begin, or sold short; what is held, or its cost, is not known"
    notes = [f"{', '.join(names[:_MOST_NAMES])}: {why}"] if names else []
    how = "what is held is not known; import its row, or a split of 1 where quantities are in new shares already"
    days = {symbol: line.split for (symbol, _), line in shown.items() if line.split}
    split = [
        f"{symbol} was split on {day}, and an account that held it has no row of that: {how}"
        for symbol, day in days.items()
    ]
    return (*notes, *split[:_MOST_NAMES])


def stated_cash(
    books: Books, accounts: list[str], day: dt.date | None, symbols: set[str]
) -> tuple[dict[str, str], list[Extent], list[str]]:
    """Cash by currency over the accounts whose balance is known on that day, or on the last one covered of each.

    Args:
        books: the user's.
        accounts: names of accounts.
        day: None for the last one covered of each account.
        symbols: currencies that are none: what was traded in double-entry books.

    Returns:
        The amounts, the rows they are from, and a warning for accounts without a balance.
    """
    found: dict[str, Decimal] = {}
    used: list[Extent] = []
    missing = set()
    for one in standings(books, accounts, day)[0]:
        if one.balance is None:
            missing.add(one.account)
        elif one.currency not in symbols:
            found[one.currency] = plus(found.get(one.currency, Decimal(0)), one.balance)
            used += one.extents
    notes = [f"cash without {', '.join(sorted(missing))}: no file states its balance"] if missing else []
    return {currency: plain_number(amount) for currency, amount in sorted(found.items())}, used, notes
