"""`performance`: what a series returned, how unevenly, and how deep it fell."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

from finclaw_analytics.benchmark import CONVENTION as AGAINST
from finclaw_analytics.benchmark import UNITS as AGAINST_UNITS
from finclaw_analytics.benchmark import against
from finclaw_analytics.drawdown import max_drawdown
from finclaw_analytics.moments import deviation, excess_kurtosis, skewness
from finclaw_analytics.numbers import stat, within
from finclaw_analytics.observed import Observed, cited, observed, span_of, stored, undoubted
from finclaw_analytics.pairs import Pairs
from finclaw_analytics.ratios import MOST_GROWTH, annual_growth, sharpe, sortino
from finclaw_analytics.spacing import Spacing, spacing, too_short
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool

_YEAR = 365.25
_CONVENTION = (
    "simple returns between consecutive values; cagr_periods = (1+total)^(periods per year / n) - 1; cagr_calendar = "
    "(1+total)^(365.25 / calendar days) - 1; volatility = sample std (ddof=1) × √periods per year; sharpe = mean / std "
    "(ddof=1) of returns less rf per period, × √periods per year, rf per period = (1+rf)^(1/periods per year) - 1; "
    "sortino = mean return × √periods per year / root mean square of returns below 0 over all n (target 0, rf not "
    "used); max_drawdown of the curve that starts at the first value; calmar = cagr_periods / |max_drawdown|; skew = "
    "adjusted Fisher-Pearson G1 and excess_kurtosis = adjusted G2 (normal = 0), as Excel's SKEW and KURT"
)
_FRACTIONS = ("total_return", "cagr_periods", "cagr_calendar", "volatility", "depth", "return")
_RATIOS = ("sharpe", "sortino", "calmar", "skew", "excess_kurtosis")
_UNITS = {**dict.fromkeys(_FRACTIONS, "1 (fraction)"), **dict.fromkeys(_RATIOS, "1")}
_TOO_SHORT = "less than 30 days of data: cagr, sharpe, sortino and calmar would say nothing of a year and are null"
_EXAMPLE = {"values": [["2024-01-01", 100], ["2024-02-01", 104], ["2024-03-01", 101], ["2024-04-01", 107]]}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def performance(
    ctx: ToolContext,
    *,
    symbol: str | None = None,
    values: Pairs | None = None,
    benchmark: str | None = None,
    rf: float = 0.0,
    periods_per_year: float | None = None,
    start: date | None = None,
    period: str | None = None,
    as_of: date | None = None,
) -> FinanceResult:
    """Return, CAGR, volatility, Sharpe, Sortino, drawdown of a stored symbol or of given values.

    Args:
        ctx: given by finclaw.
        symbol: in the price store.
        values: instead, pairs of date and value (not returns), oldest first.
        benchmark: symbol to compare with.
        rf: risk-free rate a year, a fraction.
        periods_per_year: by default from the dates.
        start: first date.
        period: e.g. "ytd", "2024-Q1"; from the last value before it.
        as_of: use nothing later.
    """
    within("rf", rf, -0.99, 10)
    if periods_per_year is not None:
        within("periods_per_year", periods_per_year, 0.1, 10_000)
    span = span_of(ctx, period, start, as_of)
    series = undoubted(observed(symbol, values, ctx, span))
    other = undoubted(stored(benchmark, ctx, span)) if benchmark is not None else None
    return replace(_answer(series, other, rf, periods_per_year), period=span.period)


def _answer(series: Observed, other: Observed | None, rf: float, given: float | None) -> FinanceResult:
    spaced = spacing(series.days, given)
    # Compounding a few days to a year, or setting their mean beside a year's, has no meaning unless the caller asks for
    # it by giving the periods; a spread only scales.
    short = too_short(series.days) and given is None
    data = _figures(series, spaced.per_year, None if short else spaced.per_year, rf)
    warnings = [*series.warnings, *spaced.warnings, *_undefined(data, series, spaced, short=short)]
    if other is not None:
        data["benchmark"], notes = against(series, other, given)
        warnings += [*other.warnings, *notes]
    return FinanceResult(
        data=data,
        as_of=series.as_of,
        instrument=series.instrument,
        tz=series.tz,
        calendar=series.calendar,
        sessions_behind=series.sessions_behind,
        units={**_UNITS, **(AGAINST_UNITS if other else {})},
        adjustment=series.adjustment,
        method=Method(
            name="performance",
            convention=f"{_CONVENTION}{AGAINST if other else ''}; {spaced.basis}; rf = {rf:g} a year",
            n=len(series.values) - 1,
        ),
        sources=cited([series, *((other,) if other else ())]),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _figures(series: Observed, per_year: float | None, yearly_by: float | None, rf: float) -> dict[str, object]:
    returns = series.returns()
    spread = deviation(returns)
    yearly = annual_growth(series.total, yearly_by / len(returns) if yearly_by else None)
    by_days = None if too_short(series.days) else _YEAR / (series.days[-1] - series.days[0]).days
    fall = max_drawdown(series.values)
    worst, best = (returns.index(edge(returns)) for edge in (min, max))
    return {
        "n_returns": len(returns),
        "first": series.days[0],
        "last": series.days[-1],
        "total_return": stat(series.total),
        "cagr_periods": stat(yearly),
        "cagr_calendar": stat(annual_growth(series.total, by_days)),
        "volatility": stat(spread * math.sqrt(per_year)) if spread is not None and per_year else None,
        "sharpe": stat(sharpe(returns, yearly_by, rf)),
        "sortino": stat(sortino(returns, yearly_by)),
        "calmar": stat(yearly / -fall.depth) if yearly is not None and fall.depth else None,
        "max_drawdown": {
            "depth": stat(fall.depth),
            "peak": series.day(fall.peak),
            "trough": series.day(fall.trough),
            "recovery": series.day(fall.recovery),
        },
        "best": {"return": stat(returns[best]), "date": series.days[best + 1]},
        "worst": {"return": stat(returns[worst]), "date": series.days[worst + 1]},
        "skew": stat(skewness(returns)),
        "excess_kurtosis": stat(excess_kurtosis(returns)),
    }


def _undefined(data: dict[str, object], series: Observed, spaced: Spacing, *, short: bool) -> list[str]:
    notes = []
    known = spaced.per_year is not None and not short
    if short:
        notes.append(_TOO_SHORT)
    elif (series.days[-1] - series.days[0]).days < _YEAR - 1:
        notes.append("less than a year of data: annualised figures assume that it goes on like that")
    if len(series.values) < 3:  # noqa: PLR2004 - one return has no deviation
        notes.append("one return only: volatility and ratios are undefined and null")
    elif data["sharpe"] is None and known:
        notes.append("returns do not vary: sharpe is undefined and null")
    if data["sortino"] is None and known:
        notes.append("no return is below 0: sortino is undefined and null")
    if not too_short(series.days) and (data["cagr_calendar"] is None or (data["cagr_periods"] is None and known)):
        notes.append(f"the annualised growth is too large to mean anything, above {MOST_GROWTH:g}: null")
    return notes
