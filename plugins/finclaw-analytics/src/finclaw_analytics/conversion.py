"""Prices in another currency, each at the exchange rate of its day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk import Source, ToolContext
from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.currencies import normal_code
from finclaw_market.exchange_rates import Rate, daily_rates

_STALE_DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """Values in the other currency, where the rates are from, and warnings about them."""

    values: tuple[float, ...]
    sources: tuple[Source, ...]
    warnings: tuple[str, ...]


def currency_code(given: str) -> str:
    """The code of a currency that amounts are converted to.

    Raises:
        ToolError: BAD_INPUT: it is none.
    """
    try:
        return normal_code(given)
    except BadOption as error:
        raise bad_input(str(error)) from None


def converted(
    label: str, prices: Sequence[tuple[date, float]], codes: tuple[str | None, str], ctx: ToolContext
) -> Converted:
    """Convert prices from the first currency to the second.

    Args:
        label: the symbol of the prices.
        prices: date and price, oldest first.
        codes: of the prices (None where it is not known) and to convert to.
        ctx: of the call.

    Raises:
        ToolError: BAD_INPUT: a currency is not known or has no rates; NO_DATA: no rate near a day.
    """
    own, target = codes
    if own is None:
        raise bad_input(f"the currency of {quoted(label)} is not known, so it cannot be converted to {target}")
    days = [day for day, _ in prices]
    rates = daily_rates(own, target, ctx, days)
    stale = [rate for day, rate in zip(days, rates, strict=True) if rate.day and (day - rate.day).days > _STALE_DAYS]
    note = f"{label}: {len(stale)} of {len(days)} prices are converted at a rate more than {_STALE_DAYS} days older"
    return Converted(
        values=tuple(price * float(rate.value) for (_, price), rate in zip(prices, rates, strict=True)),
        sources=_sources(rates),
        warnings=(note,) if stale else (),
    )


def _sources(rates: Sequence[Rate]) -> tuple[Source, ...]:
    """The files of the rates, each with the first and the last day that is used of it."""
    days: dict[Source, list[date]] = {}
    for rate in rates:
        if rate.source is not None and rate.day is not None:
            days.setdefault(replace(rate.source, rows=None), []).append(rate.day)
    return tuple(replace(source, rows=f"{min(used)}..{max(used)}") for source, used in days.items())
