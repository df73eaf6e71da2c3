"""Currencies as amounts are written with them: a sign before or after the number, or a code."""

from __future__ import annotations

import re

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular.problems import BadCell

# The currencies (ISO 4217) that are written with each sign. Pence are not: a £ before them would be a hundredfold.
_CURRENCIES = {
    "$": frozenset(
        {"USD", "ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "FJD", "GYD", "HKD", "JMD", "KYD"}
        | {"LRD", "MXN", "NAD", "NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "UYU", "XCD"}
    ),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP", "EGP", "FKP", "GIP", "LBP", "SHP", "SSP", "SYP"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₩": frozenset({"KRW", "KPW"}),
    "원": frozenset({"KRW"}),
}
_BARE = "0123456789.,-+ "
"""What an amount is of that is written without a currency."""
_WRITTEN = r"[$€£¥₩원]|\b[A-Z]{3}\b"


def sign_of(cell: str) -> str | None:
    """The currency sign before a number, if there is one."""
    sign = cell.lstrip(" \t+-")[:1]
    return sign if sign in _CURRENCIES else None


def sign_fits(sign: str, currency: str) -> bool:
    """Whether amounts of a currency (ISO 4217) are written with a sign that `sign_of` returns."""
    return currency in _CURRENCIES[sign]


def check_written_currency(cell: str, currency: str) -> None:
    """Check that an amount is not written with the sign or the code of another currency.

    Args:
        cell: the amount as it is written, with a sign or a code anywhere: `-$5.00`, `5.00 EUR`, or with none.
        currency: of the amount, as a code of ISO 4217.

    Raises:
        BadCell: it is written with another currency's.
    """
    if not cell.strip(_BARE):
        return
    for found in re.findall(_WRITTEN, cell):
        fits = currency in _CURRENCIES[found] if found in _CURRENCIES else found == currency
        if not fits:
            raise BadCell(f"{quoted(cell.strip())} is written with {found}, the currency is {currency}")
