from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta


def weekdays(first: date, count: int) -> Iterator[date]:
    day = first
    while count:
        if day.weekday() < 5:
            yield day
            count -= 1
        day += timedelta(days=1)
