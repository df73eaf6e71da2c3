"""Days to weeks and months, and a series to the few numbers that matter. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Literal

from finclaw_market.bars import Bar, as_json_number, exact_text
from finclaw_market.calendars import WEEKDAYS, Calendar
from finclaw_market.sessions import last_weekday_of_month, last_weekday_of_week, weekdays_after

Interval = Literal["day", "week", "month"]
# More days than this between most bars, and the series is not daily.
DAILY_DAYS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The bars of one day, week or month as one bar, dated by its last session."""

    bar: Bar
    first: date
    sessions: int
    partial: bool = False


def periods(bars: Sequence[Bar], interval: Interval, *, start: date | None, seen_until: date) -> list[Period]:
    """Combine daily bars, oldest first, into the bars of an interval.

    Args:
        bars: daily bars, oldest first.
        interval: what to combine them into.
        start: where the window was asked to begin; a period that began before it is partial.
        seen_until: the last day that may be known about; a period that ends after it is partial, unless it is past.
    """
    if interval == "day":
        return [Period(bar=bar, first=bar.day, sessions=1) for bar in bars]
    key, end = (_week, last_weekday_of_week) if interval == "week" else (_month, last_weekday_of_month)
    groups = [list(group) for _, group in groupby(bars, key=lambda bar: key(bar.day))]
    return [
        Period(
            bar=_combined(group),
            first=group[0].day,
            sessions=len(group),
            partial=(number == 0 and start is not None and _cut(start, group[0].day, interval))
            or (number == len(groups) - 1 and group[-1].day < end(group[-1].day) and end(group[-1].day) > seen_until),
        )
        for number, group in enumerate(groups)
    ]


def _week(day: date) -> tuple[int, int]:
    calendar = day.isocalendar()
    return calendar.year, calendar.week


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _cut(start: date, first: date, interval: Interval) -> bool:
    """Whether the window begins within the period of its first bar, after one of the period's weekdays."""
    key = _week if interval == "week" else _month
    begin = start - timedelta(days=start.weekday()) if interval == "week" else start.replace(day=1)
    day = timedelta(days=1)
    return key(start) == key(first) and weekdays_after(begin - day, start - day) > 0


def _combined(group: list[Bar]) -> Bar:
    """One bar for several: a value that one of the sessions lacks is missing for all of them."""
    return Bar(
        day=group[-1].day,
        open=group[0].open,
        high=_known(group, lambda bar: bar.high, max),
        low=_known(group, lambda bar: bar.low, min),
        close=group[-1].close,
        volume=_known(group, lambda bar: bar.volume, sum),
        dividend=_known(group, lambda bar: bar.dividend, sum),
        source_id=group[-1].source_id,
        line=group[-1].line,
    )


def _known(
    group: list[Bar], value: Callable[[Bar], Decimal | None], combine: Callable[[list[Decimal]], Decimal | int]
) -> Decimal | None:
    values = [found for bar in group if (found := value(bar)) is not None]
    return Decimal(combine(values)) if len(values) == len(group) else None


def typical_gap(days: Sequence[date]) -> int:
    """The usual number of days from one bar to the next; 1 where there is nothing to compare."""
    gaps = sorted((after - before).days for before, after in pairwise(days))
    return gaps[len(gaps) // 2] if gaps else 1


def summary(bars: Sequence[Bar], calendar: Calendar = WEEKDAYS, *, comparable: bool = True) -> dict[str, object]:
    """First, last, lowest and highest close, the change, how many bars, and how many sessions have none.

    Without the change where the prices are not `comparable`: a split lies between them.
    """
    first, last = bars[0], bars[-1]
    lowest = min(bars, key=lambda bar: bar.close)
    highest = max(bars, key=lambda bar: bar.close)
    change = last.close - first.close
    moved = {"change": exact_text(change), "change_fraction": as_json_number(change / first.close)}
    return {
        "first": _point(first),
        "last": _point(last),
        **(moved if comparable else {}),
        "min": _point(lowest),
        "max": _point(highest),
        "n": len(bars),
        "missing": missing_sessions(bars, calendar),
    }


def missing_sessions(bars: Sequence[Bar], calendar: Calendar = WEEKDAYS) -> int | None:
    """Sessions between the first and the last bar without one; None where bars are not daily.

    Without a holiday calendar every weekday counts as a session.
    """
    days = [bar.day for bar in bars]
    if typical_gap(days) > DAILY_DAYS:
        return None
    # A bar on a day that is no session fills no hole.
    held = sum(map(calendar.is_session, days[1:]))
    return max(0, calendar.sessions_after(days[0], days[-1]) - held)


def _point(bar: Bar) -> dict[str, object]:
    return {"date": bar.day, "close": exact_text(bar.close)}
