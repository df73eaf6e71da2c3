"""Money in the database: exact, and quick to add up.

An amount is an INTEGER of 10⁻¹² USD, which holds any number of tokens at any price in millionths of a
dollar with six decimals. Some price lists have thirds in them (0.041666666666666664): an amount that does not fit is
kept beside it as TEXT, digit by digit, and added up in Python. Sums of integers are made in two halves, because SQLite
refuses to add up beyond 2⁶³.
"""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from typing import Any

from finclaw_cli.core.money import EXACT, total

UNIT_EXPONENT = -12
MAX_UNITS = 2**62
_HALF = 32


def sums_of(column: str) -> str:
    """The SQL for the two halves of a sum; a row without an amount adds nothing.

    Less than nothing is added up as well: shifting keeps the sign, and the lower half is what is above the upper one.
    """
    return f"sum({column} >> {_HALF}), sum({column} & {2**_HALF - 1})"


def split(amount: Decimal | None) -> tuple[int | None, str | None]:
    """What stands for an amount: units, or text where units cannot say it, or neither where there is none."""
    if amount is None:
        return None, None
    units = amount.scaleb(-UNIT_EXPONENT, EXACT)
    if units == units.to_integral_value() and units <= MAX_UNITS:
        return int(units), None
    return None, str(amount)


def difference(amount: Decimal | None, less: Decimal | None) -> int | None:
    """What is left of an amount, in whole units and perhaps below 0; None where it is unknown, or beyond all belief."""
    if amount is None or less is None:
        return None
    units = int(EXACT.subtract(amount, less).scaleb(-UNIT_EXPONENT, EXACT).to_integral_value(context=EXACT))
    return units if abs(units) <= MAX_UNITS else None


def joined(high: int | None, low: int | None, *texts: str | None) -> Decimal:
    """The amount of the two halves of a sum, and of sums that are text."""
    units = ((high or 0) << _HALF) + (low or 0)
    return total((Decimal(units).scaleb(UNIT_EXPONENT, EXACT), *(Decimal(text) for text in texts if text)))


class _TextSum:
    """`money_sum(text)`: the aggregate for amounts that are text."""

    def __init__(self) -> None:
        self._amount = Decimal(0)

    def step(self, text: str | None) -> None:
        if text is not None:
            self._amount = EXACT.add(self._amount, Decimal(text))

    def finalize(self) -> str:
        return str(self._amount)


def teach(connection: sqlite3.Connection) -> None:
    """Let a connection add up amounts that are text, by `money_sum`."""
    aggregate: Any = _TextSum  # the stubs know of numbers only
    connection.create_aggregate("money_sum", 1, aggregate)
