"""Random walks that come out alike everywhere: integers and exact decimals only.

`Random.random` is the one method whose sequence Python promises never to change; everything else is made from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from random import Random
from typing import NamedTuple

from finclaw_demo.companies import FIRST, LAST, MARKET_NOISE_PPM, MARKET_SEED, Instrument

# Prices are walked in millionths of their currency, moves in millionths of the price.
_MILLION = 1_000_000
_DICE = 12
_SIDES = 2_000
_SATURDAY = 5
_LOT = 100
_ADJUSTED = Decimal("0.000001")
_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One session as traded; `adjusted` is the close less what later splits and dividends took from the price."""

    day: date
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    adjusted: Decimal
    volume: int | None
    dividend: Decimal
    split: int


class _Draw(NamedTuple):
    """What chance has in store for a day: moves in millionths, and the volume in thousandths of the usual one."""

    overnight: int
    move: int
    above: int
    below: int
    crowd: int


_STANDSTILL = _Draw(0, 0, 0, 0, 0)


def walk(instrument: Instrument) -> list[Day]:
    """All sessions of one instrument that are on record, the earliest first."""
    return _with_adjusted([day for day in _sessions(instrument) if day.day not in instrument.missing])


def weekdays(first: date, last: date) -> Iterator[date]:
    """Monday to Friday; the made-up market knows no holidays."""
    for step in range((last - first).days + 1):
        day = first + timedelta(days=step)
        if day.weekday() < _SATURDAY:
            yield day


def _sessions(instrument: Instrument) -> Iterator[Day]:
    own, market = _random(instrument.seed), _random(MARKET_SEED)
    price, volume = int(instrument.start * _MILLION), instrument.volume
    for day in weekdays(FIRST, LAST):
        # Drawn also where nothing is traded, so that all instruments see the same market on the same day.
        draw = _draw(instrument, own, market)
        if day in instrument.halted:
            draw = _STANDSTILL
        dividend, split = instrument.dividends.get(day, Decimal(0)), instrument.splits.get(day, 1)
        price = (price - int(dividend * _MILLION)) // split
        volume = None if volume is None else volume * split
        opened, price = _moved(price, draw.overnight), _moved(price, draw.move)
        close = _on_tick(price, instrument.tick)
        yield Day(
            day=day,
            open=_on_tick(opened, instrument.tick),
            high=_on_tick(_moved(max(opened, price), draw.above), instrument.tick),
            low=_on_tick(_moved(min(opened, price), -draw.below), instrument.tick),
            close=close,
            adjusted=close,
            volume=None if volume is None else volume * draw.crowd // (1_000 * _LOT) * _LOT,
            dividend=dividend,
            split=split,
        )


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - made to be repeatable


def _draw(instrument: Instrument, own: Random, market: Random) -> _Draw:
    common = _bell(market, MARKET_NOISE_PPM) * instrument.market_percent // 100
    move = instrument.drift_ppm + common + _bell(own, instrument.noise_ppm)
    return _Draw(
        overnight=move * _below(own, 60) // 100,
        move=move,
        above=_below(own, 6_000),
        below=_below(own, 6_000),
        crowd=600 + _below(own, 900) + abs(move) // 50,
    )


def _below(source: Random, most: int) -> int:
    return int(source.random() * most)


def _bell(source: Random, width: int) -> int:
    """A number near zero, with about that standard deviation: the sum of twelve dice is nearly normal."""
    thrown = sum(_below(source, _SIDES) for _ in range(_DICE)) - _DICE * (_SIDES - 1) // 2
    return thrown * width // _SIDES


def _moved(price: int, ppm: int) -> int:
    return price * (_MILLION + ppm) // _MILLION


def _on_tick(price: int, tick: Decimal) -> Decimal:
    size = int(tick * _MILLION)
    return (price + size // 2) // size * tick


def _with_adjusted(days: list[Day]) -> list[Day]:
    """Fill in the adjusted closes, backwards from the last day, which is its own."""
    found: list[Day] = []
    factor = Decimal(1)
    later: Day | None = None
    for day in reversed(days):
        if later is not None:
            kept = _EXACT.divide(day.close - later.dividend, day.close)
            factor = _EXACT.divide(_EXACT.multiply(factor, kept), Decimal(later.split))
        adjusted = _EXACT.multiply(day.close, factor)
        found.append(replace(day, adjusted=day.close if factor == 1 else _EXACT.quantize(adjusted, _ADJUSTED)))
        later = day
    return found[::-1]
