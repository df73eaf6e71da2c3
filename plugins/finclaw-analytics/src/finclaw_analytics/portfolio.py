"""Holdings as one series of returns: their weights, and what each of them adds to the risk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Literal

from finclaw_analytics.alignment import Aligned, aligned, unlike
from finclaw_analytics.moments import covariance
from finclaw_analytics.numbers import bad_input
from finclaw_analytics.observed import Observed, Span, stored, undoubted
from finclaw_analytics.tails import Tail
from finclaw_cli.sdk import ToolContext

Meaning = Literal["weights", "quantities"]

_MOST = 50
_LARGEST = Decimal(10) ** 15
_ROUNDING = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Portfolio:
    """Aligned series and the weight of each (they sum to 1); `value` is known for quantities only."""

    series: tuple[Observed, ...]
    weights: tuple[float, ...]
    value: Decimal | None = None
    currency: str | None = None
    thinned: bool = False
    """Whether dates were dropped that only some of the series have."""
    warnings: tuple[str, ...] = ()

    def returns(self) -> list[float]:
        """The returns of the weights held constant: rebalanced at each date."""
        columns = [one.returns() for one in self.series]
        rows = zip(*columns, strict=True)
        return [math.fsum(weight * one for weight, one in zip(self.weights, row, strict=True)) for row in rows]


def components(held: Portfolio, total: Sequence[float], tail: Tail) -> list[float | None]:
    """What each holding adds to the value at risk: Euler's allocation, so that the parts sum to it.

    Normal: weight × (mean × h + z √h cov(holding, portfolio) / std(portfolio)), exactly (Jorion, Value at Risk, 7.2).
    Historical: weight × beta to the portfolio × VaR, because a quantile has no such derivative in a sample.
    """
    variance = covariance(total, total)
    if variance <= 0:
        return [None] * len(held.weights)
    columns = [one.returns() for one in held.series]
    betas = [covariance(column, total) / variance for column in columns]
    whole = tail.var(total)
    if tail.method == "historical":
        return [weight * one * whole for weight, one in zip(held.weights, betas, strict=True)]
    drift = fmean(total) * tail.horizon
    parts = zip(held.weights, betas, columns, strict=True)
    return [weight * (fmean(column) * tail.horizon + one * (whole - drift)) for weight, one, column in parts]


def portfolio(holdings: Mapping[str, Decimal], meaning: Meaning, ctx: ToolContext, span: Span) -> Portfolio:
    """Read the closes of all holdings and weigh them.

    Args:
        holdings: by symbol; negative for short positions.
        meaning: of the numbers: weights that sum to 1, or quantities, valued at the last common close.
        ctx: of the call.
        span: the dates asked for.

    Raises:
        ToolError: BAD_INPUT, NOT_ENOUGH_DATA, and those of the price store.
    """
    if not 1 <= len(holdings) <= _MOST:
        raise bad_input(f"{len(holdings)} holdings are not between 1 and {_MOST}")
    for symbol, number in holdings.items():
        if not number.is_finite() or number == 0 or abs(number) > _LARGEST:
            raise bad_input(f"holding {symbol[:32]!r}: {number:g} is not a number other than 0, up to 1e15")
    read = [undoubted(stored(symbol, ctx, span)) for symbol in holdings]
    if len({one.label for one in read}) < len(read):
        raise bad_input("one symbol is in the holdings twice")
    found = aligned(read)
    notes = (*found.warnings, *(warning for one in read for warning in one.warnings), *unlike(read))
    if meaning == "weights":
        weights, scaled = _weights([float(number) for number in holdings.values()])
        return Portfolio(series=found.series, weights=weights, thinned=found.thinned, warnings=(*scaled, *notes))
    return _valued(found, list(holdings.values()), notes)


def _weights(given: list[float]) -> tuple[tuple[float, ...], tuple[str, ...]]:
    total = math.fsum(given)
    if abs(total - 1) > _ROUNDING:
        raise bad_input(f"the weights sum to {total:g}, not to 1; for numbers of shares say holdings_are=quantities")
    exact = abs(total - 1) < 1e-9  # noqa: PLR2004 - thirds and sevenths written as floats
    notes = () if exact else (f"the weights sum to {total:.6g} and were divided by that",)
    return tuple(one / total for one in given), notes


def _valued(found: Aligned, quantities: list[Decimal], notes: tuple[str, ...]) -> Portfolio:
    series = found.series
    units = {one.unit for one in series}
    if len(units) > 1:
        raise bad_input(f"holdings are priced in {', '.join(sorted(units))}: quantities need one; give weights")
    amounts = [quantity * Decimal(repr(one.values[-1])) for quantity, one in zip(quantities, series, strict=True)]
    total = sum(amounts, Decimal(0))
    if total <= 0:
        raise bad_input(f"the holdings are worth {total:f} together: their weights are undefined")
    weights = tuple(float(amount / total) for amount in amounts)
    currency = series[0].currency
    return Portfolio(
        series=series, weights=weights, value=total, currency=currency, thinned=found.thinned, warnings=notes
    )
