"""What stands in the books: orders, fills, cash and positions, as rows and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, cast

from finclaw_cli.sdk import Instrument, Source
from finclaw_paper.clock import stamp
from finclaw_paper.money import maybe_text, minus, plus, text, times, total
from finclaw_paper.request import OrderRequest, OrderType, Side, Tif

Status = Literal["accepted", "filled", "canceled", "expired"]
_ORDER = """
SELECT o.client_order_id, o.symbol, o.side, o.type, o.tif, o.qty, o.notional, o.limit_price, o.request_hash, o.status,
    o.day, o.seen, o.submitted_at, o.closed_at, o.note, o.fee, o.value, f.qty, f.price, f.fee, f.session, f.day,
    f.filled_at, f.source
FROM orders o LEFT JOIN fills f ON f.client_order_id = o.client_order_id
"""
_NEW_ORDER = """
INSERT INTO orders (client_order_id, request_hash, symbol, side, type, tif, qty, notional, limit_price, value, fee,
    status, day, seen, submitted_at)
VALUES (:client_order_id, :request_hash, :symbol, :side, :type, :tif, :qty, :notional, :limit_price, :value, :fee,
    :status, :day, :seen, :submitted_at)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """One execution: `qty` shares at `price`, the close of `session`; `day` is the day the books were at."""

    symbol: str
    side: Side
    qty: Decimal
    price: Decimal
    fee: Decimal
    session: date
    day: date
    filled_at: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order and what became of it."""

    client_order_id: str
    request: OrderRequest
    request_hash: str
    status: Status
    day: date
    seen: date
    """The last session whose close was tried; of a canceled order the day on which it was canceled."""
    submitted_at: str
    closed_at: str | None = None
    note: str | None = None
    fee: Decimal
    value: Decimal
    """What it counts for in the day's limit."""
    fill: Fill | None = None

    def as_of(self, day: date) -> Order:
        """The order as it stood on a day: what became of it later is not shown."""
        filled_later = self.fill is not None and self.fill.day > day
        if filled_later or (self.status in {"expired", "canceled"} and self.seen > day):
            return replace(self, status="accepted", fill=None, note=None, closed_at=None)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The account's own row; money in `currency`."""

    currency: str
    starting_cash: Decimal
    cash: Decimal


def account(connection: sqlite3.Connection) -> Account | None:
    """The account, once it has been opened."""
    row = connection.execute("SELECT currency, starting_cash, cash FROM account").fetchone()
    return None if row is None else Account(currency=row[0], starting_cash=Decimal(row[1]), cash=Decimal(row[2]))


def open_account(connection: sqlite3.Connection, currency: str, cash: Decimal, moment: datetime) -> None:
    """Open the account with that much cash."""
    values = (currency, text(cash), text(cash), stamp(moment))
    sql = "INSERT INTO account (id, currency, starting_cash, cash, opened_at) VALUES (1, ?, ?, ?, ?)"
    connection.execute(sql, values)


def order(connection: sqlite3.Connection, client_order_id: str) -> Order | None:
    """The order of that id."""
    found = connection.execute(f"{_ORDER} WHERE o.client_order_id = ?", (client_order_id,)).fetchone()
    return None if found is None else _order(found)


def orders(connection: sqlite3.Connection, until: date, limit: int) -> list[Order]:
    """The orders up to that day, the latest first."""
    sql = f"{_ORDER} WHERE o.day <= ? ORDER BY o.id DESC LIMIT ?"
    return [_order(row) for row in connection.execute(sql, (until.isoformat(), limit))]


def counts(connection: sqlite3.Connection, until: date) -> tuple[int, int]:
    """How many orders and how many fills there are up to that day."""
    sql = "SELECT (SELECT count(*) FROM orders WHERE day <= ?1), (SELECT count(*) FROM fills WHERE day <= ?1)"
    found = connection.execute(sql, (until.isoformat(),)).fetchone()
    return int(found[0]), int(found[1])


