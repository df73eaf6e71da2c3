"""The door for other plugins: the exchange rate of a day, with its date and source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_cli.sdk import Source, ToolContext, ToolError
from finclaw_market.currencies import whole_currency
from finclaw_market.reference_rates import check_known, rate_date, rates
from finclaw_market.sessions import today
from finclaw_market.user_rates import MAX_DAYS_BACK, user_rate


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
    (one, parts), (other, other_parts) = whole_currency(source), whole_currency(target)
    scale = Fraction(other_parts, parts)
    if one == other:
        return Rate(value=scale)
    latest = min(ctx.as_of or today(), today())
    wanted = min(day, latest)
    own = user_rate(ctx.home, (one, other), wanted, days_back=MAX_DAYS_BACK)
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
