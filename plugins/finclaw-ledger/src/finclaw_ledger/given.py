"""The options for a file, checked before anything is read."""

from __future__ import annotations

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, BadOption
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.wording import cleaned

_MAX_NAME = 100


def account_name(given: str | None) -> str | None:
    """The name of an account.

    Raises:
        BadOption: it is empty or too long.
    """
    if given is None:
        return None
    name = cleaned(given)
    if not name or len(name) > _MAX_NAME:
        raise BadOption(f"account {quoted(given)} is not a name of 1 to {_MAX_NAME} characters")
    return name


def currency_code(given: str | None) -> str | None:
    """A currency code in capitals.

    Raises:
        BadOption: it cannot be one.
    """
    try:
        return None if given is None else currency_of(given)
    except BadCell as error:
        raise BadOption(str(error)) from None
