"""A series held against another one, on the dates that both have."""

from __future__ import annotations

import math
from statistics import fmean

from finclaw_analytics.moments import beta, correlation, deviation
from finclaw_analytics.numbers import stat
from finclaw_analytics.observed import Observed, aligned, unlike
from finclaw_analytics.ratios import growth
from finclaw_analytics.spacing import spacing

CONVENTION = (
    "; benchmark figures on the dates common to both: beta = cov / var (ddof=1), correlation = Pearson, "
    "tracking_error = std (ddof=1) of return differences × √periods per year, information_ratio = mean / std of "
    "them × √periods per year"
)

UNITS = {"tracking_error": "1 (fraction)", **dict.fromkeys(("beta", "correlation", "information_ratio"), "1")}


def against(series: Observed, other: Observed, given: float | None) -> tuple[dict[str, object], tuple[str, ...]]:
    """Figures of a comparison, and what has to be said about it.

    Args:
        series: what is judged.
        other: the benchmark.
        given: periods per year, where the caller knows them.

    Raises:
        ToolError: NOT_ENOUGH_DATA where fewer than three dates are common.
    """
    (here, there), left_out = aligned([series, other])
    spaced = spacing(here.days, given)
    own, market = here.returns(), there.returns()
    active = [one - two for one, two in zip(own, market, strict=True)]
    spread, root = deviation(active), math.sqrt(spaced.per_year) if spaced.per_year else None
    total = there.values[-1] / there.values[0] - 1
    figures: dict[str, object] = {
        "symbol": other.label,
        "adjustment": other.adjustment,
        "n_returns": len(market),
        "total_return": stat(total),
        "cagr_periods": stat(growth(total, spaced.per_year / len(market) if spaced.per_year else None)),
        "beta": stat(beta(own, market)),
        "correlation": stat(correlation(own, market)),
        "tracking_error": stat(spread * root) if spread is not None and root else None,
        "information_ratio": stat(fmean(active) / spread * root) if spread and root else None,
    }
    return figures, (*left_out, *spaced.warnings, *unlike([series, other]))
