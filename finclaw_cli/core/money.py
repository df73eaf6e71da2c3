"""Amounts of money: added up exactly, and shown as people read them, with their currency."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal

SMALLEST = Decimal("0.000001")
# More digits than the largest and the finest amount have between them: nothing is ever rounded.
EXACT = Context(prec=200)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """The exact sum, without zeros at the end."""
    amount = Decimal(0)
    for one in amounts:
        amount = EXACT.add(amount, one)
    return tidy(amount)


def tidy(amount: Decimal) -> Decimal:
    """The same amount without zeros at its end."""
    short = amount.normalize(EXACT)
    exponent = short.as_tuple().exponent
    return short.quantize(Decimal(1), context=EXACT) if isinstance(exponent, int) and exponent > 0 else short


def usd(amount: Decimal) -> str:
    """`0.010935 USD`: up to six decimals, at least two unless there are none; smaller amounts are shown as `<`."""
    return f"{usd_figure(amount)} USD"


def usd_figure(amount: Decimal) -> str:
    """The same without the currency."""
    if 0 < abs(amount) < SMALLEST:
        return f"<{SMALLEST}" if amount > 0 else f">-{SMALLEST}"
    if not amount:
        return "0"
    rounded = amount.quantize(SMALLEST, ROUND_HALF_EVEN) if abs(amount) < 10**20 else amount.to_integral_value()
    whole, _, decimals = format(rounded, "f").partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
