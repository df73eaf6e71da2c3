"""Amounts of money as settings say them: exact, and never a float's tail."""

from __future__ import annotations

import re
from decimal import Decimal

from finclaw_cli.core.money import tidy

MAX_DOLLARS = Decimal(1_000_000)
DECIMALS = 12
# Bounded before it is made a number: 1e999999999 would be a gigabyte of zeros.
_MONEY = r"\+?[0-9]{1,20}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,3})?"


def dollars(given: object) -> Decimal:
    """An amount in USD, or a price, from a file, a variable or an option.

    A float is read as it is written: `0.3` of a TOML file is three tenths.

    Raises:
        ValueError: it is no number, negative, larger than any budget or price, or finer than a price list.
    """
    text = repr(given) if isinstance(given, float) else str(given).strip()
    is_money = isinstance(given, int | float | str | Decimal) and not isinstance(given, bool)
    if not is_money or not re.fullmatch(_MONEY, text) or (amount := Decimal(text)) > MAX_DOLLARS:
        raise ValueError(f"not an amount of USD from 0 to {MAX_DOLLARS:,}")
    if amount != round(amount, DECIMALS):
        raise ValueError(f"an amount of USD has at most {DECIMALS} decimals")
    return tidy(amount)
