"""The options for a file, checked before anything is read."""

from __future__ import annotations

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, BadOption
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.profile import ROLES
from finclaw_ledger.wording import cleaned

_MAX_NAME = 100
_MAX_COLUMN = 200


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


def column_numbers(given: str | None) -> dict[str, int] | None:
    """The numbers of columns by their roles, as `date=1,amount=3`.

    Raises:
        BadOption: a role is unknown or there twice, or a number is none.
    """
    if given is None:
        return None
    found: dict[str, int] = {}
    for part in given.replace(" ", ",").split(","):
        role, _, number = part.partition("=")
        if not part:
            continue
        if role not in ROLES or role in found or not number.isdecimal() or not 1 <= int(number[:4]) <= _MAX_COLUMN:
            known = ", ".join(ROLES)
            raise BadOption(f"--columns {quoted(part)} is not as date=1; each of {known} once, numbers from 1")
        found[role] = int(number)
    return found or None
