"""Fractions of a year between two dates, by the conventions that contracts name."""

from __future__ import annotations

import calendar
from datetime import date
from typing import Literal

DayCount = Literal["act/365f", "act/360", "act/act", "30/360"]

_SHORT_MONTH, _LONG_MONTH = 30, 31
_FEBRUARY = 2
NAMES: dict[DayCount, str] = {
    "act/365f": "actual days / 365 (fixed), as Excel's XIRR",
    "act/360": "actual days / 360",
    "act/act": "actual / actual ISDA: days in leap years / 366 + other days / 365",
    "30/360": "30/360 US: months of 30 days, with the end-of-February rule",
}


def year_fraction(start: date, end: date, convention: DayCount) -> float:
    """Years from start to end, negative where end is earlier.

    Sources: ISDA 2006 definitions 4.16 (b), (d), (e); 30/360 US as in SIA, Standard Securities Calculation Methods.
    """
    if end < start:
        return -year_fraction(end, start, convention)
    if convention == "act/365f":
        return (end - start).days / 365
    if convention == "act/360":
        return (end - start).days / 360
    if convention == "30/360":
        return days_30_360(start, end) / 360
    return _isda(start, end)


def _isda(start: date, end: date) -> float:
    if start.year == end.year:
        return (end - start).days / _length(start.year)
    first = (date(start.year, 12, 31) - start).days + 1
    last = (end - date(end.year, 1, 1)).days
    return first / _length(start.year) + (end.year - start.year - 1) + last / _length(end.year)


def _length(year: int) -> int:
    return 366 if calendar.isleap(year) else 365


def days_30_360(start: date, end: date) -> int:
    """Days between two dates where each month has 30 (US rule: the last of February counts as the 30th)."""
    first, last = start.day, end.day
    if _ends_february(start):
        if _ends_february(end):
            last = _SHORT_MONTH
        first = _SHORT_MONTH
    if last == _LONG_MONTH and first >= _SHORT_MONTH:
        last = _SHORT_MONTH
    first = min(first, _SHORT_MONTH)
    return 360 * (end.year - start.year) + 30 * (end.month - start.month) + last - first


def _ends_february(day: date) -> bool:
    return day.month == _FEBRUARY and day.day == calendar.monthrange(day.year, _FEBRUARY)[1]
