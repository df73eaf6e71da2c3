"""How numbers leave this package, and the errors of inputs that no number can be made of."""

from __future__ import annotations

import math
from decimal import Decimal

from finclaw_cli.sdk import ToolError, no_data
from finclaw_cli.sdk.render import quoted, shortest_number

DIGITS = 12
"""Significant digits of a statistic: fewer than a float holds, so that the tails of binary fractions stay out."""


def stat(value: float | None) -> float | None:
    """A statistic as results give it: 12 significant digits; None where it is not a finite number."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{DIGITS}g}")


def price_text(value: float) -> str:
    """A computed price as a decimal string of 12 significant digits, without an exponent."""
    return shortest_number(Decimal(f"{value:.{DIGITS}g}"))


def bad_input(message: str) -> ToolError:
    """The error for an invalid input; the message describes a valid one."""
    return no_data(message, code="BAD_INPUT")


def not_enough(message: str) -> ToolError:
    """The error for an input that is too small; the message has the required size."""
    return no_data(message, code="NOT_ENOUGH_DATA")


def within(name: str, value: float, low: float, high: float) -> float:
    """The value, where it lies between two bounds (both allowed).

    Raises:
        ToolError: BAD_INPUT where it does not, or is no number.
    """
    if not low <= value <= high:
        raise bad_input(f"{name} {value:g} is not between {low:g} and {high:g}")
    return value


def decimal_within(name: str, value: Decimal, low: Decimal, high: Decimal, digits: int = 40) -> Decimal:
    """The same for a Decimal, whose digits are bounded too.

    Raises:
        ToolError: BAD_INPUT.
    """
    if not value.is_finite() or not low <= value <= high:
        raise bad_input(f"{name} {quoted(str(value))} is not between {low:f} and {high:f}")
    _, given, exponent = value.as_tuple()
    if len(given) > digits or (isinstance(exponent, int) and exponent < -digits):
        raise bad_input(f"{name} {quoted(str(value))} has more than {digits} digits")
    return value
