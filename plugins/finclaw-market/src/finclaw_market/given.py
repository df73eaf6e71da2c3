"""The options for a file, checked before anything is read."""

from __future__ import annotations

from datetime import date
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from finclaw_market.bars import normal_symbol
from finclaw_market.currencies import normal_code
from finclaw_market.numbers import Mark
from finclaw_market.problems import BadOption, FileProblem
from finclaw_market.textfile import text_encoding
from finclaw_market.wording import bounded, echoed

_MAX_TEXT = 100


def symbol(given: str | None) -> str | None:
    """A symbol in the one form the store knows.

    Raises:
        BadOption: it cannot be one.
    """
    found = None if given is None else normal_symbol(given)
    if given is not None and found is None:
        raise BadOption(f"{echoed(given)} is not a symbol: letters, digits and .^=_- only, at most 32")
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
        raise BadOption(f"{echoed(given)} is not a time zone such as America/New_York") from None


def mark(given: str | None) -> Mark | None:
    """The decimal mark.

    Raises:
        BadOption: it is neither point nor comma.
    """
    if given is None or given in {".", ","}:
        return cast("Mark | None", given)
    raise BadOption(f"--decimal is . or , and not {echoed(given)}")


def encoding(given: str | None) -> str | None:
    """A text encoding.

    Raises:
        BadOption: there is none of that name.
    """
    try:
        return None if given is None else text_encoding(given)
    except FileProblem as error:
        raise BadOption(f"--encoding: {error}") from None


def day(given: str | None) -> date | None:
    """A date as `YYYY-MM-DD`.

    Raises:
        BadOption: it is none.
    """
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError:
        raise BadOption(f"{echoed(given or '')} is not a date such as 2020-01-31") from None


def words(given: str | None) -> str | None:
    """A name or a unit: one line, not long; None where it is empty."""
    return None if given is None else bounded(given.strip(), _MAX_TEXT) or None
