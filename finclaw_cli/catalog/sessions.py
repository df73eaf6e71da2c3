"""Trading of exchanges with holidays and short days, from exchange-calendars where it is installed.

Importing it takes more than a second, so the coming weeks are cached in a file, which is made again when it is used up,
damaged, or of another version of the library.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from finclaw_cli.catalog.exchanges import Exchange, Stretch
from finclaw_cli.core.beneath import NotBeneath, read_beneath
from finclaw_cli.core.files import private_folder, replace_file
from finclaw_cli.core.json_text import jsonable
from finclaw_cli.core.record import record

LIBRARY = "exchange-calendars"
DAYS_KEPT = 90
"""About sixty sessions."""
MAX_BYTES = 64 * 1024


@record(kw_only=True)
class _Kept:
    """The content of a file: all trading of one calendar between two moments; none where the library has none."""

    made_by: str
    first: datetime
    last: datetime
    stretches: tuple[tuple[datetime, datetime], ...]

    def serves(self, now: datetime, installed: str | None) -> bool:
        """Whether it covers the near future, and is of the installed version."""
        known = not self.stretches or any(now < end for _, end in self.stretches)
        return self.first <= now <= self.last and known and self._in_order() and installed in {None, self.made_by}

    def _in_order(self) -> bool:
        moments = [moment for stretch in self.stretches for moment in stretch]
        return all(one < other for one, other in pairwise(moments))


def sessions(place: Exchange, now: datetime, folder: Path) -> Sequence[Stretch] | None:
    """The trading of an exchange from today on, in order; None where its holidays are unknown.

    Args:
        place: the exchange.
        now: the moment.
        folder: the folder of the cache, created if needed. Where it cannot be written, nothing is cached.
    """
    installed = _installed()
    kept = _read(folder, place.calendar)
    if kept is not None and kept.serves(now, installed):
        return kept.stretches or None
    if installed is None:
        return None
    made = _made(place.calendar, now, installed)
    _write(folder, place.calendar, made)
    return made.stretches or None


def _installed() -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # rarely needed

    try:
        return f"{LIBRARY} {version(LIBRARY)}"
    except PackageNotFoundError:
        return None


def _file(calendar: str) -> str:
    return f"{calendar}.json"


def _read(folder: Path, calendar: str) -> _Kept | None:
    try:
        stored = json.loads(read_beneath(folder, _file(calendar), MAX_BYTES))
        return _Kept(
            made_by=str(stored["made_by"]),
            first=_moment(stored["first"]),
            last=_moment(stored["last"]),
            stretches=tuple((_moment(begin), _moment(end)) for begin, end in stored["stretches"]),
        )
    except (NotBeneath, OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _moment(text: str) -> datetime:
    """Parse a stored moment.

    Raises:
        ValueError: it is invalid, or has no time zone.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return moment


def _write(folder: Path, calendar: str, made: _Kept) -> None:
    try:
        replace_file(private_folder(folder) / _file(calendar), json.dumps(jsonable(made)).encode())
    except OSError:
        return


def _made(calendar: str, now: datetime, installed: str) -> _Kept:
    """The coming weeks by the library."""
    first = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    last = first + timedelta(days=DAYS_KEPT)
    try:
        stretches = tuple(_stretches(calendar, first, last))
    except Exception:  # noqa: BLE001 - on any error of the library, the usual hours are used
        stretches = ()
    return _Kept(made_by=installed, first=first, last=last, stretches=stretches)


def _stretches(calendar: str, first: datetime, last: datetime) -> Iterator[Stretch]:
    """Every stretch of trading, in order. The library's days begin at midnight UTC and have no time zone.

    Raises:
        Exception: the library has no such calendar, or not so far ahead.
    """
    with warnings.catch_warnings():  # such as deprecations of pandas
        warnings.simplefilter("ignore")
        import exchange_calendars

        days = exchange_calendars.get_calendar(calendar, start=first.replace(tzinfo=None)).schedule
        rows = days.loc[: last.replace(tzinfo=None)].to_dict("records")
    for row in rows:
        moments = [row[name] for name in ("open", "break_start", "break_end", "close")]
        known = [moment.to_pydatetime() for moment in moments if moment == moment]  # noqa: PLR0124 - NaT, where no break
        yield from zip(known[::2], known[1::2], strict=True)
