"""One concept of one company over its last years or quarters: which tag, which unit, which report of each period."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Literal

from finclaw_filings.periods import (
    Derived,
    Known,
    Period,
    annual_periods,
    derived_quarters,
    known_by,
    near,
    one_for_each_end,
    quarterly_periods,
)
from finclaw_filings.trailing import Trailing, trailing_years

Frequency = Literal["annual", "quarterly", "ttm"]
Found = Known | Derived | Trailing
Facts = Mapping[str, Sequence[Sequence[object]]]
_CURRENCY = re.compile(r"[A-Z]{3}")
_YEAR_GAP, _QUARTER_GAP = 380, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What is answered for one period."""

    tag: str
    unit: str
    found: Found
    others: tuple[tuple[str, Known], ...] = ()
    """Other tags of the same concept that say something else for the period."""

    @property
    def period(self) -> Period:
        return self.found.period


@dataclass(slots=True, kw_only=True)
class ConceptSeries:
    """The values of one concept, the latest first, and their warnings."""

    values: list[Value] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    durations: set[int] = field(default_factory=set)
    """The lengths in days of all periods there are, for saying what was found where nothing fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The last days of a company's years and quarters, for telling balance-sheet dates from other instants."""

    years: frozenset[date]
    quarters: frozenset[date]


def is_known(facts: Facts, cap: date) -> bool:
    """Whether any of these values had been filed by a day."""
    return any(known_by(rows, cap) for rows in facts.values())


