"""The number of periods per year, from the days between observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import median

# (longest typical gap in days, shortest, periods a year, name), from often to seldom.
_KNOWN = (
    (1, 4, 252, "business days"),
    (5, 9, 52, "weeks"),
    (26, 33, 12, "months"),
    (85, 95, 4, "quarters"),
    (355, 375, 1, "years"),
)
_EVERY_DAY = 365
_DAYS_A_YEAR = 365.25
_DAILY = 200
_LEAST_DAYS = 30
_SATURDAY = 5
_WEEKEND_SHARE = 0.15
# A month that is missing makes a gap of two; the longest holidays between weekdays close a market for a week or so.
_WIDE, _WIDE_DAYS = 1.5, 7
_UNEVEN_SHARE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Spacing:
    """Periods per year, their source as text, and warnings."""

    per_year: float | None
    basis: str
    warnings: tuple[str, ...] = ()


def spacing(days: Sequence[date], given: float | None) -> Spacing:
    """The periods per year of observations: what was given, else what the typical gap between them means.

    Args:
        days: at least two, rising.
        given: by the caller.
    """
    if given is not None:
        return Spacing(per_year=given, basis=f"{given:g} periods per year as given")
    gaps = _gaps(days)
    typical = median(gaps)
    for low, high, per_year, name in _KNOWN:
        if low <= typical <= high:
            return _inferred(days, gaps, typical, per_year, name)
    why = f"observations are typically {typical:g} days apart, which is no known period: annualised figures that need "
    return Spacing(per_year=None, basis="periods per year unknown", warnings=(why + "one are null; give it",))


def common_spacing(days: Sequence[date], *, thinned: bool) -> Spacing:
    """The same of dates that are common to several series.

    Args:
        days: at least two, rising.
        thinned: whether dates between them were dropped; fewer daily returns then make a year than usual.
    """
    found = spacing(days, None)
    if not thinned or found.per_year is None or found.per_year < _DAILY:
        return found
    per_year = round((len(days) - 1) * _DAYS_A_YEAR / (days[-1] - days[0]).days, 1)
    basis = f"{per_year:g} periods per year, counted: dates that only some of the series have are left out"
    return Spacing(per_year=per_year, basis=basis, warnings=found.warnings)


def too_short(days: Sequence[date]) -> bool:
    """Whether the dates lie too near together for saying anything about a year."""
    return (days[-1] - days[0]).days < _LEAST_DAYS


def typical_gap(days: Sequence[date]) -> float:
    """The median of the days between dates, of which there are at least two."""
    return median(_gaps(days))


def _gaps(days: Sequence[date]) -> list[int]:
    return [(later - earlier).days for earlier, later in pairwise(days)]


def _inferred(days: Sequence[date], gaps: Sequence[int], typical: float, per_year: int, name: str) -> Spacing:
    weekend = sum(day.weekday() >= _SATURDAY for day in days)
    if name == "business days" and typical == 1 and weekend > _WEEKEND_SHARE * len(days):
        per_year, name = _EVERY_DAY, "calendar days"
    uneven = sum(gap > max(_WIDE * typical, _WIDE_DAYS) for gap in gaps)
    basis = f"{per_year} periods per year, inferred: {name}, typically {typical:g} days apart"
    if uneven <= _UNEVEN_SHARE * len(gaps):
        return Spacing(per_year=per_year, basis=basis)
    warning = (
        f"{uneven} of {len(gaps)} gaps are longer than {_WIDE:g} times the typical {typical:g} days, so returns span "
        "different times: annualised figures that need periods per year are null"
    )
    return Spacing(per_year=None, basis="periods per year unknown: uneven spacing", warnings=(warning,))
