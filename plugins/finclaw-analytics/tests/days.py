"""Dates for made-up series."""

from __future__ import annotations

from datetime import date, timedelta


def weekdays(first: date, count: int) -> list[date]:
    days: list[date] = []
    while len(days) < count:
        if first.weekday() < 5:
            days.append(first)
        first += timedelta(days=1)
    return days
