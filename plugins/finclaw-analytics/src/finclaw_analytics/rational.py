"""Exact arithmetic on fractions, bounded: values that are too long, or not exact, are rounded and marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow
from fractions import Fraction

from finclaw_analytics.numbers import bad_input

WORKING_DIGITS = 60
SHOWN_DIGITS = 34
LARGEST_EXPONENT = 300
"""Results lie between 10^-300 and 10^300, like those of a float."""

_MOST_BITS = 20_000
_CONTEXT = Context(
    prec=WORKING_DIGITS,
    rounding=ROUND_HALF_EVEN,
    Emax=LARGEST_EXPONENT + WORKING_DIGITS,
    Emin=-LARGEST_EXPONENT - WORKING_DIGITS,
    traps=[InvalidOperation, DivisionByZero, Overflow, Underflow],
)


@dataclass(frozen=True, slots=True)
class Number:
    """A value, and whether nothing was rounded on the way to it."""

    value: Fraction
    exact: bool = True

    def __add__(self, other: Number) -> Number:
        return _bounded(self.value + other.value, self.exact and other.exact)

    def __sub__(self, other: Number) -> Number:
        return _bounded(self.value - other.value, self.exact and other.exact)

    def __mul__(self, other: Number) -> Number:
        return _bounded(self.value * other.value, self.exact and other.exact)

    def __truediv__(self, other: Number) -> Number:
        if other.value == 0:
            raise bad_input("division by zero")
        return _bounded(self.value / other.value, self.exact and other.exact)

    def __neg__(self) -> Number:
        return Number(-self.value, self.exact)

    def __pos__(self) -> Number:
        return self

    def __pow__(self, other: Number) -> Number:
        return _power(self, other)

    def approximately(self, function: Callable[[Decimal], Decimal]) -> Number:
        """A function without exact values, at 60 digits."""
        return Number(Fraction(_guarded(lambda: function(to_decimal(self.value)))), exact=False)


def to_decimal(value: Fraction, digits: int = WORKING_DIGITS) -> Decimal:
    """A fraction as a decimal of so many digits, rounded half to even."""
    context = _CONTEXT.copy()
    context.prec = digits
    # The parts are exact as ints, so that only the division rounds.
    return _guarded(lambda: context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def context() -> Context:
    """The decimal context of approximate functions."""
    return _CONTEXT.copy()


def _bounded(value: Fraction, exact: bool) -> Number:  # noqa: FBT001 - a property of the value, not a switch
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _MOST_BITS:
        return Number(value, exact)
    return Number(Fraction(to_decimal(value)), exact=False)


def _power(base: Number, exponent: Number) -> Number:
    if base.value == 0 and exponent.value <= 0:
        raise bad_input("0 to a power of 0 or below is undefined")
    if base.value < 0 and exponent.value.denominator != 1:
        raise bad_input("a negative number to a fractional power is not real")
    bits = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
    if exponent.value.denominator == 1 and abs(exponent.value) * bits <= _MOST_BITS:
        return Number(base.value ** int(exponent.value), base.exact and exponent.exact)
    power = to_decimal(exponent.value)
    return base.approximately(lambda number: context().power(number, power))


def _guarded(compute: Callable[[], Decimal]) -> Decimal:
    try:
        found = compute()
    except (Overflow, Underflow, InvalidOperation, DivisionByZero):
        raise bad_input(f"a number is beyond 10^{LARGEST_EXPONENT} or 10^-{LARGEST_EXPONENT}, or undefined") from None
    if found and abs(found.adjusted()) > LARGEST_EXPONENT:
        raise bad_input(f"a number is beyond 10^{LARGEST_EXPONENT} or 10^-{LARGEST_EXPONENT}")
    return found
