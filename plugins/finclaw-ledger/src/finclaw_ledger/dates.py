"""Booking dates as banks write them; the order of day and month is never guessed."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from finclaw_ledger.problems import BadCell, BadOption, FileProblem
from finclaw_ledger.wording import echoed

_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:\s?[AaPp][Mm])?"
_TIME = rf"(?:[T ]\s*{_CLOCK}(?:Z|\s?[+-][0-9]{{2}}:?[0-9]{{2}})?)?"
_ISO = re.compile(rf"([0-9]{{4}})([-/.]?)\s?([0-9]{{1,2}})\2\s?([0-9]{{1,2}})\.?{_TIME}")
_NUMERIC = re.compile(rf"([0-9]{{1,2}})([-/.])([0-9]{{1,2}})\2([0-9]{{4}}|[0-9]{{2}}){_TIME}")
_COMPACT = 8
_LAST_MONTH = 12
_FIRST_YEAR = 1900
_CENTURY = 2000
_SHORT = 100
_ORDERS = ("DMY", "MDY", "YMD")
# The first places on earth where a new day begins are this far ahead of UTC.
_EARLIEST_ZONE = timedelta(hours=14)


def today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


def latest_possible() -> date:
    """The latest date that has begun anywhere: anything after it is in the future."""
    return (datetime.now(UTC) + _EARLIEST_ZONE).date()


def checked_order(given: str | None) -> str | None:
    """`DMY`, `MDY` or `YMD`.

    Raises:
        BadOption: it is none of them.
    """
    if given is None or given.upper() in _ORDERS:
        return given.upper() if given else None
    raise BadOption(f"date format {echoed(given)} is none of {', '.join(_ORDERS)}")


class OrderVotes:
    """Collects, cell by cell, what a file shows about the order of day and month."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, str]] = {}

    def look(self, cell: str, line: int) -> None:
        """Take note of one cell with a date."""
        found = _NUMERIC.fullmatch(cell.strip())
        if found is None:
            return
        first, second = int(found[1]), int(found[3])
        order = "DMY" if first > _LAST_MONTH else "MDY" if second > _LAST_MONTH else "same" if first == second else "?"
        self._seen.setdefault(order, (line, cell.strip()))

    def decide(self) -> tuple[str, str]:
        """The order, and the evidence for it.

        Raises:
            FileProblem: rows prove both orders, or none although the dates need one.
        """
        if "DMY" in self._seen and "MDY" in self._seen:
            (line, cell), (other_line, other) = self._seen["DMY"], self._seen["MDY"]
            raise FileProblem(
                f"dates contradict each other: {echoed(cell)} (line {line}) is day-month, "
                f"{echoed(other)} (line {other_line}) is month-day"
            )
        for order in ("DMY", "MDY"):
            if order in self._seen:
                line, cell = self._seen[order]
                return order, f"{echoed(cell)} in line {line}"
        if "?" in self._seen:
            line, cell = self._seen["?"]
            raise FileProblem(
                f"cannot tell day from month in {echoed(cell)} (line {line}) or any other row; "
                "say --date-format DMY or --date-format MDY"
            )
        return "YMD", "year first, or no date that could be read in two ways"


def parse_day(cell: str, order: str) -> date:
    """Read one booking date; a time after it is dropped.

    Args:
        cell: as it stands in the file.
        order: `DMY`, `MDY` or `YMD`, of numeric dates whose year comes last; a year that comes first needs none.

    Raises:
        BadCell: it is no date, or one before 1900 or in the future.
    """
    text = cell.strip()
    try:
        day = _parsed(text, order)
    except ValueError:
        day = None
    if day is None:
        raise BadCell(f"{echoed(text)} is not a date" if text else "no date")
    if day.year < _FIRST_YEAR:
        raise BadCell(f"{day} is implausible: before {_FIRST_YEAR}")
    if day > latest_possible():
        raise BadCell(f"{day} is in the future")
    return day


def _parsed(text: str, order: str) -> date | None:
    if found := _ISO.fullmatch(text):
        if not found[2] and len(found[3] + found[4]) + 4 != _COMPACT:
            return None
        return date(int(found[1]), int(found[3]), int(found[4]))
    found = _NUMERIC.fullmatch(text)
    if found is None:
        return None
    year = int(found[4]) + (_CENTURY if int(found[4]) < _SHORT else 0)
    day, month = (found[3], found[1]) if order == "MDY" else (found[1], found[3])
    return date(year, int(month), int(day))
