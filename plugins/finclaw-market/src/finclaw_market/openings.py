"""`market_sessions`: on which days an exchange trades."""

from __future__ import annotations

from datetime import date

from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, no_data, tool
from finclaw_cli.sdk.periods import AskedDays, asked_days, named
from finclaw_cli.sdk.render import quoted
from finclaw_market.calendars import (
    LIBRARY,
    WEEKDAYS,
    Calendar,
    calendar_code,
    calendar_for,
    installed_library,
    zone_of,
)

_MAX_DAYS = 15_000
_MAX_LISTED = 400


@tool(
    group="finance",
    read_only=True,
    idempotent=True,
    timeout=20,
    examples=({"exchange": "XNYS", "start": "2025-12-22", "end": "2026-01-02"},),
)
def market_sessions(
    exchange: str, ctx: ToolContext, *, start: date | None = None, end: date | None = None, period: str | None = None
) -> FinanceResult:
    """The days on which an exchange trades and its holidays.

    Args:
        exchange: ISO 10383 code, e.g. "XNYS", "XLON", "XKRX".
        ctx: given by finclaw.
        start: first date.
        end: last date.
        period: e.g. "last month", "2024-Q1".
    """
    code = calendar_code(exchange)
    if code is None:
        raise no_data(f"exchange {quoted(exchange)} is not an ISO 10383 code such as XNYS", code="BAD_INPUT")
    (start, end), cut = _seen(ctx, asked_days(ctx, period, start, end))
    calendar = calendar_for(code, ctx.home, start, end)
    return FinanceResult(
        data=_data(exchange.strip().upper(), calendar, start, end),
        as_of=end.isoformat(),
        tz=calendar.zone or zone_of(code),
        calendar=calendar.name,
        units={"sessions": "session date", "holidays": "weekday without a session"},
        method=Method(name="market_sessions", convention=f"every day from {start} to {end}, both included"),
        sources=_sources(calendar),
        warnings=(*cut, *_warnings(calendar, code)),
        truncated=(end - start).days > _MAX_LISTED,
        period=None if period is None else named(period, start, end),
    )


def _seen(ctx: ToolContext, asked: AskedDays) -> tuple[tuple[date, date], tuple[str, ...]]:
    """The first and the last day that may be seen: which later ones have a session was not settled on the run's day.

    Raises:
        ToolError: BAD_INPUT: none or too many are asked for, or all are later.
    """
    start, end = asked.start, asked.end
    if start is None or end is None:
        raise no_data("give a period, or start and end", code="BAD_INPUT")
    if start > end or (end - start).days > _MAX_DAYS:
        why = "is after the end" if start > end else f"is more than {_MAX_DAYS} days before the end"
        raise no_data(f"start {start} {why}, {end}", code="BAD_INPUT")
    if ctx.as_of is None or end <= ctx.as_of:
        return (start, end), ()
    if start > ctx.as_of:
        raise no_data(f"start {start} is after {ctx.as_of}, the last day that may be seen", code="BAD_INPUT")
    return (start, ctx.as_of), (f"nothing after {ctx.as_of} is seen; the end is {ctx.as_of}",)


def _data(exchange: str, calendar: Calendar, start: date, end: date) -> dict[str, object]:
    sessions = calendar.sessions(start, end)
    is_short = (end - start).days <= _MAX_LISTED
    return {
        "exchange": exchange,
        "count": len(sessions),
        "first": sessions[0] if sessions else None,
        "last": sessions[-1] if sessions else None,
        **({"sessions": sessions} if is_short else {}),
        "holidays": sorted(day for day in calendar.closed if start <= day <= end)[-_MAX_LISTED:],
        **({"weekend_sessions": added} if (added := sorted(d for d in calendar.added if start <= d <= end)) else {}),
    }


def _sources(calendar: Calendar) -> tuple[Source, ...]:
    if calendar is WEEKDAYS:
        return ()
    return (Source(id="s1", kind="package", ref=f"{calendar.made_by}, calendar {calendar.name}", licence="Apache-2.0"),)


def _warnings(calendar: Calendar, code: str) -> tuple[str, ...]:
    if calendar is WEEKDAYS and installed_library() is None:
        how = 'pip install "finclaw-market[calendars]"'
        return (f"no holiday calendar: every weekday is listed; {LIBRARY} knows holidays: {how}",)
    if calendar is WEEKDAYS:
        return (f"{LIBRARY} knows no calendar {code} that covers these dates: every weekday is listed",)
    return ()
