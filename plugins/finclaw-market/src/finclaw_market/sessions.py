"""Days without a holiday calendar: every weekday counts as a session, and results say so."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

CALENDAR = "weekdays"
_WEEK = 7
_WORKING_DAYS = 5


def today(tz: str | None = None) -> date:
    """Today's date where the instrument trades; in UTC where that is not known."""
    try:
        zone = ZoneInfo(tz) if tz else UTC
    except (ZoneInfoNotFoundError, ValueError):
        zone = UTC
    return datetime.now(zone).date()


def weekdays_after(first: date, last: date) -> int:
    """How many weekdays there are after `first`, up to and including `last`; 0 where `last` is not later."""
    days = (last - first).days
    if days <= 0:
        return 0
    weeks, rest = divmod(days, _WEEK)
    partial = sum((first.weekday() + step) % _WEEK < _WORKING_DAYS for step in range(1, rest + 1))
    return weeks * _WORKING_DAYS + partial


def last_weekday_of_week(day: date) -> date:
    """The Friday of that week; for a weekend session the day itself."""
    return day + timedelta(days=max(0, _WORKING_DAYS - 1 - day.weekday()))


def last_weekday_of_month(day: date) -> date:
    """The month's last weekday, or the day itself where it is a weekend day after it."""
    first_of_next = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    last = first_of_next - timedelta(days=1)
    while last.weekday() >= _WORKING_DAYS:
        last -= timedelta(days=1)
    return max(last, day)
