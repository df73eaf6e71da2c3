"""How many periods make a year, told from the days between observations."""

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
_SATURDAY = 5
_WEEKEND_SHARE = 0.15
_UNEVEN_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spacing:
    """Periods per year, where they come from in words, and what has to be said about them."""

    per_year: float | None
    said: str
    warnings: tuple[str, ...] = ()


def spacing(days: Sequence[date], given: float | None) -> Spacing:
    """The periods per year of observations: what was given, else what the typical gap between them means.

    Args:
        days: at least two, rising.
        given: by the caller.
    """
    if given is not None:
        return Spacing(per_year=given, said=f"{given:g} periods per year as given")
    gaps = [(later - earlier).days for earlier, later in pairwise(days)]
    typical = median(gaps)
    for low, high, per_year, name in _KNOWN:
        if low <= typical <= high:
            return _inferred(days, gaps, typical, per_year, name)
    why = f"observations are typically {typical:g} days apart, which is no known period: annualised figures that need "
    return Spacing(per_year=None, said="periods per year unknown", warnings=(why + "one are null; give it",))


def _inferred(days: Sequence[date], gaps: Sequence[int], typical: float, per_year: int, name: str) -> Spacing:
    weekend = sum(day.weekday() >= _SATURDAY for day in days)
    if name == "business days" and typical == 1 and weekend > _WEEKEND_SHARE * len(days):
        per_year, name = _EVERY_DAY, "calendar days"
    uneven = sum(gap > max(2 * typical, 7) for gap in gaps)
    said = f"{per_year} periods per year, inferred: {name}, typically {typical:g} days apart"
    if uneven <= _UNEVEN_SHARE * len(gaps):
        return Spacing(per_year=per_year, said=said)
    warning = (
        f"{uneven} of {len(gaps)} gaps are more than twice the typical {typical:g} days: each counts as one period"
    )
    return Spacing(per_year=per_year, said=said, warnings=(warning,))
