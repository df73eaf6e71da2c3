"""When exchanges really trade, holidays and short days included: from exchange-calendars, where it is installed.

Importing it costs more than a second, so what it says of the coming weeks is kept in a file, and it is asked again when
that has been used up, is damaged, or was made by another version of it.
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
    """What a file holds: all trading of one calendar between two moments; none where the library knows none."""

    made_by: str
    first: datetime
    last: datetime
    stretches: tuple[tuple[datetime, datetime], ...]

    def serves(self, now: datetime, installed: str | None) -> bool:
        """Whether it knows what comes next, and no newer calendar is there to be asked."""
        known = not self.stretches or any(now < end for _, end in self.stretches)
        return self.first <= now <= self.last and known and self._in_order() and installed in {None, self.made_by}

    def _in_order(self) -> bool:
        moments = [moment for stretch in self.stretches for moment in stretch]
        return all(one < other for one, other in pairwise(moments))


def sessions(place: Exchange, now: datetime, folder: Path) -> Sequence[Stretch] | None:
    """When an exchange trades from today on, in order; None where nobody knows its holidays.

    Args:
        place: the exchange.
        now: the moment.
        folder: where that is kept; made if need be. A file that cannot be kept is made again the next time.
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
    from importlib.metadata import PackageNotFoundError, version  # which most questions do without

    try:
        return f"{LIBRARY} {version(LIBRARY)}"
    except PackageNotFoundError:
        return None


def _file(calendar: str) -> str:
    return f"{calendar}.json"


def _read(folder: Path, calendar: str) -> _Kept | None:
    try:
        said = json.loads(read_beneath(folder, _file(calendar), MAX_BYTES))
        return _Kept(
            made_by=str(said["made_by"]),
            first=_moment(said["first"]),
            last=_moment(said["last"]),
            stretches=tuple((_moment(begin), _moment(end)) for begin, end in said["stretches"]),
        )
    except (NotBeneath, OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _moment(text: str) -> datetime:
    """A moment as it was kept.

    Raises:
        ValueError: it is none, or nobody knows in which time zone.
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
    """What the library says of the coming weeks."""
    first = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    last = first + timedelta(days=DAYS_KEPT)
    try:
        stretches = tuple(_asked(calendar, first, last))
    except Exception:  # noqa: BLE001 - whatever a library of calendars raises, the usual hours are still known
        stretches = ()
    return _Kept(made_by=installed, first=first, last=last, stretches=stretches)


def _asked(calendar: str, first: datetime, last: datetime) -> Iterator[Stretch]:
    """Every stretch of trading, in order. Its days begin at midnight UTC and have no time zone.

    Raises:
        Exception: it knows no such calendar, or not so far ahead.
    """
    with warnings.catch_warnings():  # what it and pandas think of each other is no concern of whoever asks a question
        warnings.simplefilter("ignore")
        import exchange_calendars

        days = exchange_calendars.get_calendar(calendar, start=first.replace(tzinfo=None)).schedule
        rows = days.loc[: last.replace(tzinfo=None)].to_dict("records")
    for row in rows:
        moments = [row[name] for name in ("open", "break_start", "break_end", "close")]
        known = [moment.to_pydatetime() for moment in moments if moment == moment]  # noqa: PLR0124 - NaT, where no break
        yield from zip(known[::2], known[1::2], strict=True)
