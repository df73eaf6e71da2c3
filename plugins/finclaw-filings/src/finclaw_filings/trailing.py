"""Trailing twelve months: a fiscal year that ends there, or the sum of its four last quarters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, localcontext

from finclaw_filings.periods import ANNUAL, EXACT, Derived, Known, Period, Report, near

_QUARTERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Trailing:
    """Twelve months that no filing has as such."""

    period: Period
    value: Decimal
    quarters: tuple[Known | Derived, ...]
    """The four quarters, the last one first."""


def trailing_years(
    years: Mapping[date, Known], quarters: Mapping[date, Known | Derived]
) -> dict[date, Known | Trailing]:
    """The twelve months up to the end of each quarter, by their last day.

    Args:
        years: the fiscal years by their end, which count as reported.
        quarters: the quarters by their end; none of values that do not add up.
    """
    found: dict[date, Known | Trailing] = dict(years)
    for end in quarters:
        if near(end, found) is None:
            chain = _chain(end, quarters)
            period = Period(end=end, start=chain[-1].period.start)
            if len(chain) == _QUARTERS and period.days in ANNUAL:
                found[end] = Trailing(period=period, value=_sum(chain), quarters=tuple(chain))
    return found


def _chain(end: date, quarters: Mapping[date, Known | Derived]) -> list[Known | Derived]:
    """Up to four quarters, each of which ends when the one before it in the list begins."""
    chain: list[Known | Derived] = []
    at: date | None = end
    while at is not None and len(chain) < _QUARTERS:
        chain.append(quarters[at])
        start = chain[-1].period.start
        at = near(start - timedelta(days=1), quarters) if start is not None else None
    return chain


def _sum(chain: list[Known | Derived]) -> Decimal:
    with localcontext(prec=EXACT):
        return sum((amount(quarter) for quarter in chain), Decimal(0))


def amount(found: Known | Derived | Trailing) -> Decimal:
    """The value of a period: the latest report of it, or what follows from reports."""
    return found.latest.value if isinstance(found, Known) else found.value


def reports_of(found: Known | Derived | Trailing) -> list[Report]:
    """The reports that a value is, or follows from."""
    if isinstance(found, Known):
        return [found.latest]
    if isinstance(found, Derived):
        return list(found.used)
    return [report for quarter in found.quarters for report in reports_of(quarter)]
