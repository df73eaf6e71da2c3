"""Exact sums of amounts."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal, Inexact, InvalidOperation

EXACT = Context(prec=200, traps=[InvalidOperation, Inexact])


def plus(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum."""
    return EXACT.add(left, right)


def total(numbers: Iterable[Decimal]) -> Decimal:
    """The exact sum of all."""
    result = Decimal(0)
    for number in numbers:
        result = plus(result, number)
    return result
