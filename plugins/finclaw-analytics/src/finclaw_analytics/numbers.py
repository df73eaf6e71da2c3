"""How numbers leave this package, and the errors of inputs that no number can be made of."""

from __future__ import annotations

import math
from decimal import Context, Decimal

from finclaw_cli.sdk import ToolError, no_data

DIGITS = 12
"""Significant digits of a statistic: fewer than a float holds, so that the tails of binary fractions stay out."""

# Wide enough for any number that is let in, so that normalising never rounds.
_EXACT = Context(prec=1_000)
_SHOWN = 60


def stat(value: float | None) -> float | None:
    """A statistic as results give it: 12 significant digits; None where it is not a finite number."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{DIGITS}g}")


def price_text(value: float) -> str:
    """A computed price as a decimal string of 12 significant digits, without an exponent."""
    return plain_text(Decimal(f"{value:.{DIGITS}g}"))


def plain_text(value: Decimal) -> str:
    """All digits of a decimal, without an exponent and without zeros at the end."""
    text = format(_EXACT.normalize(value), "f")
    return "0" if text == "-0" else text


def bad_input(message: str) -> ToolError:
    """The error for an invalid input; the message describes a valid one."""
    return no_data(message, code="BAD_INPUT")


def not_enough(message: str) -> ToolError:
    """The error for an input that is too small; the message has the required size."""
    return no_data(message, code="NOT_ENOUGH_DATA")


def shown(text: str) -> str:
    """Input as quoted in an error: one line, shortened."""
    line = "".join(mark if mark.isprintable() else " " for mark in text[:_SHOWN])
    return f"'{line}…'" if len(text) > _SHOWN else f"'{line}'"


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
        raise bad_input(f"{name} {shown(str(value))} is not between {low:f} and {high:f}")
    _, given, exponent = value.as_tuple()
    if len(given) > digits or (isinstance(exponent, int) and exponent < -digits):
        raise bad_input(f"{name} {shown(str(value))} has more than {digits} digits")
    return value
