"""The words of this package: a bar, its symbol, its exact numbers as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from typing import Literal

from finclaw_cli.sdk.render import shortest_number

Adjustment = Literal["none", "split", "total"]
# What may be asked for; by default whatever the file's owner has.
Wanted = Literal["as_stored", "none", "split", "total"]
# The adjustments in a store: that of a file may be unknown.
Basis = Literal["none", "split", "total", "unstated"]

_SYMBOL = re.compile(r"[A-Za-z0-9.^=_-]{1,32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One session of one instrument, as its source gave it; None is what the source does not say."""

    day: date
    close: Decimal
    open: Decimal | None = None
    high: Decimal | None = None
    low: Decimal | None = None
    adj_close: Decimal | None = None
    volume: Decimal | None = None
    dividend: Decimal | None = None
    split: Decimal | None = None
    """New shares per old one from this session on; 1 where nothing happened."""
    source_id: int = 0
    line: int = 0
    repaired: bool = False
    """Whether a repair changed what the source gave."""


def normal_symbol(text: str) -> str | None:
    """The symbol in the one form the store knows, or None where it cannot be one."""
    stripped = text.strip()
    return stripped.upper() if _SYMBOL.fullmatch(stripped) else None


def exact_text(number: Decimal | None) -> str | None:
    """The one text of a number: two equal numbers give equal text, and no digit is lost."""
    return None if number is None else shortest_number(number)


def significant(number: Decimal, digits: int) -> Decimal:
    """Round a computed number to that many significant digits."""
    return +Context(prec=digits).create_decimal(number)


def as_json_number(number: Decimal) -> float:
    """A statistic as JSON carries it: ten significant digits."""
    return float(significant(number, 10))
