"""What the tools ask of the store. Every question takes the last date that may be seen."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import cast, get_args

from finclaw_market.bars import Bar, Basis
from finclaw_market.held import damaged, held_date, held_number, held_price
from finclaw_market.store import holds_repairs

_NOTHING = Decimal(0)

_LISTED = """
SELECT i.symbol, i.name, i.exchange, i.currency, i.tz,
    (SELECT min(date) FROM bars b WHERE b.symbol = i.symbol AND b.date <= :cap) AS first,
    (SELECT max(date) FROM bars b WHERE b.symbol = i.symbol AND b.date <= :cap) AS last
FROM instruments i WHERE :symbol IS NULL OR i.symbol = :symbol ORDER BY i.symbol
"""
_RAW = """
SELECT date, open, high, low, close, adj_close, volume, dividend, split, source_id, line, 0
FROM bars b WHERE symbol = ? AND
"""
# The bars of a store that has repairs: those in place of what was imported, without those that are left out.
_REPAIRED = """
SELECT b.date, iif(r.symbol IS NULL, b.open, r.open), iif(r.symbol IS NULL, b.high, r.high),
    iif(r.symbol IS NULL, b.low, r.low), iif(r.symbol IS NULL, b.close, r.close),
    iif(r.symbol IS NULL, b.adj_close, r.adj_close), iif(r.symbol IS NULL, b.volume, r.volume),
    iif(r.symbol IS NULL, b.dividend, r.dividend), iif(r.symbol IS NULL, b.split, r.split), b.source_id, b.line,
    r.symbol IS NOT NULL
FROM bars b LEFT JOIN repaired r ON r.symbol = b.symbol AND r.date = b.date
WHERE b.symbol = ? AND (r.symbol IS NULL OR r.close IS NOT NULL) AND
"""
_BETWEEN = " b.date BETWEEN ? AND ? ORDER BY b.date"
_LAST = " b.date <= ? ORDER BY b.date DESC LIMIT ?"
_SYMBOLS = "SELECT symbol FROM instruments WHERE :symbol IS NULL OR symbol = :symbol"
_SPLITS = "SELECT date, split FROM bars WHERE symbol = ? AND date <= ? AND split IS NOT NULL ORDER BY date"
_REPAIRED_SPLITS = """
SELECT b.date, iif(r.symbol IS NULL, b.split, r.split)
FROM bars b LEFT JOIN repaired r ON r.symbol = b.symbol AND r.date = b.date
WHERE b.symbol = ? AND b.date <= ? AND (r.symbol IS NULL OR r.close IS NOT NULL)
    AND iif(r.symbol IS NULL, b.split, r.split) IS NOT NULL ORDER BY b.date
"""
_SOURCE = "SELECT id, kind, ref, sha256, retrieved_at, adjustment, licence FROM sources WHERE id = ?"
_HOLDING = """
SELECT count(*), (SELECT group_concat(ref, ', ') FROM
    (SELECT DISTINCT ref FROM sources WHERE id IN (SELECT source_id FROM bars WHERE symbol = :symbol) ORDER BY ref))
