"""Annualised figures of a list of returns; each is None where it is not defined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from finclaw_analytics.moments import deviation, downside_deviation

# A thousandfold a year: beyond that a short stretch was extrapolated, which means little.
MOST_GROWTH = 1_000.0


def annual_growth(total: float, power: float | None) -> float | None:
    """The same, where it is no more than a year can be believed to bring; else None."""
    found = growth(total, power)
    return found if found is not None and found <= MOST_GROWTH else None


def growth(total: float, power: float | None) -> float | None:
    """(1 + total) ** power - 1; None where the power is unknown or the result beyond a float."""
    if power is None:
        return None
    if total <= -1:
        # A float holds no smaller rest of the value: all is lost, in any time.
        return -1.0
    try:
        return math.expm1(math.log1p(total) * power)
    except OverflowError:
        return None


def sharpe(returns: Sequence[float], per_year: float | None, rf: float) -> float | None:
    """Mean over sample deviation of returns less the risk-free rate, annualised (Sharpe 1994); None where flat."""
    spread = deviation(returns)
    if not spread or not per_year:
        return None
    free = math.expm1(math.log1p(rf) / per_year)
    return (fmean(returns) - free) / spread * math.sqrt(per_year)


def sortino(returns: Sequence[float], per_year: float | None) -> float | None:
    """Mean over downside deviation, target 0, annualised; None where nothing fell."""
    downside = downside_deviation(returns)
    return fmean(returns) / downside * math.sqrt(per_year) if downside and per_year else None
