"""A bond with level coupons: when they fall, what has accrued, and what price and yield mean for each other.

Sources: ICMA rule 251 and 803; Fabozzi, Bond Markets, chapters 3 and 4, for durations and convexity.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from finclaw_analytics.daycount import DayCount, days_30_360, year_fraction
from finclaw_cli.sdk.months import ends_month, months_after

_STEPS = 300
_MOST_POWER = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond:
    """What is left of a bond on a settlement date, per 100 of face value.

    `cash` are the coming payments and `exponents` their times in coupon periods; `accrued` is the interest that the
    seller has earned since `previous`.
    """

    frequency: int
    previous: date
    upcoming: date
    cash: tuple[float, ...]
    exponents: tuple[float, ...]
    accrued: float

    def dirty(self, rate: float) -> float:
        """The price with accrued interest at a yield compounded `frequency` times a year."""
        logged = -math.log1p(rate / self.frequency)
        return self._worth(logged)

    def _worth(self, logged: float) -> float:
        return math.fsum(
            amount * math.exp(logged * time) for amount, time in zip(self.cash, self.exponents, strict=True)
        )

    def yield_at(self, dirty: float) -> float:
        """The yield at which the bond costs `dirty` (above zero); one exists, and only one."""
        low, high = _bracket(self._worth, dirty, _MOST_POWER / self.exponents[-1])
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self._worth(middle) < dirty else (low, middle)
        return self.frequency * math.expm1(-(low + high) / 2)

    def moments(self, rate: float) -> tuple[float, float]:
        """Macaulay duration in years, and convexity in years squared, both of the dirty price."""
        logged = -math.log1p(rate / self.frequency)
        worth = [amount * math.exp(logged * time) for amount, time in zip(self.cash, self.exponents, strict=True)]
        total = math.fsum(worth)
        first = math.fsum(one * time for one, time in zip(worth, self.exponents, strict=True))
        second = math.fsum(one * time * (time + 1) for one, time in zip(worth, self.exponents, strict=True))
        growth = 1 + rate / self.frequency
        return first / total / self.frequency, second / total / (self.frequency * growth) ** 2


def bond_on(settlement: date, maturity: date, coupon_rate: float, frequency: int, day_count: DayCount) -> Bond:
    """What is left of a bond: coupon dates count back from maturity, at month's end where maturity is one.

    Args:
        settlement: before maturity; a coupon on that day is paid already.
        maturity: 100 is repaid then, with the last coupon.
        coupon_rate: per year, a fraction; each coupon is 100 × rate / frequency.
        frequency: coupons a year; for a zero-coupon bond how often its yield compounds.
        day_count: act/act (ICMA), 30/360 (US), act/365f or act/360.
    """
    dates = _coupon_dates(settlement, maturity, frequency)
    previous, upcoming = dates[0], dates[1]
    period = (previous, upcoming)
    share = _share_left(settlement, period, frequency, day_count)
    coupon = 100 * coupon_rate / frequency
    count = len(dates) - 1
    return Bond(
        frequency=frequency,
        previous=previous,
        upcoming=upcoming,
        cash=(*[coupon] * (count - 1), coupon + 100),
        exponents=tuple(share + step for step in range(count)),
        accrued=_accrued(coupon, frequency, settlement, period, day_count),
    )


def _coupon_dates(settlement: date, maturity: date, frequency: int) -> list[date]:
    """The coupon date on or before settlement, and all after it."""
    month_end, step = ends_month(maturity), 12 // frequency
    found = [maturity]
    while found[-1] > settlement:
        found.append(months_after(maturity, -step * len(found), month_end=month_end))
    return found[::-1]


def _share_left(settlement: date, period: tuple[date, date], frequency: int, day_count: DayCount) -> float:
    if day_count == "30/360":
        return days_30_360(settlement, period[1]) * frequency / 360
    return (period[1] - settlement).days / (period[1] - period[0]).days


def _accrued(coupon: float, frequency: int, settlement: date, period: tuple[date, date], day_count: DayCount) -> float:
    if day_count == "act/act":
        return coupon * (settlement - period[0]).days / (period[1] - period[0]).days
    return coupon * frequency * year_fraction(period[0], settlement, day_count)


def _bracket(worth: Callable[[float], float], target: float, widest: float) -> tuple[float, float]:
    """Two log discount factors around the one whose worth is the target; worth rises with it."""
    low, high = -0.01, 0.01
    while worth(low) > target and low > -widest:
        low *= 2
    while worth(high) < target and high < widest:
        high *= 2
    return max(low, -widest), min(high, widest)
