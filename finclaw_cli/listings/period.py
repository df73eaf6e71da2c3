"""The period of `--since` and `--until`, from dates and durations in the user's time zone."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.usage.entries import FIRST_YEAR, LAST_YEAR

_SPAN = re.compile(r"([0-9]{1,6})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}
_WEEK = re.compile(r"[0-9]{4}-W[0-9]{2}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_HINT = (
    "Give a day (2026-11-01), a week (2026-W45), a month (2026-11), a moment (2026-11-01T09:30), "
    "a time ago (7d, 24h, 2w), today or yesterday."
)


class LocalZone(tzinfo):
    """The system's time zone at any moment, with summer time, whether or not it has a name."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, moment: datetime | None) -> timedelta | None:  # noqa: ARG002 - required by tzinfo
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        """Local time; `fold` distinguishes the two occurrences of a repeated hour."""
        there = moment.replace(tzinfo=UTC).astimezone()
        first = there.replace(tzinfo=self, fold=0)
        return first if first.utcoffset() == there.utcoffset() else first.replace(fold=1)


@record
class Period:
    """From one moment, inclusive, to another, exclusive; either may be open."""

    since: datetime | None
    until: datetime | None


def period(since: str | None, until: str | None, now: datetime, zone: tzinfo) -> Period:
    """The period of `--since` and `--until`.

    Args:
        since: the option's value, or None; a day counts from its beginning.
        until: the same; a day counts to its end.
        now: the current moment, which durations are subtracted from.
        zone: the time zone of days.

    Raises:
        UsageError: one of them is no date, or the period is empty.
    """
    start = None if since is None else _moments("--since", since, now, zone)[0]
    end = None if until is None else _moments("--until", until, now, zone)[1]
    # In UTC: two moments of one zone would be compared by their local time.
    if start is not None and end is not None and start.astimezone(UTC) >= end.astimezone(UTC):
        raise UsageError(
            f"--since {since} is not before the end of --until {until}: the period is empty",
            hint="Leave one of them out, or swap them.",
        )
    return Period(start, end)


def begin(option: str, words: str) -> datetime:
    """The moment that an option names now, in the system's time zone; a day counts from its beginning.

    Raises:
        UsageError: it is no date.
    """
    return _moments(option, words, datetime.now(UTC), LocalZone())[0]


def _moments(option: str, words: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """The start and the end, exclusive, of an option's value."""
    try:
        found = _parsed(words.strip(), now.astimezone(zone), zone)
        if all(FIRST_YEAR <= moment.year <= LAST_YEAR for moment in found):
            return found
    except (ValueError, OverflowError):
        pass
    raise UsageError(f"{option}: {words!r} is no date", hint=_HINT)


def _parsed(words: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    if span := _SPAN.fullmatch(words):
        ago = (now.astimezone(UTC) - timedelta(hours=int(span[1]) * _HOURS[span[2]])).astimezone(zone)
        return ago, ago
    if (days := _days(words, now.date())) is not None:
        first, after = days
        return _midnight(first, zone), _midnight(after, zone)
    moment = datetime.fromisoformat(words)
    moment = moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
    return moment, moment


def _days(words: str, today: date) -> tuple[date, date] | None:
    """The first day and the last, exclusive; None where the value is not of whole days."""
    if words in {"today", "yesterday"}:
        day = today - timedelta(days=words == "yesterday")
        return day, day + timedelta(days=1)
    if _WEEK.fullmatch(words):
        monday = date.fromisoformat(f"{words}-1")
        return monday, monday + timedelta(days=7)
    if _MONTH.fullmatch(words):
        first = date.fromisoformat(f"{words}-01")
        return first, (first + timedelta(days=31)).replace(day=1)
    try:
        day = date.fromisoformat(words)
    except ValueError:
        return None
    return day, day + timedelta(days=1)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)