def open_orders(connection: sqlite3.Connection) -> list[Order]:
    """The orders that wait for a fill, the earliest first."""
    return [_order(row) for row in connection.execute(f"{_ORDER} WHERE o.status = 'accepted' ORDER BY o.id")]


def submitted_since(connection: sqlite3.Connection, moment: datetime) -> list[Order]:
    """The orders placed at that moment or later, the latest first, without those that came to nothing."""
    sql = f"{_ORDER} WHERE o.submitted_at >= ? AND o.status IN ('accepted', 'filled') ORDER BY o.id DESC"
    return [_order(row) for row in connection.execute(sql, (stamp(moment),))]


def fills(connection: sqlite3.Connection, until: date) -> Iterator[Fill]:
    """The fills up to that day, in the order they happened."""
    sql = """SELECT qty, price, fee, session, day, filled_at, source, symbol, side
             FROM fills WHERE day <= ? ORDER BY id"""
    for row in connection.execute(sql, (until.isoformat(),)):
        yield _fill(row[:7], row[7], row[8])


def latest_day(connection: sqlite3.Connection) -> date | None:
    """The last day on which anything was written in the books."""
    sql = """SELECT max(day) FROM (SELECT max(day) AS day FROM orders UNION ALL SELECT max(day) FROM fills
             UNION ALL SELECT max(seen) FROM orders WHERE status IN ('canceled', 'expired'))"""
    found = connection.execute(sql).fetchone()[0]
    return date.fromisoformat(found) if found else None


def position(connection: sqlite3.Connection, symbol: str) -> Decimal:
    """The shares held, below zero for a short position."""
    row = connection.execute("SELECT qty FROM positions WHERE symbol = ?", (symbol,)).fetchone()
    return Decimal(row[0]) if row else Decimal(0)


def positions(connection: sqlite3.Connection) -> dict[str, Decimal]:
    """All shares held, as the books keep them."""
    return {symbol: Decimal(qty) for symbol, qty in connection.execute("SELECT symbol, qty FROM positions")}


def reserved_cash(waiting: list[Order]) -> Decimal:
    """What open buy orders may cost at most, and the fee of every open order."""
    buys = [
        times(item.request.qty, item.request.limit_price)
        for item in waiting
        if item.request.side == "buy" and item.request.qty and item.request.limit_price
    ]
    return total([*buys, *(item.fee for item in waiting)])


def reserved_shares(waiting: list[Order], symbol: str) -> Decimal:
    """The shares that open sell orders have claimed."""
    claims = (item.request for item in waiting if item.request.side == "sell" and item.request.symbol == symbol)
    return total([claim.qty for claim in claims if claim.qty])


def add_order(connection: sqlite3.Connection, item: Order) -> None:
    """Enter a new order, not filled yet."""
    asked = item.request
    values = {
        "client_order_id": item.client_order_id,
        "request_hash": item.request_hash,
        "symbol": asked.symbol,
        "side": asked.side,
        "type": asked.type,
        "tif": asked.tif,
        "qty": maybe_text(asked.qty),
        "notional": maybe_text(asked.notional),
        "limit_price": maybe_text(asked.limit_price),
        "value": text(item.value),
        "fee": text(item.fee),
        "status": item.status,
        "day": item.day.isoformat(),
        "seen": item.seen.isoformat(),
        "submitted_at": item.submitted_at,
    }
    connection.execute(_NEW_ORDER, values)


def add_instrument(connection: sqlite3.Connection, client_order_id: str, instrument: Instrument) -> None:
    """Enter what the order's symbol stood for when it was placed."""
    values = (client_order_id, instrument.exchange, instrument.currency)
    connection.execute("INSERT INTO ordered_instruments VALUES (?, ?, ?)", values)


