"""The options for a file, checked before anything is read."""

from __future__ import annotations

import codecs
from typing import cast

from finclaw_ledger.currencies import currency_of
from finclaw_ledger.numbers import Mark
from finclaw_ledger.problems import BadCell, BadOption
from finclaw_ledger.wording import cleaned, echoed

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
        raise BadOption(f"account {echoed(given)} is not a name of 1 to {_MAX_NAME} characters")
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


def decimal_mark(given: str | None) -> Mark | None:
    """A decimal mark.

    Raises:
        BadOption: it is neither a point nor a comma.
    """
    if given is None or given in {".", ","}:
        return cast("Mark | None", given)
    raise BadOption(f"decimal mark {echoed(given)} is neither . nor ,")


def text_encoding(given: str | None) -> str | None:
    """A text encoding that Python knows.

    Raises:
        BadOption: there is none of that name.
    """
    if given is None:
        return None
    try:
        name = codecs.lookup(given).name
        b"ab".decode(name)
    except (LookupError, ValueError):
        raise BadOption(f"unknown encoding {echoed(given)}; say e.g. cp1252 or cp949") from None
    return name
