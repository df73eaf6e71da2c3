"""Daily prices from Yahoo's chart service (v8): keyless, fragile, for personal use.

Its prices are adjusted for splits but not for dividends; a further column is adjusted for both. Prices of London and
Johannesburg come in pence and cents, and stay in them: their currency is `GBp` or `ZAc`, and
so do those in other minor units (see `currencies`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from finclaw_cli.sdk import no_data
from finclaw_cli.sdk.tabular import BadCell, BadOption
from finclaw_market.bars import Bar
from finclaw_market.currencies import minor_unit_note
from finclaw_market.given import currency, words
from finclaw_market.rows import credible
from finclaw_market.service import Answer, Service, error_field, failed
from finclaw_market.settings import base_url
from finclaw_market.staging import Facts

NAME = "Yahoo"
LICENCE = "Yahoo's terms: personal use only"
_MAX_BARS = 40_000
_MAX_SHOWN = 3
_MAX_MAGNITUDE, _MAX_DIGITS = 18, 40
# Some minutes after the close the last trades are in.
_SETTLING = timedelta(minutes=20)
_EXCHANGES = {
    "NYQ": "XNYS", "NMS": "XNAS", "NGM": "XNAS", "NCM": "XNAS", "ASE": "XASE", "PCX": "ARCX", "LSE": "XLON",
    "JPX": "XTKS", "KSC": "XKRX", "KOE": "XKOS", "GER": "XETR", "FRA": "XFRA", "PAR": "XPAR", "AMS": "XAMS",
    "EBS": "XSWX", "HKG": "XHKG", "SHH": "XSHG", "SHZ": "XSHE", "TAI": "XTAI", "BSE": "XBOM", "NSI": "XNSE",
    "ASX": "XASX", "TOR": "XTSE",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Yahoo's data of one symbol: final daily bars, oldest first, and its identity."""

    bars: tuple[Bar, ...]
    facts: Facts
    ref: str
    sha256: str
    warnings: tuple[str, ...]


def fetch_chart(home: Path, symbol: str, start: date, now: datetime) -> Chart:
    """Ask for the daily bars of a symbol from a date until now; a session that is not over is left out.

    Raises:
        ToolError: UNKNOWN_SYMBOL, NO_DATA, RATE_LIMITED or NOT_CONFIGURED.
    """
    base, path = base_url("yahoo"), f"/v8/finance/chart/{quote(symbol, safe='')}"
    begin = datetime(start.year, start.month, start.day, tzinfo=UTC) - timedelta(days=1)
    params = {
        "period1": str(int(begin.timestamp())),
        "period2": str(int(now.timestamp())),
        "interval": "1d",
        "events": "div,splits",
        "includeAdjustedClose": "true",
    }
    answer = Service(name=NAME, base=base, home=home).ask(path, params)
    found = _Reading(_result(answer, symbol), symbol, now)
    bars = tuple(bar for bar in found.bars() if bar.day >= start)
    if not bars:
        raise no_data(f"{NAME} has no finished sessions of {symbol} since {start}")
    return Chart(bars=bars, facts=found.facts, ref=base + path, sha256=answer.sha256, warnings=tuple(found.warnings))


def _result(answer: Answer, symbol: str) -> dict[str, object]:
    chart = _object(_object(answer.body).get("chart"))
    error = chart.get("error")
    if isinstance(error, dict):
        message = error_field(error, "description") or error_field(error, "code")
        if error_field(error, "code") == "Not Found":
            raise no_data(f"{NAME} does not know {symbol}: {message}", code="UNKNOWN_SYMBOL")
        raise failed(f"{NAME} refuses: {message}")
    results = chart.get("result")
    if not isinstance(results, list) or not results or not isinstance(results[0], dict):
        raise failed(f"{NAME} gave an empty answer about {symbol} (status {answer.status})")
    return results[0]