def ordered_instrument(connection: sqlite3.Connection, order: Order) -> Instrument | None:
    """What the order's symbol stood for when it was placed; None for an order of an earlier version."""
    sql = "SELECT exchange, currency FROM ordered_instruments WHERE client_order_id = ?"
    row = connection.execute(sql, (order.client_order_id,)).fetchone()
    return None if row is None else Instrument(symbol=order.request.symbol, exchange=row[0], currency=row[1])


def close_order(
    connection: sqlite3.Connection, client_order_id: str, status: Status, at: str, note: str | None = None
) -> None:
    """Say what became of an open order."""
    sql = "UPDATE orders SET status = ?, closed_at = ?, note = ? WHERE client_order_id = ? AND status = 'accepted'"
    connection.execute(sql, (status, at, note, client_order_id))


def mark_seen(connection: sqlite3.Connection, client_order_id: str, session: date) -> None:
    """Remember up to which session an open order was tried."""
    sql = "UPDATE orders SET seen = ? WHERE client_order_id = ?"
    connection.execute(sql, (session.isoformat(), client_order_id))


def add_fill(connection: sqlite3.Connection, client_order_id: str, fill: Fill) -> None:
    """Enter an execution, and move cash and position with it."""
    source = {name: value for name, value in fill.source.to_json().items() if name != "id"}
    sql = """INSERT INTO fills (client_order_id, symbol, side, qty, price, fee, session, day, filled_at, source)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
    numbers = (text(fill.qty), text(fill.price), text(fill.fee))
    days = (fill.session.isoformat(), fill.day.isoformat(), fill.filled_at)
    values = (client_order_id, fill.symbol, fill.side, *numbers, *days, json.dumps(source))
    connection.execute(sql, values)
    held = plus(position(connection, fill.symbol), shares_moved(fill))
    upsert = "INSERT INTO positions VALUES (?, ?) ON CONFLICT (symbol) DO UPDATE SET qty = excluded.qty"
    connection.execute(upsert, (fill.symbol, text(held)))
    opened = account(connection)
    if opened is None:  # pragma: no cover - the account is opened before any order
        raise AssertionError("a fill without an account")
    connection.execute("UPDATE account SET cash = ?", (text(plus(opened.cash, cash_moved(fill))),))
    close_order(connection, client_order_id, "filled", fill.filled_at)


def shares_moved(fill: Fill) -> Decimal:
    """What a fill adds to the position."""
    # Not `-qty`: the operator would round to the context's 28 digits.
    return fill.qty if fill.side == "buy" else fill.qty.copy_negate()


def cash_moved(fill: Fill) -> Decimal:
    """What a fill adds to the cash, its fee taken off."""
    return minus(times(shares_moved(fill), fill.price).copy_negate(), fill.fee)


def _order(row: tuple[Any, ...]) -> Order:
    request = OrderRequest(
        symbol=row[1],
        side=cast("Side", row[2]),
        type=cast("OrderType", row[3]),
        tif=cast("Tif", row[4]),
        qty=_maybe(row[5]),
        notional=_maybe(row[6]),
        limit_price=_maybe(row[7]),
    )
    return Order(
        client_order_id=row[0],
        request=request,
        request_hash=row[8],
        status=cast("Status", row[9]),
        day=date.fromisoformat(row[10]),
        seen=date.fromisoformat(row[11]),
        submitted_at=row[12],
        closed_at=row[13],
        note=row[14],
        fee=Decimal(row[15]),
        value=Decimal(row[16]),
        fill=_fill(row[17:24], row[1], row[2]) if row[17] is not None else None,
    )


def _fill(row: tuple[Any, ...], symbol: str, side: str) -> Fill:
    return Fill(
        symbol=symbol,
        side=cast("Side", side),
        qty=Decimal(row[0]),
        price=Decimal(row[1]),
        fee=Decimal(row[2]),
        session=date.fromisoformat(row[3]),
        day=date.fromisoformat(row[4]),
        filled_at=row[5],
        source=Source(id="", **json.loads(row[6])),
    )


def _maybe(number: str | None) -> Decimal | None:
    return None if number is None else Decimal(number)
