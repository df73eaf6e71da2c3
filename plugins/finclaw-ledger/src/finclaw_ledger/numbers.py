"""Exact sums of amounts."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import reduce

EXACT = Context(prec=200, traps=[InvalidOperation, Inexact])


def plus(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum."""
    return EXACT.add(left, right)


def total(numbers: Iterable[Decimal]) -> Decimal:
    """The exact sum of all."""
    return reduce(EXACT.add, numbers, Decimal(0))
