"""`compare`: several symbols side by side, over the dates that all of them have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finclaw_analytics.alignment import CONVENTION as ALIGNMENT
from finclaw_analytics.alignment import Aligned, aligned, unlike
from finclaw_analytics.drawdown import max_drawdown
from finclaw_analytics.moments import correlation, deviation
from finclaw_analytics.numbers import bad_input, not_enough, stat
from finclaw_analytics.observed import Observed, Span, cited, span_of, stored, undoubted
from finclaw_analytics.ratios import annual_growth, sharpe
from finclaw_analytics.spacing import common_spacing, too_short
from finclaw_analytics.sparks import sparks
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, ToolError, tool
from finclaw_cli.sdk.render import error_text

_FEWEST, _MOST = 2, 20
_POINTS = 13
# Days that a series may begin or end beside another without a warning.
_LATE = 7
_YEAR = 365.25
_COLUMNS = ("symbol", "currency", "total_return", "cagr", "volatility", "sharpe", "max_drawdown", "peak", "trough")
_FRACTIONS = ("total_return", "cagr", "volatility", "max_drawdown")
_CONVENTION = (
    f"on {ALIGNMENT}; cagr = (1+total)^(365.25 / calendar days) - 1; volatility = std (ddof=1) × √periods per year; "
    "sharpe = mean / std (ddof=1) of returns × √periods per year, rf = 0; max_drawdown from its peak to its trough; "
    "correlation = Pearson, of returns; rebased: the first common value is 100; chart: one scale for all"
)
_TOO_SHORT = "less than 30 days in common: cagr and sharpe would say nothing of a year and are null"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The series that can be compared, and why the others cannot."""

    series: list[Observed]
    missing: dict[str, str]


@tool(group="finance", read_only=True, idempotent=True, timeout=30)
def compare(
    symbols: list[str],
    ctx: ToolContext,
    *,
    period: str | None = None,
    start: date | None = None,
    currency: str | None = None,
    as_of: date | None = None,
) -> FinanceResult:
    """Compare 2 to 20 stored symbols: return, CAGR, volatility, Sharpe, drawdown, correlations, chart.

    Args:
        symbols: which.
        ctx: given by finclaw.
        period: as in performance.
        start: first date.
        currency: convert to it.
        as_of: use nothing later.
    """
    wanted = list(dict.fromkeys(symbol.strip().upper() for symbol in symbols))
    if not _FEWEST <= len(wanted) <= _MOST:
        raise bad_input(f"{len(wanted)} different symbols are not between {_FEWEST} and {_MOST}")
    span = span_of(ctx, period, start, as_of, currency)
    read = _read(wanted, ctx, span)
    found = aligned(read.series)
    spaced = common_spacing(found.days, thinned=found.thinned)
    return FinanceResult(
        data=_data(found, spaced.per_year, read.missing),
        as_of=found.days[-1].isoformat(),
        units={**dict.fromkeys(_FRACTIONS, "1 (fraction)"), "sharpe": "1", "rebased": "first common value = 100"},
        adjustment="; ".join(dict.fromkeys(one.adjustment or "unstated" for one in found.series)),
        method=Method(name="compare", convention=f"{_CONVENTION}; {spaced.basis}", n=len(found.days) - 1),
        sources=cited(found.series),
        warnings=tuple(dict.fromkeys([*_warnings(read, found), *spaced.warnings])),
        period=span.period,
    )


def _read(symbols: Sequence[str], ctx: ToolContext, span: Span) -> _Read:
    read = _Read(series=[], missing={})
    for symbol in symbols:
        try:
            read.series.append(undoubted(stored(symbol, ctx, span)))
        except ToolError as error:
            read.missing[symbol] = error_text(error)
    if len(read.series) < _FEWEST:
        reasons = "; ".join(f"{symbol}: {why}" for symbol, why in read.missing.items())
        raise not_enough(f"two symbols with data are needed, had {len(read.series)}; {reasons}")
    return read


def _data(found: Aligned, per_year: float | None, missing: dict[str, str]) -> dict[str, object]:
    names = [one.label for one in found.series]
    returns = [one.returns() for one in found.series]
    matrix = [[stat(correlation(one, other)) for other in returns] for one in returns]
    rebased = [[100 * value / one.values[0] for value in one.values] for one in found.series]
    shown = _places(len(found.days))
    data: dict[str, object] = {
        "first": found.days[0],
        "last": found.days[-1],
        "n_returns": len(found.days) - 1,
        "columns": _COLUMNS,
        "rows": [_row(one, own, per_year) for one, own in zip(found.series, returns, strict=True)],
        "correlation": {
            "columns": ["symbol", *names],
            "rows": [[name, *row] for name, row in zip(names, matrix, strict=True)],
        },
        "rebased": {
            "columns": ["date", *names],
            "rows": [[found.days[at], *(round(line[at], 2) for line in rebased)] for at in shown],
        },
        "chart": sparks(dict(zip(names, rebased, strict=True)), found.days),
    }
    return {**data, "without_data": missing} if missing else data


def _row(one: Observed, returns: Sequence[float], per_year: float | None) -> list[object]:
    short = too_short(one.days)
    spread, fall = deviation(returns), max_drawdown(one.values)
    return [
        one.label,
        one.currency,
        stat(one.total),
        stat(annual_growth(one.total, None if short else _YEAR / (one.days[-1] - one.days[0]).days)),
        stat(spread * math.sqrt(per_year)) if spread is not None and per_year else None,
        stat(sharpe(returns, None if short else per_year, 0)),
        stat(fall.depth),
        one.day(fall.peak),
        one.day(fall.trough),
    ]


def _places(count: int) -> list[int]:
    """Places of the rebased values that are shown, evenly apart, the first and the last among them."""
    shown = min(count, _POINTS)
    return [round(at * (count - 1) / (shown - 1)) for at in range(shown)]


def _warnings(read: _Read, found: Aligned) -> list[str]:
    named = [f"without {', '.join(read.missing)}: no data that can be compared"] if read.missing else []
    late = [one for one in read.series if (one.days[0] - min(other.days[0] for other in read.series)).days > _LATE]
    begins = [f"{one.label} has data from {one.days[0]} only, so the comparison begins then" for one in late]
    ends = [one for one in read.series if (max(other.days[-1] for other in read.series) - one.days[-1]).days > _LATE]
    stops = [f"{one.label} has data to {one.days[-1]} only, so the comparison ends then" for one in ends]
    short = [_TOO_SHORT] if too_short(found.days) else []
    own = [warning for one in read.series for warning in one.warnings]
    return [*named, *begins, *stops, *short, *unlike(read.series), *found.warnings, *own]
