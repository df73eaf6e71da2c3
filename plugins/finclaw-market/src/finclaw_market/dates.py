"""Session dates as people and feeds write them; the order of day and month is never guessed.

A time and an offset after the date are allowed and dropped: the session's date is the local date, as it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from finclaw_market.problems import BadCell, FileProblem

Order = Literal["DMY", "MDY"]

_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:\s?[AaPp][Mm])?"
_TIME = rf"(?:[T ]\s*{_CLOCK}\s*(?:Z|UTC|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"
_ISO = re.compile(rf"(?P<y>[0-9]{{4}})(?P<s>[-/.]?)(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}}){_TIME}")
_NUMERIC = re.compile(rf"(?P<a>[0-9]{{1,2}})(?P<s>[-/.])(?P<b>[0-9]{{1,2}})(?P=s)(?P<y>[0-9]{{4}}){_TIME}")
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([-/.])[0-9]{1,2}\1[0-9]{2}")
_MONTH_FIRST = re.compile(rf"(?P<n>[A-Za-z]{{3,9}})\.?[ -](?P<d>[0-9]{{1,2}}),?[ -]\s*(?P<y>[0-9]{{4}}){_TIME}")
_DAY_FIRST = re.compile(rf"(?P<d>[0-9]{{1,2}})[ -](?P<n>[A-Za-z]{{3,9}})\.?,?[ -](?P<y>[0-9]{{4}}){_TIME}")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ISO_LENGTH = 10
_COMPACT_LENGTH = 8
_LAST_MONTH = 12
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a file's dates are read: the order of numeric ones, or a format its owner gave."""

    order: Order | None = None
    pattern: str | None = None


class OrderVotes:
    """Collects, cell by cell, what a file shows about the order of day and month."""

    def __init__(self) -> None:
        self._seen: dict[Order | None, tuple[int, str]] = {}

    def look(self, cell: str, line: int) -> None:
        """Take note of one date cell."""
        found = None if cell[4:5] == "-" else _NUMERIC.fullmatch(cell.strip())
        if found is None or found["a"] == found["b"]:
            return
        first, second = int(found["a"]), int(found["b"])
        order: Order | None = "DMY" if first > _LAST_MONTH else "MDY" if second > _LAST_MONTH else None
        self._seen.setdefault(order, (line, cell.strip()))

    def decide(self) -> Order | None:
        """The order that the file's own rows prove; None where it does not matter.

        Raises:
            FileProblem: rows prove both orders, or none although the dates need one.
        """
        if "DMY" in self._seen and "MDY" in self._seen:
            (line, cell), (other_line, other) = self._seen["DMY"], self._seen["MDY"]
            raise FileProblem(
                f"wrong date order: {cell!r} (line {line}) is day-month, {other!r} (line {other_line}) is month-day"
            )
        proven = next((order for order in self._seen if order is not None), None)
        if proven is None and self._seen:
            line, cell = self._seen[None]
            raise FileProblem(
                f"cannot tell day from month in {cell!r} (line {line}) or any other row; "
                "say --date-format DMY or --date-format MDY"
            )
        return proven


def style_from(date_format: str | None) -> DateStyle | None:
    """The style that `--date-format` asks for: `DMY`, `MDY` or a strptime pattern.

    Raises:
        FileProblem: it is none of these.
    """
    if date_format is None:
        return None
    match date_format.upper():
        case "DMY" | "MDY" as order:
            return DateStyle(order=order)
        case _:
            pass
    if not _describes_a_date(date_format):
        raise FileProblem(f"--date-format {date_format!r} is neither DMY nor MDY nor a pattern such as %d/%m/%Y")
    return DateStyle(pattern=date_format)


def _describes_a_date(pattern: str) -> bool:
    sample = datetime(2003, 11, 25, tzinfo=UTC)
    try:
        return datetime.strptime(sample.strftime(pattern), pattern).date() == sample.date()  # noqa: DTZ007
    except ValueError:
        return False


def parse_session(text: str, style: DateStyle) -> date:
    """Read one session date.

    Raises:
        BadCell: it is no date in this style.
    """
    if style.pattern is None and len(text) == _ISO_LENGTH and text[4] == "-":
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise BadCell(f"{text!r} is not a date") from None
    stripped = text.strip()
    try:
        found = _parsed(stripped, style)
    except ValueError:
        found = None
    if found is None:
        raise BadCell(_why_not(stripped))
    return found


def _why_not(text: str) -> str:
    shown = f"{text[:_MAX_SHOWN]!r} is not a date"
    return f"{shown} with a full year; say --date-format, e.g. %d/%m/%y" if _SHORT_YEAR.fullmatch(text) else shown


def _parsed(text: str, style: DateStyle) -> date | None:
    if style.pattern is not None:
        # Only the date is kept, as it is written; an offset must not move it.
        return datetime.strptime(text, style.pattern).date()  # noqa: DTZ007
    if found := _ISO.fullmatch(text):
        if not found["s"] and len(found["m"] + found["d"]) + 4 != _COMPACT_LENGTH:
            return None
        return date(int(found["y"]), int(found["m"]), int(found["d"]))
    if found := _MONTH_FIRST.fullmatch(text) or _DAY_FIRST.fullmatch(text):
        return date(int(found["y"]), _month(found["n"]), int(found["d"]))
    found = _NUMERIC.fullmatch(text)
    return None if found is None else _numeric(found, style.order)


def _numeric(found: re.Match[str], order: Order | None) -> date:
    # Without an order all numeric dates of the file have equal halves, or it would have been asked for.
    day, month = (found["b"], found["a"]) if order == "MDY" else (found["a"], found["b"])
    return date(int(found["y"]), int(month), int(day))


def _month(name: str) -> int:
    """The number of an English month; `strptime` would read the names of the machine's language."""
    wanted = name.lower()
    matches = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(wanted)]
    if wanted == "sept":
        return 9
    if len(matches) != 1:
        raise ValueError(name)
    return matches[0]


def swapped(day: date) -> date | None:
    """The date with day and month exchanged, or None where there is no such date."""
    return date(day.year, day.day, day.month) if day.day <= _LAST_MONTH else None
