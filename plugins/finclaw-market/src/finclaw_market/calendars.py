"""Sessions of an exchange with its holidays, from exchange-calendars where it is installed; else every weekday.

Importing that library costs more than a second, so its calendars are cached in a file and made again only when
another version of it is installed or when days are asked about that the file does not reach.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from finclaw_market.sessions import CALENDAR, weekdays_after

LIBRARY = "exchange-calendars"
FOLDER = "market-calendars"
_EARLIEST = date(1990, 1, 1)
_DAYS_AHEAD = 365
_MAX_BYTES = 1_000_000
_SATURDAY = 5
_CODE = re.compile(r"[A-Z0-9]{4}")
# Exchanges that trade on the same days as another one whose calendar there is.
_SAME_DAYS = {
    "XNAS": "XNYS",
    "ARCX": "XNYS",
    "BATS": "XNYS",
    "XASE": "XNYS",
    "XKOS": "XKRX",
    "XSHE": "XSHG",
    "XNSE": "XBOM",
}
_ZONES = {
    "XNYS": "America/New_York", "XTSE": "America/Toronto", "XLON": "Europe/London", "XPAR": "Europe/Paris",
    "XAMS": "Europe/Amsterdam", "XBRU": "Europe/Brussels", "XETR": "Europe/Berlin", "XFRA": "Europe/Berlin",
    "XSWX": "Europe/Zurich", "XKRX": "Asia/Seoul", "XTKS": "Asia/Tokyo", "XHKG": "Asia/Hong_Kong",
    "XSHG": "Asia/Shanghai", "XTAI": "Asia/Taipei", "XBOM": "Asia/Kolkata", "XASX": "Australia/Sydney",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The sessions of an exchange between two dates: its weekdays, but for the closed ones."""

    name: str
    first: date = date.min
    last: date = date.max
    closed: frozenset[date] = frozenset()
    """Weekdays without a session."""
    added: frozenset[date] = frozenset()
    """Days of a weekend with one."""
    zone: str | None = None
    made_by: str = ""
    made_on: date = date.min

    @property
    def counted(self) -> str:
        """What `sessions_after` counts, in words."""
        return "weekdays" if self.name == CALENDAR else "sessions"

    def covers(self, first: date, last: date) -> bool:
        """Whether it knows all days from the one to the other."""
        return self.first <= first and last <= self.last

    def is_session(self, day: date) -> bool:
        """Whether there is a session on that day."""
        return day in self.added or (day.weekday() < _SATURDAY and day not in self.closed)

    def sessions_after(self, first: date, last: date) -> int:
        """How many sessions there are after `first`, up to and including `last`; 0 where `last` is not later."""
        closed = sum(first < day <= last for day in self.closed)
        return weekdays_after(first, last) - closed + sum(first < day <= last for day in self.added)

    def sessions(self, first: date, last: date) -> list[date]:
        """The sessions from the one date to the other."""
        days = (first + timedelta(days=ahead) for ahead in range((last - first).days + 1))
        return [day for day in days if self.is_session(day)]


WEEKDAYS = Calendar(name=CALENDAR)
_FORM = TypeAdapter(Calendar)


def calendar_code(exchange: str | None) -> str | None:
    """The calendar of an exchange's ISO 10383 code; None where it is no such code."""
    code = (exchange or "").strip().upper()
    return _SAME_DAYS.get(code, code) if _CODE.fullmatch(code) else None


def zone_of(exchange: str | None) -> str | None:
    """The time zone of an exchange, where it is one of the main ones."""
    return _ZONES.get(calendar_code(exchange) or "")


def calendar_for(exchange: str | None, home: Path, first: date, last: date) -> Calendar:
    """The calendar that knows the sessions of an exchange between two dates; `WEEKDAYS` where none does.

    Args:
        exchange: its ISO 10383 code, or None.
        home: finclaw's data folder, where calendars are cached.
        first: the first date that matters.
        last: the last one.
    """
    code = calendar_code(exchange)
    if code is None:
        return WEEKDAYS
    found = _known(code, home, last)
    return found if found is not None and found.covers(first, last) else WEEKDAYS


def _known(code: str, home: Path, last: date) -> Calendar | None:
    installed = installed_library()
    path = home / FOLDER / f"{code}.json"
    kept = _read(path, code)
    if installed is None:
        return kept
    today = datetime.now(UTC).date()
    if kept is not None and kept.made_by == installed and (last <= kept.last or kept.made_on >= today):
        return kept
    made = replace(_made(code, today), made_by=installed, made_on=today)
    _write(path, made)
    return made


def installed_library() -> str | None:
    """The library that knows holidays, with its version; None where it is not installed."""
    try:
        return f"{LIBRARY} {version(LIBRARY)}"
    except PackageNotFoundError:
        return None


def _read(path: Path, code: str) -> Calendar | None:
    try:
        with path.open("rb") as stream:
            found = _FORM.validate_json(stream.read(_MAX_BYTES + 1))
    except (OSError, ValidationError):
        return None
    return found if found.name == code else None


def _write(path: Path, made: Calendar) -> None:
    # Where it cannot be kept, it is made again the next time.
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(_FORM.dump_json(made))
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise


def _made(code: str, today: date) -> Calendar:
    """The calendar by the library; one without days where it has none of that code."""
    with warnings.catch_warnings():  # such as deprecations of pandas
        warnings.simplefilter("ignore")
        try:
            import exchange_calendars

            bound = exchange_calendars.get_calendar(code).bound_min()
            first = max(_EARLIEST, bound.date()) if bound is not None else _EARLIEST
            last = today + timedelta(days=_DAYS_AHEAD)
            found = exchange_calendars.get_calendar(code, start=first, end=last)
            days = frozenset(moment.date() for moment in found.sessions)
            zone = str(found.tz)
        except Exception:  # noqa: BLE001 - whatever a library of calendars raises, weekdays are still known
            return Calendar(name=code, first=date.max, last=date.max)
    every = [first + timedelta(days=ahead) for ahead in range((last - first).days + 1)]
    closed = frozenset(day for day in every if day.weekday() < _SATURDAY and day not in days)
    added = frozenset(day for day in days if day.weekday() >= _SATURDAY)
    return Calendar(name=code, first=first, last=last, closed=closed, added=added, zone=zone)
