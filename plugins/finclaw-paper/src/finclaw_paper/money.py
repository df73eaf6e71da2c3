"""Exact decimal arithmetic: money and shares are never rounded, and never floats."""

from __future__ import annotations

from decimal import ROUND_DOWN, Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from fractions import Fraction

# Wide enough for any sum of products of what the store and an order may hold; if ever not, an error and no rounding.
_EXACT = Context(prec=300, traps=[Inexact, InvalidOperation, Overflow, DivisionByZero])
_WIDE = Context(prec=300, rounding=ROUND_DOWN)
_SHOWN = Context(prec=12)
SHARE_DECIMALS = 9
_SHARE_STEP = Decimal(1).scaleb(-SHARE_DECIMALS)


def plus(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum."""
    return _EXACT.add(left, right)


def minus(left: Decimal, right: Decimal) -> Decimal:
    """The exact difference."""
    return _EXACT.subtract(left, right)


def times(left: Decimal, right: Decimal) -> Decimal:
    """The exact product."""
    return _EXACT.multiply(left, right)


def total(numbers: list[Decimal]) -> Decimal:
    """The exact sum of all."""
    result = Decimal(0)
    for number in numbers:
        result = plus(result, number)
    return result


def shares_for(notional: Decimal, price: Decimal) -> Decimal:
    """How many shares that money buys, rounded down to the smallest part of a share."""
    return _WIDE.divide(notional, price).quantize(_SHARE_STEP, rounding=ROUND_DOWN, context=_WIDE)


def whole_parts(shares: Fraction) -> Decimal:
    """Shares rounded down, towards zero, to the smallest part of a share."""
    exact = _WIDE.divide(Decimal(shares.numerator), Decimal(shares.denominator))
    return exact.quantize(_SHARE_STEP, rounding=ROUND_DOWN, context=_WIDE)


def text(number: Decimal) -> str:
    """The one text of a number: equal numbers give equal text, no exponent, no digit lost."""
    return format(number.normalize(_EXACT), "f") if number else "0"


def maybe_text(number: Decimal | None) -> str | None:
    """The text of a number that may be missing."""
    return None if number is None else text(number)


def shown(number: Fraction) -> str:
    """A computed ratio to twelve significant digits."""
    return text(_SHOWN.divide(Decimal(number.numerator), Decimal(number.denominator)))
