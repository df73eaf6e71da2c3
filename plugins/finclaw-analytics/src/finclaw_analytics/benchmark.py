"""A series held against another one, on the same dates."""

from __future__ import annotations

import math
from statistics import fmean

from finclaw_analytics.alignment import CONVENTION as ALIGNMENT
from finclaw_analytics.alignment import Aligned, aligned, unlike
from finclaw_analytics.moments import beta, correlation, deviation
from finclaw_analytics.numbers import stat
from finclaw_analytics.observed import Observed
from finclaw_analytics.ratios import annual_growth
from finclaw_analytics.spacing import Spacing, common_spacing, spacing, too_short, typical_gap

CONVENTION = (
    f"; benchmark figures on {ALIGNMENT}: beta = cov / var (ddof=1), correlation = Pearson, "
    "tracking_error = std (ddof=1) of return differences × √periods per year, information_ratio = mean / std of "
    "them × √periods per year"
)

UNITS = {"tracking_error": "1 (fraction)", **dict.fromkeys(("beta", "correlation", "information_ratio"), "1")}
_YEAR = 365.25
_TOO_SHORT = "less than 30 days in common with the benchmark: its cagr and the information ratio are null"


def against(series: Observed, other: Observed, given: float | None) -> tuple[dict[str, object], tuple[str, ...]]:
    """Figures of a comparison, and its warnings.

    Args:
        series: what is judged.
        other: the benchmark.
        given: periods per year of the series, where the caller knows them.

    Raises:
        ToolError: NOT_ENOUGH_DATA where fewer than three dates are common.
    """
    found = aligned([series, other])
    spaced = _spaced(series, found, given)
    there = found.series[1]
    figures: dict[str, object] = {
        "symbol": other.label,
        "adjustment": other.adjustment,
        "n_returns": len(there.days) - 1,
        "total_return": stat(there.total),
        **_growths(there, spaced.per_year),
        **_compared(found, spaced.per_year),
    }
    short = (_TOO_SHORT,) if too_short(found.days) else ()
    return figures, (*found.warnings, *spaced.warnings, *short, *unlike([series, other]))


def _spaced(series: Observed, found: Aligned, given: float | None) -> Spacing:
    """The given periods per year apply to the common dates only where they are as dense, and even."""
    spaced = common_spacing(found.days, thinned=found.thinned)
    own = typical_gap(series.days) == typical_gap(found.days) and not found.thinned
    return spacing(found.days, given) if given is not None and own else spaced


def _growths(there: Observed, per_year: float | None) -> dict[str, object]:
    short = too_short(there.days)
    by_periods = per_year / (len(there.days) - 1) if per_year and not short else None
    by_days = None if short else _YEAR / (there.days[-1] - there.days[0]).days
    return {
        "cagr_periods": stat(annual_growth(there.total, by_periods)),
        "cagr_calendar": stat(annual_growth(there.total, by_days)),
    }


def _compared(found: Aligned, per_year: float | None) -> dict[str, object]:
    own, market = (one.returns() for one in found.series)
    active = [one - two for one, two in zip(own, market, strict=True)]
    spread, root = deviation(active), math.sqrt(per_year) if per_year else None
    informed = spread and root and not too_short(found.days)
    return {
        "beta": stat(beta(own, market)),
        "correlation": stat(correlation(own, market)),
        "tracking_error": stat(spread * root) if spread is not None and root else None,
        "information_ratio": stat(fmean(active) / spread * root) if spread and root and informed else None,
    }
