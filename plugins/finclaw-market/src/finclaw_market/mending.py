"""Repairs of bars: what each would change, and the bars with it. Pure functions; the stored rows stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal, assert_never

from finclaw_market.bars import Bar, exact_text, significant

Action = Literal["scale", "split", "dividend", "readjust", "leave_out"]
_DIGITS = 12
_ONE = Decimal(1)
_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A change of the bars from `first` to `last`.

    `scale` multiplies prices (and divides volumes) by `value`; `split` and `dividend` record `value` on the day;
    `readjust` computes the adjusted closes from the recorded dividends; `leave_out` drops the bars.
    """

    action: Action
    first: date
    last: date
    value: str | None = None


def in_text(number: Decimal) -> str:
    """A factor or an amount as repairs have it: at most twelve significant digits."""
    return exact_text(significant(number, _DIGITS)) or ""


def repair_words(repair: Repair) -> str:
    """A repair in words."""
    days = f"{repair.first}" if repair.first == repair.last else f"{repair.first}..{repair.last}"
    match repair.action:
        case "scale":
            return f"multiply the prices of {days} by {repair.value}"
        case "split":
            return f"record a split of {repair.value} on {days}"
        case "dividend":
            return f"set the dividend of {days} to {repair.value} and compute the adjusted closes anew"
        case "readjust":
            return "compute the adjusted closes anew from the recorded dividends"
        case "leave_out":
            return f"leave out {days}"
    assert_never(repair.action)


def repaired(bars: Sequence[Bar], repairs: Sequence[Repair], *, splits_in_prices: bool) -> list[Bar]:
    """The bars with these repairs.

    Args:
        bars: oldest first.
        repairs: what is changed.
        splits_in_prices: whether the prices jump with the recorded splits: `none`, and not adjusted.
    """
    found = list(bars)
    for repair in repairs:
        found = [
            changed
            for bar in found
            if (changed := _changed(bar, repair) if repair.first <= bar.day <= repair.last else bar) is not None
        ]
    if any(repair.action in {"dividend", "readjust"} for repair in repairs):
        found = _readjusted(found, splits_in_prices=splits_in_prices)
    return found


def _changed(bar: Bar, repair: Repair) -> Bar | None:
    value = Decimal(repair.value or "1")
    match repair.action:
        case "scale":
            return _scaled(bar, value)
        case "split":
            return replace(bar, split=value)
        case "dividend":
            return replace(bar, dividend=value)
        case "readjust":
            return bar
        case "leave_out":
            return None
    assert_never(repair.action)


def _scaled(bar: Bar, factor: Decimal) -> Bar:
    return replace(
        bar,
        open=_times(bar.open, factor),
        high=_times(bar.high, factor),
        low=_times(bar.low, factor),
        close=significant(bar.close * factor, _DIGITS),
        adj_close=_times(bar.adj_close, factor),
        volume=_times(bar.volume, _ONE / factor),
    )


def _times(number: Decimal | None, factor: Decimal) -> Decimal | None:
    return None if number is None else significant(number * factor, _DIGITS)


def _readjusted(bars: Sequence[Bar], *, splits_in_prices: bool) -> list[Bar]:
    """Adjusted closes by the recorded dividends, anchored at the last one, where there are any."""
    if not bars or any(bar.adj_close is None for bar in bars):
        return list(bars)
    found: list[Bar] = []
    kept = (bars[-1].adj_close or bars[-1].close) / bars[-1].close
    for index in range(len(bars) - 1, -1, -1):
        bar = bars[index]
        found.append(replace(bar, adj_close=significant(bar.close * kept, _DIGITS)))
        if index:
            kept *= step_of(bars[index - 1], bar, splits_in_prices=splits_in_prices)
    return found[::-1]


def step_of(before: Bar, bar: Bar, *, splits_in_prices: bool) -> Decimal:
    """By what a recorded dividend and split reduce earlier adjusted closes; never to nothing."""
    shares = (bar.split or _ONE) if splits_in_prices else _ONE
    paid = (bar.dividend or _NOTHING) * shares / before.close
    return (1 - min(paid, Decimal("0.99"))) / shares
