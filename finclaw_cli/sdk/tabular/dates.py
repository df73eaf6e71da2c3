"""Dates as exports write them; the order of day and month is never guessed.

A time and an offset after a date are allowed and dropped: the date is the local one, as it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Literal

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular.problems import BadCell, BadOption, FileProblem

Order = Literal["DMY", "MDY"]

# Expressions are compiled for the first cell that needs them: most calls of a plugin that imports this read none.
_compiled = cache(re.compile)
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:\s?[AaPp][Mm])?"
_TIME = rf"(?:[T ]\s*{_CLOCK}\s*(?:Z|UTC|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"
_ISO = rf"(?P<y>[0-9]{{4}})(?P<s>[-/.]?)\s?(?P<m>[0-9]{{1,2}})(?P=s)\s?(?P<d>[0-9]{{1,2}})\.?{_TIME}"
_NUMERIC = rf"(?P<a>[0-9]{{1,2}})(?P<s>[-/.])(?P<b>[0-9]{{1,2}})(?P=s)(?P<y>[0-9]{{4}}|[0-9]{{2}}){_TIME}"
_MONTH_FIRST = rf"(?P<n>[A-Za-z]{{3,9}})\.?[ -](?P<d>[0-9]{{1,2}}),?[ -]\s*(?P<y>[0-9]{{4}}){_TIME}"
_DAY_FIRST = rf"(?P<d>[0-9]{{1,2}})[ -](?P<n>[A-Za-z]{{3,9}})\.?,?[ -](?P<y>[0-9]{{4}}|[0-9]{{2}}){_TIME}"
_EAST_ASIAN = r"(?P<y>[0-9]{4})[年년]\s?(?P<m>[0-9]{1,2})[月월]\s?(?P<d>[0-9]{1,2})[日일]"
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ISO_LENGTH = 10
_COMPACT_LENGTH = 8
_LAST_MONTH = 12
_FULL_YEAR = 4
_CENTURY = 2000
# The first places on earth where a new day begins are this far ahead of UTC.
_EARLIEST_ZONE = timedelta(hours=14)


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a file's dates are read."""

    order: Order | None = None
    """Of numeric dates whose year comes last; a year that comes first needs none."""
    pattern: str | None = None
    """A strptime pattern from the user, which takes precedence."""
    short_years: bool = False
    """Whether `26` is 2026; otherwise such dates are rejected."""


class OrderVotes:
    """Collects, cell by cell, what a file shows about the order of day and month."""

    def __init__(self) -> None:
        self._seen: dict[Order | None, tuple[int, str]] = {}

    def look(self, cell: str, line: int) -> None:
        """Take one cell with a date."""
        found = None if cell[4:5] == "-" else _compiled(_NUMERIC).fullmatch(cell.strip())
        if found is None:
            return
        first, second = int(found["a"]), int(found["b"])
        if first == second:
            return
        order: Order | None = "DMY" if first > _LAST_MONTH else "MDY" if second > _LAST_MONTH else None
        self._seen.setdefault(order, (line, cell.strip()))

    def decide(self) -> tuple[Order | None, str]:
        """The order that the file's own rows prove, None where no date needs one; and the evidence.

        Raises:
            FileProblem: rows prove both orders, or none although the dates need one.
        """
        if "DMY" in self._seen and "MDY" in self._seen:
            (line, cell), (other_line, other) = self._seen["DMY"], self._seen["MDY"]
            raise FileProblem(
                f"dates contradict each other, or have the wrong date order: {quoted(cell)} (line {line}) is "
                f"day-month, {quoted(other)} (line {other_line}) is month-day"
            )
        for order, (line, cell) in self._seen.items():
            if order is not None:
                return order, f"{quoted(cell)} in line {line}"
        if None in self._seen:
            line, cell = self._seen[None]
            raise FileProblem(
                f"cannot tell day from month in {quoted(cell)} (line {line}) or any other row; "
                "say --date-format DMY or --date-format MDY"
            )
        return None, "year first, or no date that could be read in two ways"


def date_style(date_format: str | None) -> DateStyle | None:
    """The style of an option: `DMY`, `MDY` or a strptime pattern.

    Raises:
        BadOption: it is none of these.
    """
    if date_format is None:
        return None
    match date_format.upper():
        case "DMY" | "MDY" as order:
            return DateStyle(order=order)
        case _:
            pass
    if not _is_whole_date(date_format):
        raise BadOption(f"--date-format {quoted(date_format)} is neither DMY nor MDY nor a pattern such as %d/%m/%Y")
    return DateStyle(pattern=date_format)


