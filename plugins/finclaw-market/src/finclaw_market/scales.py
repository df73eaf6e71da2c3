"""Where lines and labels of a chart go: round values and calendar dates within a range. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

_LEAST_RANGE = 1e-300  # what is smaller has parts that are no numbers any more
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600)
_YEAR = 12
# Below this many days, labels are days; above, months or years.
_FEW_DAYS = 70


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What is drawn: values by day, oldest first, and the words around them."""

    days: tuple[date, ...]
    values: tuple[float, ...]
    title: str
    unit: str
    source: str


def value_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values that cover a range, evenly apart."""
    if not high - low > _LEAST_RANGE:
        spread = abs(low) * 0.05 or 1.0
        low, high = low - spread, high + spread
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in _STEPS if factor * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, last + 1)]


def tick_text(value: float, step: float) -> str:
    """A value with as many decimals as its step needs, and thousands apart."""
    exponent = math.floor(math.log10(step) + 1e-9)
    extra = 1 if abs(step / 10.0**exponent - 2.5) < 0.01 else 0  # noqa: PLR2004 - the one step with two digits
    return f"{value:,.{max(0, extra - exponent)}f}"


def date_ticks(first: date, last: date, about: int = 7) -> list[tuple[date, str]]:
    """Dates within a range and how they are written: days, firsts of months, or years."""
    span = (last - first).days
    if span <= _FEW_DAYS:
        step = max(1, math.ceil(span / about))
        days = range(first.toordinal(), last.toordinal() + 1, step)
        return [(date.fromordinal(day), date.fromordinal(day).isoformat()) for day in days]
    months = (last.year - first.year) * _YEAR + last.month - first.month
    step = next((size for size in _MONTH_STEPS if months / size <= about), _MONTH_STEPS[-1])
    found: list[tuple[date, str]] = []
    begin = first.year * _YEAR + first.month - 1
    for number in range(begin, begin + months + 1):
        day = date(number // _YEAR, number % _YEAR + 1, 1)
        if number % step == 0 and first <= day <= last:
            found.append((day, str(day.year) if step >= _YEAR else f"{day:%Y-%m}"))
    return found


def thinned(days: Sequence[date], values: Sequence[float], limit: int) -> tuple[tuple[date, ...], tuple[float, ...]]:
    """At most about `limit` points that keep each stretch's lowest and highest, and the first and last."""
    count = len(values)
    if count <= limit:
        return tuple(days), tuple(values)
    size = math.ceil(2 * count / limit)
    kept = {0, count - 1}
    for begin in range(0, count, size):
        stretch = range(begin, min(begin + size, count))
        kept |= {min(stretch, key=values.__getitem__), max(stretch, key=values.__getitem__)}
    chosen = sorted(kept)
    return tuple(days[index] for index in chosen), tuple(values[index] for index in chosen)
