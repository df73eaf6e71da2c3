"""The days that the arguments of a call ask for."""

from __future__ import annotations

from datetime import UTC, date, datetime

from finclaw_cli.core.finance import Period, no_data
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.sdk.periods.reading import LONGEST, read_period
from finclaw_cli.sdk.render import bounded, quoted


@record(kw_only=True)
class AskedDays:
    """The days that a call is about, both included; None where it gives none."""

    start: date | None = None
    end: date | None = None
    period: Period | None = None
    """What the words of its period were read as."""


def known_days(
    ctx: ToolContext, period: str | None, start: date | None = None, end: date | None = None, as_of: date | None = None
) -> AskedDays:
    """Read the days that the arguments of a call mean; a period that goes on ends on the day taken for today.

    Args:
        ctx: of the call.
        period: words, or None for `start` and `end` as they are.
        start: first day, where there is no period.
        end: last day, where there is no period.
        as_of: the call's own date, which is taken for today where it is the earliest.

    Raises:
        ToolError: BAD_INPUT: the period cannot be read, begins in the future, or is given beside a start or an end.
    """
    asked, today = asked_days(ctx, period, start, end, as_of), today_of(ctx, as_of)
    if period is None or asked.start is None or asked.end is None:
        return asked
    if asked.start > today:
        raise no_data(f"period {quoted(period)} begins after {today}, the last day that is known", code="BAD_INPUT")
    last = min(asked.end, today)
    return AskedDays(start=asked.start, end=last, period=named(period, asked.start, last))


def asked_days(
    ctx: ToolContext, period: str | None, start: date | None = None, end: date | None = None, as_of: date | None = None
) -> AskedDays:
    """The same with a period to its own end, in the future or not."""
    if period is None:
        return AskedDays(start=start, end=end)
    if start is not None or end is not None:
        raise no_data("give either a period, or start and end", code="BAD_INPUT")
    days = read_period(period, today_of(ctx, as_of))
    return AskedDays(start=days.first, end=days.last, period=named(period, days.first, days.last))


def named(words: str, first: date, last: date) -> Period:
    """The words of a period with the days that they were read as, for a result."""
    return Period(words=bounded(words.strip(), LONGEST), start=first.isoformat(), end=last.isoformat())


def today_of(ctx: ToolContext, as_of: date | None = None) -> date:
    """The day that a call takes for today: the earliest of today in the user's time zone, the run's and the call's."""
    here = datetime.now(UTC).astimezone().date()
    return min(day for day in (here, ctx.as_of, as_of) if day is not None)
