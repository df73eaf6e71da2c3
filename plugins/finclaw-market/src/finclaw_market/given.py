"""The options for a file, checked before anything is read."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from finclaw_cli.sdk.render import bounded, quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.bars import normal_symbol
from finclaw_market.currencies import normal_code

_MAX_TEXT = 100


def symbol(given: str | None) -> str | None:
    """A symbol in the one form the store knows.

    Raises:
        BadOption: it cannot be one.
    """
    found = None if given is None else normal_symbol(given)
    if given is not None and found is None:
        raise BadOption(f"{quoted(given)} is not a symbol: letters, digits and .^=_- only, at most 32")
    return found


def currency(given: str | None) -> str | None:
    """A currency code in capitals, or a minor unit such as GBp.

    Raises:
        BadOption: it cannot be one.
    """
    return None if given is None else normal_code(given)


def zone(given: str | None) -> str | None:
    """A time zone that this machine knows.

    Raises:
        BadOption: it knows none of that name.
    """
    if given is None:
        return None
    try:
        return ZoneInfo(given).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadOption(f"{quoted(given)} is not a time zone such as America/New_York") from None


def day(given: str | None) -> date | None:
    """A date as `YYYY-MM-DD`.

    Raises:
        BadOption: it is none.
    """
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError:
        raise BadOption(f"{quoted(given or '')} is not a date such as 2020-01-31") from None


def words(given: str | None) -> str | None:
    """A name or a unit: one line, not long; None where it is empty."""
    return None if given is None else bounded(given.strip(), _MAX_TEXT) or None