FROM bars WHERE symbol = :symbol
"""
_SERIES_HELD = """
SELECT s.id, s.name, s.unit, min(o.date), max(o.date), count(*), group_concat(DISTINCT f.ref)
FROM series s JOIN observations o ON o.series = s.id JOIN sources f ON f.id = o.source_id GROUP BY s.id ORDER BY s.id
"""
_RATES_HELD = """
SELECT r.base || '/' || r.quote AS pair, min(r.date), max(r.date), count(*), group_concat(DISTINCT f.ref)
FROM fx_rates r JOIN sources f ON f.id = r.source_id GROUP BY pair ORDER BY pair
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An instrument of the store and the dates it has bars for."""

    symbol: str
    name: str | None
    exchange: str | None
    currency: str | None
    tz: str | None
    first: date
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource:
    """The file that bars came from."""

    id: int
    kind: str
    ref: str
    sha256: str
    retrieved_at: str
    basis: Basis
    licence: str


def listed(connection: sqlite3.Connection, cap: date, symbol: str | None = None) -> Iterator[Listed]:
    """The instruments that have bars up to `cap`, all or the one.

    Raises:
        StoreProblem: the store is damaged, as in all that is asked here.
    """
    for row in connection.execute(_LISTED, {"cap": cap.isoformat(), "symbol": symbol}):
        if row[5] is not None:
            yield Listed(
                symbol=row[0],
                name=row[1],
                exchange=row[2],
                currency=row[3],
                tz=row[4],
                first=held_date(row[5], f"the date of a bar of {row[0]}"),
                last=held_date(row[6], f"the date of a bar of {row[0]}"),
            )


def symbols(connection: sqlite3.Connection, symbol: str | None = None) -> set[str]:
    """The symbols that the store knows, from whatever date on: all, or the one if it is among them."""
    return {row[0] for row in connection.execute(_SYMBOLS, {"symbol": symbol})}


def bars_between(connection: sqlite3.Connection, symbol: str, first: date, last: date) -> list[Bar]:
    """The bars of a stretch of time, oldest first, as they are after repairs."""
    rows = connection.execute(_bars(connection) + _BETWEEN, (symbol, first.isoformat(), last.isoformat()))
    return [bar_of(row, symbol) for row in rows]


def raw_bars(connection: sqlite3.Connection, symbol: str) -> list[Bar]:
    """All bars of a symbol as they were imported, oldest first."""
    rows = connection.execute(_RAW + _BETWEEN, (symbol, date.min.isoformat(), date.max.isoformat()))
    return [bar_of(row, symbol) for row in rows]


def last_bars(connection: sqlite3.Connection, symbol: str, cap: date, count: int) -> list[Bar]:
    """The latest bars up to `cap`, oldest first, as they are after repairs."""
    rows = connection.execute(_bars(connection) + _LAST, (symbol, cap.isoformat(), count))
    return [bar_of(row, symbol) for row in rows][::-1]


def _bars(connection: sqlite3.Connection) -> str:
    return _REPAIRED if holds_repairs(connection) else _RAW


def recorded_splits(connection: sqlite3.Connection, symbol: str, cap: date) -> list[tuple[date, Decimal]]:
    """The sessions up to `cap` before which shares were split, oldest first, and the new shares for each old one."""
    query = _REPAIRED_SPLITS if holds_repairs(connection) else _SPLITS
    found = [
        (held_date(day, f"the date of a bar of {symbol}"), held_price(split, f"split of {symbol} on {day}"))
        for day, split in connection.execute(query, (symbol, cap.isoformat()))
    ]
    return [(day, ratio) for day, ratio in found if ratio != 1]


def sources_of(connection: sqlite3.Connection, bars: Iterable[Bar]) -> list[StoredSource]:
    """The files that these bars came from, the earliest import first."""
    return [_source(connection, number) for number in sorted({bar.source_id for bar in bars})]


def _source(connection: sqlite3.Connection, number: int) -> StoredSource:
    row = connection.execute(_SOURCE, (number,)).fetchone()
    if row is None or row[5] not in get_args(Basis):
        raise damaged(f"its source {number} is {'missing' if row is None else 'adjusted in no known way'}")
    return StoredSource(
        id=row[0],
        kind=row[1],
        ref=row[2],
        sha256=row[3],
        retrieved_at=row[4],
        basis=cast("Basis", row[5]),
        licence=row[6],
    )


def holding(connection: sqlite3.Connection, symbol: str) -> tuple[int, str]:
    """How many bars of that symbol there are, and from which files."""
    count, refs = connection.execute(_HOLDING, {"symbol": symbol}).fetchone()
    return int(count), refs or ""


def series_held(connection: sqlite3.Connection) -> list[dict[str, object]]:
    """The series of a store: unit, first and last date, how many observations, from which files."""
    names = ("series", "name", "unit", "first", "last", "observations", "source")
    return [dict(zip(names, row, strict=True)) for row in connection.execute(_SERIES_HELD)]


def rates_held(connection: sqlite3.Connection) -> list[dict[str, object]]:
    """The pairs of currencies of a store: first and last date, how many rates, from which files."""
    names = ("pair", "first", "last", "rates", "source")
    return [dict(zip(names, row, strict=True)) for row in connection.execute(_RATES_HELD)]


def bar_of(row: tuple[object, ...], symbol: str) -> Bar:
    """A bar from a row of the columns that the queries here ask for, in their order.

    Raises:
        StoreProblem: a value in it cannot be right.
    """
    stored, opened, high, low, close, adj_close, volume, dividend, split, source_id, line, mended = row
    day = held_date(stored, f"the date of a bar of {symbol}")
    of = f"{symbol} on {day}"
    return Bar(
        day=day,
        open=_price(opened, f"open of {of}"),
        high=_price(high, f"high of {of}"),
        low=_price(low, f"low of {of}"),
        close=held_price(close, f"close of {of}"),
        adj_close=_price(adj_close, f"adj close of {of}"),
        volume=_amount(volume, f"volume of {of}"),
        dividend=_amount(dividend, f"dividend of {of}"),
        split=_price(split, f"split of {of}"),
        source_id=_whole(source_id, of),
        line=_whole(line, of),
        repaired=bool(mended),
    )


def _price(value: object, of: str) -> Decimal | None:
    return None if value is None else held_price(value, of)


def _amount(value: object, of: str) -> Decimal | None:
    return None if value is None else held_number(value, of, _NOTHING)


def _whole(value: object, of: str) -> int:
    if not isinstance(value, int):
        raise damaged(f"the source of {of} is not named by a number")
    return value
