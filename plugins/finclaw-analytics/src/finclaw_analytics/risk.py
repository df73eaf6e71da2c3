"""`risk`: what may be lost at a confidence level, what it hangs on, and how concentrated it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from finclaw_analytics.alignment import CONVENTION as ALIGNMENT
from finclaw_analytics.alignment import aligned, unlike
from finclaw_analytics.moments import beta, correlation, deviation
from finclaw_analytics.numbers import bad_input, not_enough, stat, within
from finclaw_analytics.observed import Observed, cited, observed, span_of, stored, undoubted
from finclaw_analytics.pairs import Pairs
from finclaw_analytics.portfolio import Meaning, Portfolio, components, portfolio
from finclaw_analytics.spacing import Spacing, common_spacing, spacing
from finclaw_analytics.tails import Tail, Way
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, tool
from finclaw_cli.sdk.render import shortest_number

_LEAST = 10
_TOP = 5
_DAILY = 200
_CONVENTION = {
    "historical": "var = (1-level) quantile of simple returns, interpolated linearly at (n-1)(1-level), × √horizon; "
    "cvar = mean of the returns at or below that quantile, × √horizon",
    "normal": "var = mean × h + z(1-level) × std (ddof=1) × √h; cvar = mean × h - std × √h × pdf(z) / (1-level), "
    "h = horizon",
}
_COMMON = (
    "both as returns, a loss is negative; volatility = std (ddof=1) × √periods per year; beta = cov / var and "
    f"correlation = Pearson with the benchmark; holdings and benchmark on {ALIGNMENT}"
)
_HELD = (
    "; weights held constant (rebalanced each period); component_var of a holding sums to var: {way}; hhi = sum of "
    "squared shares |weight| / sum |weight|, effective_holdings = 1 / hhi"
)
_COMPONENT = {
    "historical": "weight × cov(holding, portfolio) / var(portfolio) × var",
    "normal": "weight × (its mean × h + z √h cov(holding, portfolio) / std(portfolio))",
}
_UNITS = {**dict.fromkeys(("var", "cvar", "volatility"), "1 (fraction)"), "horizon": "periods"}
_HELD_UNITS = {
    **dict.fromkeys(("weight", "component_var", "share_of_var", "hhi", "top_weight"), "1 (fraction)"),
    "effective_holdings": "holdings",
}
_EXAMPLE = {"values": [[f"2024-01-{day:02}", 100 + day % 3] for day in range(1, 31)]}


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=(_EXAMPLE,))
def risk(
    ctx: ToolContext,
    *,
    symbol: str | None = None,
    holdings: dict[str, Decimal] | None = None,
    holdings_are: Meaning = "weights",
    values: Pairs | None = None,
    level: float = 0.95,
    horizon: int = 1,
    method: Way = "historical",
    benchmark: str | None = None,
    currency: str | None = None,
    start: date | None = None,
    period: str | None = None,
    as_of: date | None = None,
) -> FinanceResult:
    """Value at risk, expected shortfall, beta, correlation; for holdings also each one's part and concentration.

    Args:
        ctx: given by finclaw.
        symbol: in the price store; or holdings, or values.
        holdings: number by symbol, negative when short.
        holdings_are: weights that sum to 1, or quantities.
        values: pairs of date and value, oldest first.
        level: confidence.
        horizon: in periods of the series; days for daily prices.
        method: how VaR is found.
        benchmark: symbol for beta and correlation.
        currency: convert prices to it at each day's rate.
        start: first date.
        period: as in performance.
        as_of: use nothing later.
    """
    within("level", level, 0.5, 0.9999)
    within("horizon", horizon, 1, 2_520)
    if sum(given is not None for given in (symbol, holdings, values)) != 1:
        raise bad_input("give one of symbol, holdings and values")
    span = span_of(ctx, period, start, as_of, currency)
    held = portfolio(holdings, holdings_are, ctx, span) if holdings is not None else None
    series = held.series if held else (undoubted(observed(symbol, values, ctx, span)),)
    other = undoubted(stored(benchmark, ctx, span)) if benchmark is not None else None
    return replace(_answer(Tail(level, horizon, method), held, series, other), period=span.period)


def _answer(tail: Tail, held: Portfolio | None, series: tuple[Observed, ...], other: Observed | None) -> FinanceResult:
    returns = held.returns() if held else series[0].returns()
    _check_count(returns, tail)
    spaced = common_spacing(series[0].days, thinned=held.thinned) if held else spacing(series[0].days, None)
    data = _figures(returns, tail, spaced)
    warnings = [*(held or series[0]).warnings, *spaced.warnings, *_remarks(returns, tail, spaced)]
    if held:
        data |= _held(held, returns, tail)
    if other is not None:
        data["benchmark"], notes = _against(held, series, other)
        warnings += [*other.warnings, *notes]
    components = _HELD.format(way=_COMPONENT[tail.method]) if held else ""
    return FinanceResult(
        data=data,
        as_of=series[0].as_of,
        instrument=None if held else series[0].instrument,
        tz=series[0].tz,
        calendar=series[0].calendar,
        sessions_behind=series[0].sessions_behind,
        units={**_UNITS, **(_HELD_UNITS if held else {})},
        adjustment="; ".join(dict.fromkeys(one.adjustment or "unstated" for one in series)),
        method=Method(
            name=f"{tail.method}_var",
            convention=f"{_CONVENTION[tail.method]}; {_COMMON}{components}; {spaced.basis}",
            n=len(returns),
        ),
        sources=cited([*series, *((other,) if other else ())]),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _check_count(returns: Sequence[float], tail: Tail) -> None:
    needed = math.ceil(round(1 / (1 - tail.level), 6)) if tail.method == "historical" else _LEAST
    needed = max(needed, _LEAST)
    if len(returns) < needed:
        raise not_enough(f"{tail.method} VaR at level {tail.level:g} needs {needed} returns, had {len(returns)}")


def _figures(returns: Sequence[float], tail: Tail, spaced: Spacing) -> dict[str, object]:
    spread = deviation(returns)
    root = math.sqrt(spaced.per_year) if spaced.per_year else None
    return {
        "n_returns": len(returns),
        "level": tail.level,
        "horizon": tail.horizon,
        "var": stat(tail.var(returns)),
        "cvar": stat(tail.cvar(returns)),
        "volatility": stat(spread * root) if spread is not None and root else None,
    }


def _remarks(returns: Sequence[float], tail: Tail, spaced: Spacing) -> list[str]:
    notes = []
    if spaced.per_year is None or spaced.per_year < _DAILY:
        notes.append(f"the series is not daily: horizon {tail.horizon} counts its periods, not days")
    if not deviation(returns):
        notes.append("the returns do not vary: they say nothing about risk")
    if tail.var(returns) < -1:
        notes.append("var is below -1, more than everything: the scaling does not hold for this horizon")
    return notes


def _held(held: Portfolio, returns: Sequence[float], tail: Tail) -> dict[str, object]:
    parts = components(held, returns, tail)
    gross = math.fsum(abs(weight) for weight in held.weights)
    hhi = math.fsum((weight / gross) ** 2 for weight in held.weights)
    total = tail.var(returns)
    rows = [
        {
            "symbol": one.label,
            "weight": stat(weight),
            "component_var": stat(part),
            "share_of_var": stat(part / total) if part is not None and total else None,
        }
        for one, weight, part in zip(held.series, held.weights, parts, strict=True)
    ]
    ranked = sorted(zip(held.series, held.weights, strict=True), key=lambda pair: -abs(pair[1]))[:_TOP]
    concentration = {
        "hhi": stat(hhi),
        "effective_holdings": stat(1 / hhi),
        "top": [one.label for one, _ in ranked],
        "top_weight": stat(math.fsum(abs(weight) for _, weight in ranked) / gross),
    }
    data: dict[str, object] = {"holdings": rows, "concentration": concentration}
    if held.value is not None:
        from finclaw_market.currencies import rounded

        loss = rounded(held.value * Decimal(repr(total)), held.currency or "")
        data["value"] = {"amount": shortest_number(held.value), "currency": held.currency}
        data["var_amount"] = {"amount": shortest_number(loss), "currency": held.currency}
    return data


def _against(
    held: Portfolio | None, series: tuple[Observed, ...], other: Observed
) -> tuple[dict[str, object], tuple[str, ...]]:
    common = aligned([*series, other])
    *own, there = common.series
    returns = replace(held, series=tuple(own)).returns() if held else own[0].returns()
    market = there.returns()
    figures: dict[str, object] = {
        "symbol": there.label,
        "n_returns": len(market),
        "beta": stat(beta(returns, market)),
        "correlation": stat(correlation(returns, market)),
    }
    return figures, (*common.warnings, *unlike([*series, other]))
