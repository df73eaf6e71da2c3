"""Words and ISO 8601 as days."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date, timedelta

from finclaw_cli.core.finance import no_data
from finclaw_cli.core.record import record
from finclaw_cli.sdk.months import months_after
from finclaw_cli.sdk.periods.words import DURATION, in_english
from finclaw_cli.sdk.render import quoted

FORMS = (
    "today, this week, last month, this quarter, last year, last 12 months, past 90 days, year to date, ytd, "
    "since 2024-03-01, 2024-03-01 to 2024-04-15, 2024, 2024-Q1, 2024-H1, 2024-05, 2024-W05, 2024-05-17, "
    "2024-01-01/2024-03-31, 2024-01-01/P3M, P3M"
)
"""The forms that an error names."""
LONGEST = 80
"""Characters that the words of a period may have."""
_DAY = timedelta(days=1)
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}
_TO_DATE = {"wtd": "week", "mtd": "month", "qtd": "quarter", "ytd": "year"}
_WORDS_TO_DATE = {f"{unit} to date": short for short, unit in _TO_DATE.items()}


@record
class Days:
    """From a first day to a last one, both included; the first is not after the last."""

    first: date
    last: date


def read_period(words: str, today: date) -> Days:
    """Read a period.

    Args:
        words: in English or Korean, or in ISO 8601.
        today: what words such as `last month` are relative to.

    Raises:
        ToolError: BAD_INPUT: it cannot be read, or it ends before it begins; with the forms that can.
    """
    text = " ".join(unicodedata.normalize("NFKC", words[: LONGEST + 1]).casefold().split())
    try:
        found = _read(in_english(text), today) if text and len(words) <= LONGEST else None
    except (ValueError, OverflowError):  # a day or a year that the calendar does not have
        found = None
    if found is None:
        raise no_data(f"period {quoted(words)} cannot be read; its forms are {FORMS}", code="BAD_INPUT")
    if found.first > found.last:
        why = f"begins on {found.first} and ends on {found.last}"
        raise no_data(f"period {quoted(words)} {why}: the first day has to come first", code="BAD_INPUT")
    return found


def unit_around(day: date, unit: str) -> Days:
    """The day, week, month, quarter, half or year that a day lies in."""
    if unit == "day":
        return Days(day, day)
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return Days(monday, monday + timedelta(days=6))
    length = _MONTHS[unit]
    first = date(day.year, (day.month - 1) // length * length + 1, 1)
    return Days(first, months_after(first, length - 1, month_end=True))


def _read(text: str, today: date) -> Days | None:
    """The days of words in small letters; None where they cannot be read."""
    text = _WORDS_TO_DATE.get(text, text)
    if text.startswith("since "):
        return _since(text.removeprefix("since "), today)
    for sign in ("/", " to ", " until ", " through "):
        left, found, right = text.removeprefix("from ").partition(sign)
        if found:
            return _between(left.strip(), right.strip(), today)
    for pattern, reading in _FORMS:
        if match := pattern.fullmatch(text):
            return reading(match, today)
    return None


def _this(match: re.Match[str], today: date) -> Days:
    return unit_around(today, match[1])


def _last(match: re.Match[str], today: date) -> Days:
    return unit_around(unit_around(today, match[1]).first - _DAY, match[1])


def _next(match: re.Match[str], today: date) -> Days:
    return unit_around(unit_around(today, match[1]).last + _DAY, match[1])


def _to_date(match: re.Match[str], today: date) -> Days:
    return Days(unit_around(today, _TO_DATE[match[0]]).first, today)


def _rolling(match: re.Match[str], today: date) -> Days | None:
    count = int(match[1] or 1)
    return _before(today, *_span(count, match[2]))


def _span(count: int, unit: str) -> tuple[int, int]:
    """So many months and days."""
    return (0, count * (7 if unit == "week" else 1)) if unit in {"day", "week"} else (count * _MONTHS[unit], 0)


def _before(last: date, months: int, days: int) -> Days | None:
    """So many months and days that end on a day."""
    first = months_after(last + _DAY, -months) - timedelta(days=days)
    return Days(first, last) if first <= last else None


def _after(first: date, months: int, days: int) -> Days | None:
    """So many months and days that begin on a day."""
    last = months_after(first, months) + timedelta(days=days) - _DAY
    return Days(first, last) if first <= last else None


def _since(text: str, today: date) -> Days | None:
    begins = _read(text, today)
    return None if begins is None else Days(begins.first, max(today, begins.first))


def _between(left: str, right: str, today: date) -> Days | None:
    if right == "..":
        return _since(left, today)
    before, after = _length(left), _length(right)
    if before is not None:
        ends = None if after else _read(right, today)
        return None if ends is None else _before(ends.last, *before)
    begins = _read(left, today)
    if begins is None or after is not None:
        return None if begins is None or after is None else _after(begins.first, *after)
    ends = _read(right, today)
    return None if ends is None else Days(begins.first, ends.last)


def _length(text: str) -> tuple[int, int] | None:
    """The months and days of an ISO 8601 duration."""
    if not (match := DURATION.fullmatch(text)) or text == "p":
        return None
    years, months, weeks, days = (int(part or 0) for part in match.groups())
    return years * 12 + months, weeks * 7 + days


def _duration(match: re.Match[str], today: date) -> Days | None:
    length = _length(match[0])
    return None if length is None else _before(today, *length)


def _iso_unit(unit: str) -> Callable[[re.Match[str], date], Days]:
    length = _MONTHS[unit]
    return lambda match, _: unit_around(date(int(match[1]), (int(match[2]) - 1) * length + 1, 1), unit)


def _reversed(unit: str) -> Callable[[re.Match[str], date], Days]:
    length = _MONTHS[unit]
    return lambda match, _: unit_around(date(int(match[2]), (int(match[1]) - 1) * length + 1, 1), unit)


_UNIT = r"(day|week|month|quarter|half|year)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Days | None]], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (r"today", lambda _, today: Days(today, today)),
        (r"yesterday", lambda _, today: Days(today - _DAY, today - _DAY)),
        (r"(?:this|current) " + _UNIT, _this),
        (r"(?:last|previous) " + _UNIT, _last),
        (r"next " + _UNIT, _next),
        (r"(?:last|past) ([0-9]{1,5}) (day|week|month|quarter|year)s?", _rolling),
        (r"past ()(day|week|month|quarter|year)", _rolling),
        (r"[wmqy]td", _to_date),
        (r"([0-9]{4})", lambda match, _: unit_around(date(int(match[1]), 1, 1), "year")),
        (r"([0-9]{4})[- ]?q([1-4])", _iso_unit("quarter")),
        (r"q([1-4])[- ]?([0-9]{4})", _reversed("quarter")),
        (r"([0-9]{4})[- ]?h([12])", _iso_unit("half")),
        (r"([0-9]{4})-([0-9]{2})", _iso_unit("month")),
        (r"([0-9]{4})-?w([0-9]{2})", lambda match, _: unit_around(_monday(match), "week")),
        (r"([0-9]{4}-[0-9]{2}-[0-9]{2})", lambda match, _: unit_around(date.fromisoformat(match[1]), "day")),
        (r"p[0-9ymwd]+", _duration),
    )
)


def _monday(match: re.Match[str]) -> date:
    return date.fromisocalendar(int(match[1]), int(match[2]), 1)
