"""The series that oracles and tool are asked about: made up from a seed, or published with a source."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta
from decimal import Decimal

Pairs = list[list[str]]


def weekdays(first: date, count: int) -> list[date]:
    days = []
    while len(days) < count:
        if first.weekday() < 5:
            days.append(first)
        first += timedelta(days=1)
    return days


def walk(seed: int, days: list[date], *, drift: float, spread: float) -> Pairs:
    """A geometric random walk from 100, to six decimals."""
    chance = random.Random(seed)
    level, found = 100.0, []
    for day in days:
        found.append([day.isoformat(), f"{level:.6f}"])
        level *= math.exp(chance.gauss(drift, spread))
    return found


def bars(seed: int, pairs: Pairs) -> list[list[str]]:
    """Date, high, low, close around a walk."""
    chance = random.Random(seed)
    found = []
    for day, text in pairs:
        close = float(text)
        high, low = close * (1 + abs(chance.gauss(0, 0.01))), close * (1 - abs(chance.gauss(0, 0.01)))
        found.append([day, f"{high:.6f}", f"{low:.6f}", text])
    return found


def published() -> Pairs:
    """The returns of empyrical's own tests (tests/test_stats.py, `mixed_returns`, Apache-2.0) as an exact curve.

    Their series begins with a missing row, which empyrical counts as a ninth period of a year's growth: left out here.
    """
    level, found = Decimal(100), []
    percents = (None, 1, 10, -4, 2, 3, 2, 1, -10)
    for day, percent in zip(weekdays(date(2000, 1, 3), 9), percents, strict=True):
        level *= 1 + Decimal(percent or 0) / 100
        found.append([day.isoformat(), f"{level:f}"])
    return found


def every() -> dict[str, Pairs]:
    daily = weekdays(date(2021, 1, 4), 520)
    monthly = [date(2015 + month // 12, month % 12 + 1, 28) for month in range(60)]
    return {
        "published": published(),
        "acme": walk(20240628, daily, drift=0.0004, spread=0.014),
        "market": walk(19990104, daily, drift=0.0003, spread=0.009),
        "monthly": walk(7, monthly, drift=0.004, spread=0.04),
    }
