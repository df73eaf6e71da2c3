"""Value at risk and expected shortfall of a list of returns, as returns: a loss is negative."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import Literal

from finclaw_analytics.moments import deviation

Way = Literal["historical", "normal"]


@dataclass(frozen=True, slots=True)
class Tail:
    """How a loss is measured: at which confidence, over how many periods, by which method."""

    level: float
    horizon: int
    method: Way

    def var(self, returns: Sequence[float]) -> float:
        """Value at risk as a return: a loss is negative."""
        if self.method == "normal":
            return normal_var(returns, self.level, self.horizon)
        return historical_var(returns, self.level) * math.sqrt(self.horizon)

    def cvar(self, returns: Sequence[float]) -> float:
        """Expected shortfall as a return: the mean beyond the value at risk."""
        if self.method == "normal":
            return normal_cvar(returns, self.level, self.horizon)
        return historical_cvar(returns, self.level) * math.sqrt(self.horizon)


def quantile(returns: Sequence[float], share: float) -> float:
    """The value at position (n - 1) × share of the sorted returns, interpolated linearly (Hyndman-Fan type 7)."""
    ordered = sorted(returns)
    position = (len(ordered) - 1) * share
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def historical_var(returns: Sequence[float], level: float) -> float:
    """The (1 - level) quantile of the returns."""
    return quantile(returns, 1 - level)


def historical_cvar(returns: Sequence[float], level: float) -> float:
    """The mean of the returns at or below the historical value at risk."""
    edge = historical_var(returns, level)
    return fmean([one for one in returns if one <= edge] or [edge])


def normal_var(returns: Sequence[float], level: float, horizon: float) -> float:
    """The (1 - level) quantile of a normal distribution with the returns' mean × h and sample deviation × √h."""
    spread = deviation(returns) or 0.0
    return fmean(returns) * horizon + NormalDist().inv_cdf(1 - level) * spread * math.sqrt(horizon)


def normal_cvar(returns: Sequence[float], level: float, horizon: float) -> float:
    """The mean of that distribution below its value at risk: mean × h - deviation × √h × pdf(z) / (1 - level)."""
    unit = NormalDist()
    spread = deviation(returns) or 0.0
    tail = unit.pdf(unit.inv_cdf(1 - level)) / (1 - level)
    return fmean(returns) * horizon - spread * math.sqrt(horizon) * tail
