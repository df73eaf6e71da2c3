"""The time between two dates of a result: `over 14 months`."""

from __future__ import annotations

import re
from datetime import date
from itertools import combinations

from finclaw_cli.numbers.figure import Figure

# More dates than this are ignored: some two of them are any number of days apart.
_MOST_DATES = 12
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
# The days of each unit, and the tolerance of a length.
_UNITS = (
    (re.compile(r"year|yr|년|y$"), 365.25, 0.5),
    (re.compile(r"quarter|분기"), 91.31, 0.5),
    (re.compile(r"month|mo|개월|달"), 30.44, 0.6),
    (re.compile(r"week|주|w$"), 7.0, 0.6),
    (re.compile(r"day|일|d$"), 1.0, 1.0),
)


def dates_of(text: str) -> list[date]:
    """The dates of a result; none where they are too many."""
    found: set[date] = set()
    for match in _DATE.finditer(text):
        try:
            found.add(date.fromisoformat(match[0]))
        except ValueError:
            continue
        if len(found) > _MOST_DATES:
            return []
    return sorted(found)


def lasts(figure: Figure, dates: list[date]) -> tuple[date, date] | None:
    """The two dates whose distance is a figure, which must be a duration."""
    for unit, days, slack in _UNITS:
        if unit.search(figure.text):
            for first, second in combinations(dates, 2):
                if abs((second - first).days / days - float(figure.value)) <= slack:
                    return first, second
            return None
    return None
