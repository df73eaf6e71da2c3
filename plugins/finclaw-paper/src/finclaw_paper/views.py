"""The views of the local broker: account, positions, orders, and whether the books are consistent."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_cli.sdk import FinanceResult, Method, Reconciled, ToolError
from finclaw_paper import book
from finclaw_paper.book import Account, Order
from finclaw_paper.holdings import Holding, Recomputed, recomputed, shares_unknown
from finclaw_paper.ledger import reading, writing
from finclaw_paper.local import Desk, Placed, settle
from finclaw_paper.money import maybe_text, minus, plus, shown, text, times, total
from finclaw_paper.pricing import Quote, doubts_since, last_quote
from finclaw_paper.results import Citations, listed, order_data, order_units, placed_result
from finclaw_paper.splits import Splits

MOST_ORDERS = 200
_VALUED = Method(
    name="last_close",
    convention="positions at their last stored close; cost is the average cost without fees, to 12 significant digits",
)
_MONEY = ("cash", "reserved", "buying_power", "positions_value", "equity", "starting_cash", "fees_paid")
_NOT_FOUND = Reconciled(state="not_found", is_final=True)
"""The books are read with the lock held: what is not in them did not happen, and will not."""
_UNOPENED = "no order was placed yet: this is the account as it would be opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """The books on the day of the call."""

    account: Account
    books: Recomputed
    splits: Splits
    waiting: tuple[Order, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Valued:
    holding: Holding
    quote: Quote | None
    value: Decimal | None
    notes: tuple[str, ...]


def _opened(connection: sqlite3.Connection | None, desk: Desk) -> Account | None:
    """The account, if it was opened by the day of the call; its first order opens it."""
    if connection is None or not book.orders(connection, desk.day, 1):
        return None
    return book.account(connection)


def _state(desk: Desk) -> _State:
    settled = settle(desk)
    settings, splits = desk.settings, Splits(desk.ctx)
    with reading(desk.ctx.home) as connection:
        opened = _opened(connection, desk)
        if connection is None or opened is None:
            fresh = Account(
                currency=settings.currency, starting_cash=settings.starting_cash, cash=settings.starting_cash
            )
            nothing = Recomputed(cash=fresh.cash)
            later = _earlier(book.latest_day(connection) if connection else None, desk.day)
            return _State(account=fresh, books=nothing, splits=splits, warnings=(*settled, *later, _UNOPENED))
        books = recomputed(opened.starting_cash, book.fills(connection, desk.day), splits)
        orders = [item.as_of(desk.day) for item in book.orders(connection, desk.day, -1)]
        latest = book.latest_day(connection)
    warnings = (*settled, *_differences(opened, desk), *_earlier(latest, desk.day))
    waiting = tuple(item for item in orders if item.status == "accepted")
    return _State(account=opened, books=books, splits=splits, waiting=waiting, warnings=warnings)


def _earlier(latest: date | None, day: date) -> tuple[str, ...]:
    return (f"the books go on after {day}; shown as of that day",) if latest and latest > day else ()


def _differences(opened: Account, desk: Desk) -> tuple[str, ...]:
    settings = desk.settings
    if opened.currency != settings.currency:
        return (f"the account is in {opened.currency}; the setting currency = {settings.currency!r} changes nothing",)
    if opened.starting_cash != settings.starting_cash:
        was, now = text(opened.starting_cash), text(settings.starting_cash)
        return (f"the account was opened with {was}; the setting starting_cash = {now} changes nothing",)
    return ()


def _valued(holding: Holding, state: _State, desk: Desk) -> _Valued:
    symbol, currency = holding.symbol, state.account.currency
    try:
        quote = last_quote(symbol, desk.ctx)
        doubts = doubts_since(symbol, holding.first, desk.ctx)
    except ToolError as error:
        return _Valued(holding=holding, quote=None, value=None, notes=(f"{symbol} has no value: {error}",))
    if quote.instrument.currency != currency:
        note = f"{symbol} has no value: its prices are now in {quote.instrument.currency}, not {currency}"
        return _Valued(holding=holding, quote=None, value=None, notes=(note,))
    notes = (*quote.notes, *_split_notes(holding, state.splits))
    if doubts:
        notes = (*notes, f"{symbol} has no value: its prices are probably wrong: {'; '.join(doubts)}")
    value = None if doubts or not holding.is_known else times(holding.qty, quote.close.price)
    return _Valued(holding=holding, quote=quote, value=value, notes=notes)


def _split_notes(holding: Holding, splits: Splits) -> tuple[str, ...]:
    """Notes on splits since the first fill."""
    if not holding.is_known:
        return (shares_unknown(holding.symbol),)
    days = [day.isoformat() for day in splits.days(holding.symbol, holding.first)]
    if not days:
        return ()
    return (f"{holding.symbol} was split on {', '.join(days)}: shares are counted as they are since",)


def _all_valued(state: _State, desk: Desk) -> list[_Valued]:
    return [_valued(holding, state, desk) for holding in state.books.held()]


def account(desk: Desk) -> FinanceResult:
    """Cash, what of it is free, and what everything is worth."""
    state, citations = _state(desk), Citations()
    valued, currency, books = _all_valued(state, desk), state.account.currency, state.books
    values = [item.value for item in valued if item.value is not None]
    known = len(values) == len(valued)
    reserved = book.reserved_cash(list(state.waiting))
    for item in valued:
        if item.quote is not None:
            citations.id_of(item.quote.close.source)
    data = {
        "broker": "local",
        "currency": currency,
        "cash": text(books.cash),
        "reserved": text(reserved),
        "buying_power": text(minus(books.cash, reserved)),
        "positions_value": text(total(values)) if known else None,
        "equity": text(plus(books.cash, total(values))) if known else None,
        "starting_cash": text(state.account.starting_cash),
        "fees_paid": text(books.fees),
        "open_orders": len(state.waiting),
    }
    return FinanceResult(
        data=data,
        as_of=desk.day.isoformat(),
        tz="UTC",
        units=dict.fromkeys(_MONEY, currency),
        method=_VALUED,
        sources=citations.all(),
        warnings=(*state.warnings, *(note for item in valued for note in item.notes)),
    )


def positions(desk: Desk) -> FinanceResult:
    """The shares held, their cost and their value."""
    state, citations = _state(desk), Citations()
    valued, currency = _all_valued(state, desk), state.account.currency
    money = dict.fromkeys(("cost", "value", "gain"), currency)
    price = dict.fromkeys(("average_cost", "close"), f"{currency}/share")
    return FinanceResult(
        data={"positions": [_position(item, citations) for item in valued]},
        as_of=desk.day.isoformat(),
        tz="UTC",
        units={"qty": "shares", **price, **money},
        method=_VALUED,
        sources=citations.all(),
        warnings=(*state.warnings, *(note for item in valued for note in item.notes)),
    )


def _position(item: _Valued, citations: Citations) -> dict[str, object]:
    holding, quote = item.holding, item.quote
    gain = None if item.value is None else Fraction(item.value) - holding.cost
    return {
        "symbol": holding.symbol,
        "qty": text(holding.qty) if holding.is_known else None,
        "average_cost": shown(holding.average) if holding.average is not None else None,
        "cost": shown(holding.cost),
        "close": text(quote.close.price) if quote else None,
        "session": quote.close.session if quote else None,
        "value": maybe_text(item.value),
        "gain": shown(gain) if gain is not None else None,
        "source": citations.id_of(quote.close.source) if quote else None,
    }


def orders(desk: Desk, status: str) -> FinanceResult:
    """The orders, the latest first."""
    settled, citations = settle(desk), Citations()
    with reading(desk.ctx.home) as connection:
        found = [item.as_of(desk.day) for item in book.orders(connection, desk.day, -1)] if connection else []
        opened = _opened(connection, desk)
    found = [item for item in found if _wanted(item, status)]
    return FinanceResult(
        data={"orders": listed(found[:MOST_ORDERS], citations), "count": len(found)},
        as_of=desk.day.isoformat(),
        tz="UTC",
        units=order_units(opened.currency if opened else desk.settings.currency),
        sources=citations.all(),
        warnings=settled,
        truncated=len(found) > MOST_ORDERS,
    )


def _wanted(order: Order, status: str) -> bool:
    return status == "all" or (status == "open") == (order.status == "accepted")


def became_of(desk: Desk, client_order_id: str) -> Reconciled:
    """What became of an order, asked with the lock held: no other process is just writing it."""
    with reading(desk.ctx.home) as connection:
        if connection is None:
            return _NOT_FOUND
    with writing(desk.ctx.home, desk.given_up) as connection:
        found, opened = book.order(connection, client_order_id), book.account(connection)
    if found is None or opened is None:
        return _NOT_FOUND
    placed = Placed(order=found.as_of(desk.day), duplicate=True)
    return Reconciled(state="done", content=placed_result(placed, opened.currency))


def is_cancelled(desk: Desk, client_order_id: str) -> Reconciled:
    """Whether an order is cancelled, asked with the lock held."""
    answer = became_of(desk, client_order_id)
    is_done = isinstance(answer.content, FinanceResult) and _status(answer.content) == "canceled"
    return answer if is_done else _NOT_FOUND


def _status(result: FinanceResult) -> object:
    return result.data.get("status") if isinstance(result.data, dict) else None


def reconciled(desk: Desk, client_order_id: str | None) -> FinanceResult:
    """What became of one order, and whether cash and positions are what the fills make them."""
    settled, citations = settle(desk), Citations()
    with reading(desk.ctx.home) as connection:
        opened = _opened(connection, desk)
        found = book.order(connection, client_order_id) if connection and client_order_id else None
        latest = book.latest_day(connection) if connection else None
        audit = _audit(connection, desk.day) if connection else {"consistent": True, "orders": 0, "fills": 0}
    data: dict[str, object] = {"books": audit}
    if client_order_id:
        order = order_data(found.as_of(desk.day), citations) if found and found.day <= desk.day else None
        data = {"outcome": "found" if order else "not_found", "order": order, **data}
    return FinanceResult(
        data=data,
        as_of=desk.day.isoformat(),
        tz="UTC",
        units={**order_units(opened.currency), "cash": opened.currency} if opened else {},
        method=Method(name="recomputed", convention="cash = starting cash - bought + sold - fees, over all fills"),
        sources=citations.all(),
        warnings=(*settled, *_earlier(latest, desk.day)),
    )


def _audit(connection: sqlite3.Connection, day: date) -> dict[str, object]:
    """Whether the books are consistent, which only the whole of them shows; the numbers are those up to the day."""
    opened, latest = book.account(connection), book.latest_day(connection)
    orders, fills = book.counts(connection, day)
    if opened is None:
        return {"consistent": True, "orders": orders, "fills": fills}
    cash, wrong = _differing(connection, opened)
    found: dict[str, object] = {"consistent": not wrong, "orders": orders, "fills": fills}
    if latest is None or latest <= day:
        return {**found, "cash": text(cash), "differences": wrong}
    return found


def _differing(connection: sqlite3.Connection, opened: Account) -> tuple[Decimal, list[str]]:
    """The cash by the fills, and where the books differ from them."""
    damage = [row[0] for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
    fills = list(book.fills(connection, date.max))
    books = recomputed(opened.starting_cash, fills)
    kept = {symbol: qty for symbol, qty in book.positions(connection).items() if qty}
    made = {symbol: holding.qty for symbol, holding in books.holdings.items() if holding.qty}
    filled = connection.execute("SELECT count(*) FROM orders WHERE status = 'filled'").fetchone()[0]
    wrong = [
        f"{symbol}: kept {maybe_text(kept.get(symbol))}, by fills {maybe_text(made.get(symbol))}"
        for symbol in sorted(kept | made)
        if kept.get(symbol) != made.get(symbol)
    ]
    if opened.cash != books.cash:
        wrong.append(f"cash: kept {text(opened.cash)}, by fills {text(books.cash)}")
    if filled != len(fills):
        wrong.append(f"{filled} orders are filled, there are {len(fills)} fills")
    return books.cash, [*wrong, *damage]