def ends_of(anchors: Iterable[Facts], cap: date) -> Ends:
    """The ends of all periods that the anchor concepts report."""
    years: set[date] = set()
    quarters: set[date] = set()
    for facts in anchors:
        for rows in facts.values():
            known = known_by(rows, cap)
            years.update(annual_periods(known.values()))
            quarters.update(period.end for period in known if (period.days or 0) >= 80)  # noqa: PLR2004 - a quarter
    return Ends(years=frozenset(years), quarters=frozenset(quarters | years))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a series is to hold."""

    frequency: Frequency
    periods: int
    cap: date
    ends: Ends
    unit: str | None = None


def concept_series(tags: Mapping[str, Facts], wanted: Wanted) -> ConceptSeries:
    """Put together the series of a concept.

    Args:
        tags: the values of each candidate tag by unit, the preferred tag first.
        wanted: which periods of it, as of when.
    """
    series = ConceptSeries()
    found: dict[str, dict[str, dict[date, Found]]] = {}
    for tag, units in tags.items():
        for unit, rows in units.items():
            known = known_by(rows, wanted.cap)
            series.durations.update(period.days for period in known if period.days is not None)
            chosen = _chosen(tag, unit, known, wanted)
            if chosen:
                found.setdefault(unit, {})[tag] = chosen
    measured = _unit(found, wanted, series)
    if measured is not None:
        _fill(series, measured, found[measured], wanted)
    return series


def _chosen(tag: str, unit: str, known: Mapping[Period, Known], wanted: Wanted) -> dict[date, Found]:
    instants = [item for item in known.values() if item.period.start is None]
    if instants:
        return dict(_instants(tag, instants, wanted))
    if wanted.frequency == "annual":
        return dict(annual_periods(known.values()))
    reported = quarterly_periods(known.values())
    # Values per share and averages do not add up; amounts of money do.
    derived = derived_quarters(known.values(), reported) if _CURRENCY.fullmatch(unit) else {}
    quarters: dict[date, Known | Derived] = {**reported, **derived}
    if wanted.frequency == "ttm":
        return dict(trailing_years(annual_periods(known.values()), quarters if _CURRENCY.fullmatch(unit) else {}))
    return dict(quarters)


def _instants(tag: str, instants: list[Known], wanted: Wanted) -> dict[date, Known]:
    annual = wanted.frequency == "annual"
    usable = [item for item in instants if item.in_annual_form] if annual else instants
    ends = wanted.ends.years if annual else wanted.ends.quarters
    # What stands on the cover, the number of shares, is of a day soon after the period.
    if ends and not tag.startswith("dei:"):
        usable = [item for item in usable if near(item.period.end, ends)]
    return one_for_each_end(usable)


def _unit(found: Mapping[str, Mapping[str, Mapping[date, Found]]], wanted: Wanted, series: ConceptSeries) -> str | None:
    """The unit of the latest and most values, or the requested one; the warning names the others."""
    if wanted.unit is not None:
        return wanted.unit if wanted.unit in found else None
    if not found:
        return None
    reach: Callable[[str], tuple[date, int]] = lambda unit: (  # noqa: E731 - one sort key
        max(end for ends in found[unit].values() for end in ends),
        sum(len(ends) for ends in found[unit].values()),
    )
    first, *others = sorted(found, key=reach, reverse=True)
    if others:
        series.warnings.append(f"also reported in {', '.join(others)}; these are in {first} (say unit for another)")
    return first


def _fill(series: ConceptSeries, unit: str, tags: Mapping[str, Mapping[date, Found]], wanted: Wanted) -> None:
    ends: list[date] = []
    for end in sorted({end for chosen in tags.values() for end in chosen}, reverse=True):
        if not near(end, ends):
            ends.append(end)
    series.values = [_value(unit, end, tags) for end in ends[: wanted.periods]]
    _say_changes(series, wanted.frequency)


def _restatements(derived: Derived) -> list[str]:
    return [
        f"the quarter to {derived.period.end} is derived from values of the same time; {known.period.months} months "
        f"to {known.period.end} were restated later, to {known.latest.value:f} on {known.latest.filed}"
        for known in derived.since_restated
    ]


def _value(unit: str, end: date, tags: Mapping[str, Mapping[date, Found]]) -> Value:
    """The value of one period; a reported one before a derived one, the preferred tag before others."""
    there = [(tag, chosen[at]) for tag, chosen in tags.items() if (at := near(end, chosen)) is not None]
    newest = max((item.latest.filed for _, item in there if isinstance(item, Known)), default=date.min)
    tag, best = min(there, key=lambda pair: _rank(pair[1], newest, _last_filed(tags[pair[0]])))
    others = tuple(
        (name, item)
        for name, item in there
        if name != tag
        and isinstance(item, Known)
        and isinstance(best, Known)
        and item.latest.value != best.latest.value
    )
    return Value(tag=tag, unit=unit, found=best, others=others)


def _rank(item: Found, newest: date, last_filed: date) -> int:
    """A tag that was in use when the period was last reported, an abandoned one, a derived value; then tags' order.

    The newest report alone decides nothing: a quarterly report repeats last year's cash with restricted cash only.
    """
    if not isinstance(item, Known):
        return 2
    return 0 if last_filed >= newest else 1


def _last_filed(chosen: Mapping[date, Found]) -> date:
    """When a tag was last in use."""
    return max((item.latest.filed for item in chosen.values() if isinstance(item, Known)), default=date.min)


def _say_changes(series: ConceptSeries, frequency: Frequency) -> None:
    say = series.warnings.append
    tags = list(dict.fromkeys(value.tag for value in series.values))
    if len(tags) > 1:
        say(f"the tag changes within the series ({', '.join(tags)}); the values may not mean quite the same")
    differing = [value.period.end.isoformat() for value in series.values if value.others]
    if differing:
        say(f"several tags with different values for {', '.join(differing)}: see also_reported; check which is meant")
    series.warnings.extend(warning for value in series.values for warning in _doubts(value))
    gap = _YEAR_GAP if frequency == "annual" else _QUARTER_GAP
    ends = [value.period.end for value in series.values]
    gaps = [f"{sooner} and {later}" for later, sooner in pairwise(ends) if (later - sooner).days > gap]
    if gaps:
        say(f"nothing is reported between {'; '.join(gaps)}")


def _doubts(value: Value) -> list[str]:
    """Warnings about one value: contradictions within its filing, restatements of its parts."""
    if not isinstance(value.found, Known):
        parts = value.found.quarters if isinstance(value.found, Trailing) else (value.found,)
        return [warning for part in parts if isinstance(part, Derived) for warning in _restatements(part)]
    if not value.found.contradicted:
        return []
    return [f"{value.found.latest.accession} gives several values for {value.period.end}: see contradicted"]
