"""Dates a number of months apart."""

from __future__ import annotations

import calendar
from datetime import date


def months_after(day: date, months: int, *, month_end: bool = False) -> date:
    """The same day so many months later (or earlier), or the month's last where it has no such day.

    Args:
        day: to count from.
        months: negative for earlier.
        month_end: always the last of the month.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    length = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, length if month_end else min(day.day, length))


def ends_month(day: date) -> bool:
    """Whether it is its month's last day."""
    return day.day == calendar.monthrange(day.year, day.month)[1]


__all__ = ["ends_month", "months_after"]
