"""Dividends, interest, taxes and fees by year and currency; dividends of the price store that no row has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction

from finclaw_ledger.books import Booking
from finclaw_portfolio.amounts import money
from finclaw_portfolio.history import History
from finclaw_portfolio.prices import Converter

_KINDS = {"dividend": "dividends", "interest": "interest", "tax": "taxes", "fee": "fees"}
_TRADES = frozenset({"buy", "sell"})
# A dividend is booked at its payment, up to two months after the first session without it.
_EARLIEST, _LATEST = timedelta(days=-3), timedelta(days=75)
_MOST_DAYS = 6
_MOST_SYMBOLS = 20
Key = tuple[int, str, str]


def by_year(items: Sequence[Booking], converter: Converter) -> list[dict[str, object]]:
    """One row for each year and kind, with the amounts by currency and in the base currency.

    Fees are those of trades and those that are booked alone; taxes and fees are positive where they were paid.
    """
    sums: dict[Key, Fraction] = defaultdict(Fraction)
    based: dict[tuple[int, str], Fraction | None] = {}
    for item, kind, amount in _amounts(items):
        sums[item.day.year, kind, item.currency] += amount
        rate, before = converter.rate(item.currency, item.day), based.get((item.day.year, kind), Fraction(0))
        based[item.day.year, kind] = None if rate is None or before is None else before + amount * rate
    return [
        {
            "year": year,
            "kind": kind,
            "amounts": {
                code: money(total, code) for (y, k, code), total in sorted(sums.items()) if (y, k) == (year, kind)
            },
            "base": money(total_base, converter.base),
        }
        for (year, kind), total_base in sorted(based.items())
    ]


def _amounts(items: Iterable[Booking]) -> Iterable[tuple[Booking, str, Fraction]]:
    for item in items:
        if item.kind in _KINDS:
            sign = -1 if item.kind in {"tax", "fee"} else 1
            yield item, _KINDS[item.kind], sign * Fraction(item.amount)
        elif item.kind in _TRADES and item.fee:
            yield item, "fees", Fraction(item.fee)


def not_booked(held: History, items: Sequence[Booking], span: tuple[date, date]) -> list[str]:
    """A warning for each security whose prices have dividends that no row has; they are not counted."""
    found: list[str] = []
    for symbol in held.symbols:
        booked = [item.day for item in items if item.kind == "dividend" and item.symbol == symbol]
        missing = [day for day in _recorded(held, symbol, span) if not _took(booked, day)]
        if missing:
            shown = ", ".join(map(str, missing[:_MOST_DAYS])) + (", …" if len(missing) > _MOST_DAYS else "")
            found.append(
                f"{symbol}: {len(missing)} dividends of the price store are in no row and not counted ({shown})"
            )
    return found[:_MOST_SYMBOLS]


def _recorded(held: History, symbol: str, span: tuple[date, date]) -> Iterable[date]:
    known = held.lines[symbol].known
    for bar in known.bars if known is not None else ():
        if bar.dividend and span[0] < bar.day <= span[1] and held.units(symbol, bar.day - timedelta(days=1)) > 0:
            yield bar.day


def _took(booked: list[date], day: date) -> bool:
    """Whether a booked dividend can be that of a day; it is taken out, so that it stands for one only."""
    for at, other in enumerate(booked):
        if _EARLIEST <= other - day <= _LATEST:
            booked.pop(at)
            return True
    return False