def _is_whole_date(pattern: str) -> bool:
    sample = datetime(2003, 11, 25, tzinfo=UTC)
    if sample.strftime(pattern) == sample.replace(year=2014).strftime(pattern):  # of the same calendar
        return False  # has no year, without which Python is about to refuse a day
    try:
        return datetime.strptime(sample.strftime(pattern), pattern).date() == sample.date()  # noqa: DTZ007
    except ValueError:
        return False


def parse_date(text: str, style: DateStyle) -> date:
    """Parse one date; the time after it is dropped.

    Raises:
        BadCell: it is no date in this style.
    """
    if style.pattern is None and len(text) == _ISO_LENGTH and text[4] == "-":
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise BadCell(f"{quoted(text)} is not a date") from None
    stripped = text.strip()
    try:
        found = _parsed(stripped, style)
    except ValueError:
        found = None
    if found is None:
        raise BadCell(_why_not(stripped, style))
    return found


def plausible_date(text: str, style: DateStyle, *, first_year: int, latest: date) -> date:
    """Parse one date that is neither before a year nor in the future.

    Args:
        text: the cell.
        style: of the file.
        first_year: dates before it are rejected.
        latest: dates after it are rejected; `latest_date()`, asked for once for a file.

    Raises:
        BadCell: it is no such date.
    """
    day = parse_date(text, style)
    if day.year < first_year:
        raise BadCell(f"{day} is implausible: before {first_year}")
    if day > latest:
        raise BadCell(f"{day} is in the future")
    return day


def latest_date() -> date:
    """The latest date that has begun anywhere on earth."""
    return (datetime.now(UTC) + _EARLIEST_ZONE).date()


def swapped(day: date) -> date | None:
    """The date with day and month exchanged; None where there is no such date."""
    return date(day.year, day.day, day.month) if day.day <= _LAST_MONTH else None


def _why_not(text: str, style: DateStyle) -> str:
    if not text:
        return "no date"
    shown = f"{quoted(text)} is not a date"
    found = None if style.pattern else _compiled(_NUMERIC).fullmatch(text)
    is_short = found is not None and len(found["y"]) < _FULL_YEAR and not style.short_years
    return f"{shown} with a full year; say --date-format, e.g. %d/%m/%y" if is_short else shown


def _parsed(text: str, style: DateStyle) -> date | None:
    if style.pattern is not None:
        # Only the date is kept, as it is written; an offset must not move it.
        return datetime.strptime(text, style.pattern).date()  # noqa: DTZ007
    if found := _compiled(_ISO).fullmatch(text):
        if not found["s"] and len(found["m"] + found["d"]) + 4 != _COMPACT_LENGTH:
            return None
        return date(int(found["y"]), int(found["m"]), int(found["d"]))
    if found := _compiled(_MONTH_FIRST).fullmatch(text) or _compiled(_DAY_FIRST).fullmatch(text):
        return date(_year(found["y"]), _month(found["n"]), int(found["d"]))
    if found := _compiled(_NUMERIC).fullmatch(text):
        return _numeric(found, style)
    found = _compiled(_EAST_ASIAN).fullmatch(text)
    return None if found is None else date(int(found["y"]), int(found["m"]), int(found["d"]))


def _numeric(found: re.Match[str], style: DateStyle) -> date | None:
    year = int(found["y"])
    if len(found["y"]) < _FULL_YEAR:
        if not style.short_years:
            return None
        year += _CENTURY
    # Without an order, day and month are equal in all numeric dates of the file; otherwise `decide` has failed.
    day, month = (found["b"], found["a"]) if style.order == "MDY" else (found["a"], found["b"])
    return date(year, int(month), int(day))


def _year(digits: str) -> int:
    """The year of a date with the name of its month; `24` is 2024, and the century before where that is to come."""
    year = int(digits)
    if len(digits) == _FULL_YEAR:
        return year
    return year + _CENTURY if year + _CENTURY <= latest_date().year else year + _CENTURY - 100


def _month(name: str) -> int:
    """The number of an English month; `strptime` would use the language of the machine."""
    wanted = name.lower()
    matches = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(wanted)]
    if wanted == "sept":
        return 9
    if len(matches) != 1:
        raise ValueError(name)
    return matches[0]
