"""Statistics of a list of returns; each is None where it is not defined, never NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

# Returns are computed from prices, so equal ones differ by a few units of the last place: that is no volatility.
_FLAT = 1e-13


def deviation(returns: Sequence[float]) -> float | None:
    """Sample standard deviation (ddof = 1); None below two returns, 0 where they differ by rounding only."""
    if len(returns) < 2:  # noqa: PLR2004 - one degree of freedom
        return None
    middle = fmean(returns)
    found = math.sqrt(math.fsum((one - middle) ** 2 for one in returns) / (len(returns) - 1))
    return 0.0 if found < _FLAT * (1 + abs(middle)) else found


def covariance(left: Sequence[float], right: Sequence[float]) -> float:
    """Sample covariance (ddof = 1) of two lists of the same length, at least two."""
    here, there = fmean(left), fmean(right)
    total = math.fsum((one - here) * (other - there) for one, other in zip(left, right, strict=True))
    return total / (len(left) - 1)


def beta(returns: Sequence[float], market: Sequence[float]) -> float | None:
    """Covariance with the market over the market's variance (ddof = 1 in both); None where the market is flat."""
    spread = deviation(market)
    return covariance(returns, market) / spread**2 if spread else None


def correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Pearson's correlation; None where one of the two is flat."""
    here, there = deviation(left), deviation(right)
    return max(-1.0, min(1.0, covariance(left, right) / (here * there))) if here and there else None


def downside_deviation(returns: Sequence[float]) -> float:
    """Root mean square of the returns below 0, over all n (Sortino and Price 1994; target 0)."""
    return math.sqrt(math.fsum(min(one, 0.0) ** 2 for one in returns) / len(returns))


def skewness(returns: Sequence[float]) -> float | None:
    """Adjusted Fisher-Pearson skewness G1 = sqrt(n(n-1)) / (n-2) × m3 / m2^1.5, as Excel's SKEW; needs three."""
    n = len(returns)
    if n < 3 or not deviation(returns):  # noqa: PLR2004 - the formula divides by n - 2
        return None
    return math.sqrt(n * (n - 1)) / (n - 2) * _moment(returns, 3) / math.pow(_moment(returns, 2), 1.5)


def excess_kurtosis(returns: Sequence[float]) -> float | None:
    """Adjusted excess kurtosis G2 = (n-1) / ((n-2)(n-3)) × ((n+1) g2 + 6), as Excel's KURT; needs four."""
    n = len(returns)
    if n < 4 or not deviation(returns):  # noqa: PLR2004 - the formula divides by n - 3
        return None
    plain = _moment(returns, 4) / _moment(returns, 2) ** 2 - 3
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * plain + 6)


def _moment(returns: Sequence[float], order: int) -> float:
    middle = fmean(returns)
    return math.fsum((one - middle) ** order for one in returns) / len(returns)
