"""The main exchanges: names, trading hours, and whether one is open.

Codes are those of ISO 10383. Time zones and hours are the regular ones of the continuous session, without auctions, as
the calendars of exchange-calendars 4.13 have them (each names the exchange's own page); a test compares the two.
KOSDAQ, Shenzhen and the National Stock Exchange of India, which it does not have, trade on the same days as the
exchange that is given as their calendar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from finclaw_cli.core.record import record

Stretch = tuple[datetime, datetime]
"""The begin and end of uninterrupted trading."""
_SATURDAY = 5
# A weekend and some days more, for which the usual hours are useful.
_DAYS_AHEAD = 4


@record
class Exchange:
    """One exchange and its usual hours, in its own time zone."""

    code: str
    name: str
    zone: str
    hours: tuple[tuple[time, time], ...]
    """Two where there is a lunch break."""
    calendar: str
    """The calendar with its holidays."""


@record(kw_only=True)
class MarketState:
    """Whether an exchange is open, and the source of that."""

    code: str
    name: str
    is_open: bool
    until: datetime | None
    """When that changes, in the exchange's time; None where it is unknown."""
    zone: str
    known_by: Literal["calendar", "hours"]
    """Its calendar, or its usual hours alone, without holidays."""


def _hours(*clock: str) -> tuple[tuple[time, time], ...]:
    times = [time.fromisoformat(text) for text in clock]
    return tuple(zip(times[::2], times[1::2], strict=True))


def _exchange(code: str, name: str, zone: str, *clock: str, calendar: str = "") -> Exchange:
    return Exchange(code, name, zone, _hours(*clock), calendar or code)


EXCHANGES: tuple[Exchange, ...] = (
    _exchange("XNYS", "New York Stock Exchange", "America/New_York", "09:30", "16:00"),
    _exchange("XNAS", "Nasdaq", "America/New_York", "09:30", "16:00"),
    _exchange("XTSE", "Toronto Stock Exchange", "America/Toronto", "09:30", "16:00"),
    _exchange("XLON", "London Stock Exchange", "Europe/London", "08:00", "16:30"),
    _exchange("XPAR", "Euronext Paris", "Europe/Paris", "09:00", "17:30"),
    _exchange("XAMS", "Euronext Amsterdam", "Europe/Amsterdam", "09:00", "17:30"),
    _exchange("XETR", "Xetra", "Europe/Berlin", "09:00", "17:30"),
    _exchange("XSWX", "SIX Swiss Exchange", "Europe/Zurich", "09:00", "17:30"),
    _exchange("XKRX", "Korea Exchange", "Asia/Seoul", "09:00", "15:30"),
    _exchange("XKOS", "KOSDAQ", "Asia/Seoul", "09:00", "15:30", calendar="XKRX"),
    _exchange("XTKS", "Tokyo Stock Exchange", "Asia/Tokyo", "09:00", "11:30", "12:30", "15:30"),
    _exchange("XHKG", "Hong Kong Exchanges", "Asia/Hong_Kong", "09:30", "12:00", "13:00", "16:00"),
    _exchange("XSHG", "Shanghai Stock Exchange", "Asia/Shanghai", "09:30", "11:30", "13:00", "15:00"),
    _exchange("XSHE", "Shenzhen Stock Exchange", "Asia/Shanghai", "09:30", "11:30", "13:00", "15:00", calendar="XSHG"),
    _exchange("XTAI", "Taiwan Stock Exchange", "Asia/Taipei", "09:00", "13:30"),
    _exchange("XBOM", "BSE Mumbai", "Asia/Kolkata", "09:15", "15:30"),
    _exchange("XNSE", "National Stock Exchange of India", "Asia/Kolkata", "09:15", "15:30", calendar="XBOM"),
    _exchange("XASX", "Australian Securities Exchange", "Australia/Sydney", "10:00", "16:00"),
)
_BY_CODE = {found.code: found for found in EXCHANGES}


def exchange(code: str) -> Exchange | None:
    """The exchange of a code; None for an unknown one."""
    return _BY_CODE.get(code)


def market_state(place: Exchange, now: datetime, sessions: Sequence[Stretch] | None) -> MarketState | None:
    """The state of an exchange at a moment.

    Args:
        place: the exchange.
        now: the moment, in any time zone.
        sessions: its trading by its calendar, in order; None where only its usual hours are known.

    Returns:
        None where this machine does not know the exchange's time zone.
    """
    try:
        zone = ZoneInfo(place.zone)
    except (ZoneInfoNotFoundError, OSError):
        return None
    stretches = _usual(place, now.astimezone(zone)) if sessions is None else sessions
    is_open, until = _at(stretches, now)
    return MarketState(
        code=place.code,
        name=place.name,
        is_open=is_open,
        until=until.astimezone(zone) if until else None,
        zone=place.zone,
        known_by="hours" if sessions is None else "calendar",
    )


def _at(stretches: Sequence[Stretch], now: datetime) -> tuple[bool, datetime | None]:
    """Whether a moment is in a stretch, and when that ends or the next one begins."""
    for begin, end in stretches:
        if now < begin:
            return False, begin
        if now < end:
            return True, end
    return False, None


def _usual(place: Exchange, now: datetime) -> list[Stretch]:
    """The stretches of the days around a moment, without holidays; `now` is in the exchange's time."""
    return [stretch for day in _weekdays(now.date()) for stretch in _of_day(place, day, now)]


def _weekdays(first: date) -> Iterator[date]:
    days = (first + timedelta(days=ahead) for ahead in range(_DAYS_AHEAD + 1))
    return (day for day in days if day.weekday() < _SATURDAY)


def _of_day(place: Exchange, day: date, now: datetime) -> Iterator[Stretch]:
    for begin, end in place.hours:
        yield _moment(day, begin, now), _moment(day, end, now)


def _moment(day: date, clock: time, now: datetime) -> datetime:
    return datetime.combine(day, clock, now.tzinfo).astimezone(UTC)
