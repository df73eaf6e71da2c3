"""The door for other plugins: the exchange rate of a day, with its date and source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_cli.sdk import Source, ToolContext, ToolError
from finclaw_market.currencies import whole_currency
from finclaw_market.reference_rates import check_known, rate_date, rates
from finclaw_market.sessions import today
from finclaw_market.user_rates import MAX_DAYS_BACK, UserRate, user_rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many units of one currency are one unit of another.

    `value` is exact. `day` is None for a currency and itself, or its minor unit.
    """

    value: Fraction
    day: date | None = None
    source: Source | None = None


def exchange_rate(source: str, target: str, ctx: ToolContext, day: date) -> Rate:
    """The reference rate of the European Central Bank on a day or the last one before, or the user's own where newer.

    Args:
        source: currency code, or a minor unit as GBp.
        target: the same.
        ctx: of the call; nothing after its date is used.
        day: of the rate.

    Raises:
        ToolError: BAD_INPUT: no rates are known for a currency; NO_DATA: none near that day.
    """
    pair = _Pair(source, target)
    if pair.is_one:
        return Rate(value=pair.scale)
    latest = min(ctx.as_of or today(), today())
    wanted = min(day, latest)
    return _rate(pair, (wanted, latest), user_rate(ctx.home, pair.codes, wanted, days_back=MAX_DAYS_BACK))


def daily_rates(source: str, target: str, ctx: ToolContext, days: Sequence[date]) -> list[Rate]:
    """The rates of many days, each as `exchange_rate` has it; the user's own are looked for only where there are any.

    Raises:
        ToolError: as `exchange_rate`.
    """
    pair = _Pair(source, target)
    if pair.is_one:
        return [Rate(value=pair.scale)] * len(days)
    latest = min(ctx.as_of or today(), today())
    has_own = user_rate(ctx.home, pair.codes, latest, days_back=latest.toordinal()) is not None
    if has_own:
        return [exchange_rate(source, target, ctx, day) for day in days]
    return [_rate(pair, (min(day, latest), latest), None) for day in days]


class _Pair:
    """Two codes: their currencies, and how many parts of one are a part of the other."""

    def __init__(self, source: str, target: str) -> None:
        (one, parts), (other, other_parts) = whole_currency(source), whole_currency(target)
        self.codes = one, other
        self.scale = Fraction(other_parts, parts)

    @property
    def is_one(self) -> bool:
        return self.codes[0] == self.codes[1]


def _rate(pair: _Pair, days: tuple[date, date], own: UserRate | None) -> Rate:
    """The rate of the first of two days; the second is the last that may be seen."""
    (one, other), scale = pair.codes, pair.scale
    wanted, latest = days
    try:
        known = rates()
        check_known(known, (one, other), latest)
        found = rate_date(known, (one, other), (wanted, latest), exact=False)
    except ToolError:
        if own is None:
            raise
    else:
        if own is None or own.day <= found:
            per_euro = [Fraction(known.per_euro(code, found) or Decimal(1)) for code in (other, one)]
            rows = replace(known.source, rows=found.isoformat())
            return Rate(value=per_euro[0] / per_euro[1] * scale, day=found, source=rows)
    return Rate(value=Fraction(own.rate) * scale, day=own.day, source=own.source)
