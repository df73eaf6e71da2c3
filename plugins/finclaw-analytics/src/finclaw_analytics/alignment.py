"""Several series on dates that go for all of them: common ones, and those of the sparser ones where some are denser."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from finclaw_analytics.numbers import not_enough
from finclaw_analytics.observed import Observed
from finclaw_analytics.spacing import typical_gap

CONVENTION = (
    "common dates, where one series is sparser its dates with the others' last values on or before them, at most 7 "
    "days earlier"
)
_STALEST = 7
# From so much wider a typical gap on a series is sparser, not just of another calendar.
_SPARSER = 1.5
_THINNED_SHARE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """Series on the same dates, warnings, and whether dates in between were dropped."""

    series: tuple[Observed, ...]
    warnings: tuple[str, ...]
    thinned: bool

    @property
    def days(self) -> tuple[date, ...]:
        return self.series[0].days


def aligned(series: Sequence[Observed]) -> Aligned:
    """Several series on the same dates, so that each return spans the same time in all of them.

    Where all begin with a value before a period, that is their value on the day before it, whatever its own date.

    Args:
        series: each of at least two values.

    Raises:
        ToolError: NOT_ENOUGH_DATA where fewer than three dates are left.
    """
    if all(one.eve is not None for one in series):
        series = [replace(one, days=(one.eve or one.days[0], *one.days[1:])) for one in series]
    gaps = [typical_gap(one.days) for one in series]
    sparse = [one for one, gap in zip(series, gaps, strict=True) if gap * _SPARSER >= max(gaps)]
    dense = [one for one in series if one not in sparse]
    common = set(sparse[0].days).intersection(*(one.days for one in sparse[1:]))
    # A value that is as old as a whole period would repeat the one before.
    stalest = min(_STALEST, max(gaps) - 1)
    days = tuple(sorted(day for day in common if all(_last(one, day, stalest) is not None for one in dense)))
    if len(days) < 3:  # noqa: PLR2004 - two returns, the fewest that vary
        raise not_enough(f"needs 3 dates common to {_names(series)}, had {len(days)}")
    return Aligned(
        series=tuple(_carried(one, days, stalest) if one in dense else _on(one, days) for one in series),
        warnings=_notes(sparse, dense, days),
        thinned=any(_thinned(one, days) for one in sparse),
    )


def _notes(sparse: list[Observed], dense: list[Observed], days: tuple[date, ...]) -> tuple[str, ...]:
    dropped = [_dropped(one, days) for one in sparse]
    carried = [_carried_note(one, sparse[0], days) for one in dense]
    return tuple(filter(None, [*dropped, *carried]))


def _last(one: Observed, day: date, stalest: float) -> int | None:
    """Where a series has its last value on or before a day, unless that is too old."""
    position = bisect_right(one.days, day) - 1
    return position if position >= 0 and day - one.days[position] <= timedelta(days=stalest) else None


def _carried(one: Observed, days: tuple[date, ...], stalest: float) -> Observed:
    places = [_last(one, day, stalest) for day in days]
    values = tuple(one.values[place] for place in places if place is not None)
    return replace(one, days=days, values=values, highs=None, lows=None)


def _on(one: Observed, days: tuple[date, ...]) -> Observed:
    by_day = dict(zip(one.days, one.values, strict=True))
    return replace(one, days=days, values=tuple(by_day[day] for day in days), highs=None, lows=None)


def _dropped(one: Observed, days: tuple[date, ...]) -> str:
    if len(one.days) == len(days):
        return ""
    return f"{len(one.days) - len(days)} of {len(one.days)} dates of {one.label} were left out: not common to all"


def _carried_note(one: Observed, sparse: Observed, days: tuple[date, ...]) -> str:
    own = set(one.days)
    older = sum(day not in own for day in days)
    return (
        f"{one.label} is denser than {sparse.label}: taken on the latter's {len(days)} dates, on {older} of them its "
        "last value before"
    )


def _thinned(one: Observed, days: tuple[date, ...]) -> bool:
    inside = sum(days[0] <= day <= days[-1] for day in one.days)
    return inside - len(days) > _THINNED_SHARE * inside


def unlike(series: Sequence[Observed]) -> tuple[str, ...]:
    """What makes returns of several series hard to compare: their adjustments and currencies."""
    notes = []
    if len({one.adjustment for one in series}) > 1:
        notes.append("adjusted differently: " + ", ".join(f"{one.label} {one.adjustment}" for one in series))
    if len({one.currency for one in series if one.currency}) > 1:
        listed = ", ".join(f"{one.label} {one.currency}" for one in series if one.currency)
        notes.append(f"each return is in its own currency, exchange rates are not in it: {listed}")
    return tuple(notes)


def _names(series: Sequence[Observed]) -> str:
    return ", ".join(one.label for one in series[:5]) + (" and others" if len(series) > 5 else "")  # noqa: PLR2004 - a name or two too many
