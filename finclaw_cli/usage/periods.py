"""Days, weeks and months in a time zone, as stretches of the ledger's own time.

Their ends are reckoned here and not in SQL, which knows nothing of summer time; a stretch is then a range of an index.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal, get_args

from finclaw_cli.core.record import record
from finclaw_cli.usage.rows import milliseconds

Unit = Literal["day", "week", "month"]
UNITS: tuple[Unit, ...] = get_args(Unit)


@record
class Stretch:
    """Milliseconds from `start` on and before `end`, of which each is on `first` or a later day of the same unit."""

    first: date
    start: int
    end: int

    def label(self, unit: Unit) -> str:
        """What the unit is called that it lies in: `2026-11-20`, `2026-W47`, `2026-11`."""
        match unit:
            case "day":
                return self.first.isoformat()
            case "week":
                year, week, _ = self.first.isocalendar()
                return f"{year}-W{week:02}"
            case "month":
                return f"{self.first:%Y-%m}"


def labels_between(unit: Unit, first: str, last: str) -> Iterator[str]:
    """What units are called from the first to the last of them, as `Stretch.label` does; both are given as well."""
    day = _day_of(first, unit)
    while day <= _day_of(last, unit):
        yield Stretch(day, 0, 0).label(unit)
        day = _next(day, unit)


def _day_of(label: str, unit: Unit) -> date:
    return date.fromisoformat(f"{label}-1" if unit == "week" else f"{label}-01" if unit == "month" else label)


def finest(units: list[Unit]) -> Unit:
    """The unit that fits into all of these; weeks and months share nothing longer than a day."""
    return units[0] if len(set(units)) == 1 else "day"


def stretch_at(moment: int, unit: Unit, zone: tzinfo) -> Stretch:
    """The day, week or month in which a moment lies."""
    first = _first_day(datetime.fromtimestamp(moment // 1000, UTC).astimezone(zone).date(), unit)
    start, end = _midnight(first, zone), _midnight(_next(first, unit), zone)
    return Stretch(first, min(start, moment), max(end, moment + 1))


def _first_day(day: date, unit: Unit) -> date:
    match unit:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)


def _next(first: date, unit: Unit) -> date:
    match unit:
        case "day":
            return first + timedelta(days=1)
        case "week":
            return first + timedelta(days=7)
        case "month":
            return (first + timedelta(days=31)).replace(day=1)


def _midnight(day: date, zone: tzinfo) -> int:
    return milliseconds(datetime(day.year, day.month, day.day, tzinfo=zone))