@dataclass(slots=True)
class _Reading:
    """Reads one result; nothing in it is believed before it is looked at."""

    result: dict[str, object]
    symbol: str
    now: datetime
    warnings: list[str] = field(default_factory=list)

    @property
    def meta(self) -> dict[str, object]:
        return _object(self.result.get("meta"))

    @property
    def zone(self) -> ZoneInfo:
        name = self.meta.get("exchangeTimezoneName")
        try:
            return ZoneInfo(str(name))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise failed(f"{NAME} names no time zone of {self.symbol}") from None

    @property
    def facts(self) -> Facts:
        name = self.meta.get("longName") or self.meta.get("shortName")
        try:
            money = currency(str(self.meta.get("currency") or "") or None)
        except BadOption:
            money = None
        if money is not None and (note := minor_unit_note(money)) is not None:
            self.warnings.append(f"prices are in {money}: {note}")
        return Facts(
            name=words(name) if isinstance(name, str) else None,
            exchange=_EXCHANGES.get(str(self.meta.get("exchangeName"))),
            currency=money,
            tz=self.zone.key,
        )

    def bars(self) -> Iterator[Bar]:
        """The finished sessions, oldest first."""
        self._check_symbol()
        bad: list[str] = []
        before: date | None = None
        for number, bar in enumerate(self._read(bad), 1):
            if before is not None and bar.day <= before:
                bad.append(f"{bar.day}: a second time")
            elif not self._is_final(bar.day):
                self.warnings.append(f"{bar.day}: the session is not over; left out")
            else:
                before = bar.day
                yield replace(bar, line=number)
        if bad:
            more = f" and {len(bad) - _MAX_SHOWN} more" if len(bad) > _MAX_SHOWN else ""
            self.warnings.append(f"rows that cannot be right are left out: {'; '.join(bad[:_MAX_SHOWN])}{more}")

    def _check_symbol(self) -> None:
        answered = str(self.meta.get("symbol", "")).upper()
        if answered != self.symbol:
            raise failed(f"{NAME} answered about another symbol than {self.symbol}")

    def _read(self, bad: list[str]) -> Iterator[Bar]:
        stamps = _list(self.result.get("timestamp"))
        columns = self._columns(len(stamps))
        dividends, splits = self._events("dividends"), self._events("splits")
        for index, stamp in enumerate(stamps):
            day = self._day(stamp)
            values = {name: _number(_nth(columns.get(name), index)) for name in _COLUMNS}
            close = values["close"]
            if day is None or close is None:
                continue  # a holiday, or a session that has only begun
            split, dividend = splits.get(day), dividends.get(day)
            bar = Bar(
                day=day,
                close=close,
                open=values["open"],
                high=values["high"],
                low=values["low"],
                volume=values["volume"],
                adj_close=values["adjclose"],
                dividend=(_number(dividend.get("amount")) if dividend else None) or Decimal(0),
                split=_ratio(split) if split else Decimal(1),
            )
            try:
                found, why = credible(bar)
            except BadCell as error:
                bad.append(f"{day}: {error}")
                continue
            if why is not None:
                bad.append(f"{day}: only the close is kept: {why}")
            yield found

    def _columns(self, rows: int) -> dict[str, object]:
        indicators = _object(self.result.get("indicators"))
        columns = {**_first(indicators.get("quote")), **_first(indicators.get("adjclose"))}
        if rows > _MAX_BARS or any(len(_list(columns.get(name))) != rows for name in ("close", "open")):
            raise failed(f"{NAME}'s columns about {self.symbol} do not fit each other")
        return columns

    def _events(self, kind: str) -> dict[date, dict[str, object]]:
        found = _object(_object(self.result.get("events")).get(kind))
        events = [event for event in found.values() if isinstance(event, dict)]
        return {day: event for event in events if (day := self._day(event.get("date"))) is not None}

    def _day(self, stamp: object) -> date | None:
        try:
            return datetime.fromtimestamp(int(str(stamp)), self.zone).date()
        except (ValueError, OverflowError, OSError):
            return None

    def _is_final(self, day: date) -> bool:
        today = self.now.astimezone(self.zone).date()
        if day != today:
            return day < today
        regular = _object(_object(self.meta.get("currentTradingPeriod")).get("regular"))
        end = regular.get("end")
        if self._day(end) != today:
            return False
        return self.now >= datetime.fromtimestamp(int(str(end)), UTC) + _SETTLING


_COLUMNS = ("open", "high", "low", "close", "volume", "adjclose")


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _first(value: object) -> dict[str, object]:
    found = _list(value)
    return _object(found[0]) if found else {}


def _nth(column: object, index: int) -> object:
    values = _list(column)
    return values[index] if index < len(values) else None


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    if not number.is_finite() or (number and abs(number.adjusted()) > _MAX_MAGNITUDE):
        return None
    return number if len(number.as_tuple().digits) <= _MAX_DIGITS else None


def _ratio(split: dict[str, object]) -> Decimal:
    """New shares per old one; 1 where it cannot be parsed."""
    new, old = _number(split.get("numerator")), _number(split.get("denominator"))
    return new / old if new and old and new > 0 and old > 0 else Decimal(1)
