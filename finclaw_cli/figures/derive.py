"""One step of arithmetic between two numbers of one result: a difference, a sum, a ratio, a change in percent."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from finclaw_cli.figures.figure import Figure, Kind
from finclaw_cli.figures.leaves import Leaf, Measure

# Pairs grow with the square: more numbers than this explain any figure.
_MOST_OPERANDS = 80
# How many pairs may be expected to give a figure by chance: fewer where nothing says which two numbers are meant.
_NAMED, _UNNAMED = 0.5, 0.1
# What is outside of these is no amount, and no float would hold its square.
_SMALL, _LARGE = Decimal("1e-100"), Decimal("1e100")


@dataclass(frozen=True, slots=True)
class Derived:
    """What two numbers give, and how."""

    value: float
    how: str
    first: str
    second: str
    currency: str | None = None
    measure: Measure = Measure.ANY
    falls: bool | None = None
    """Whether it is a change downwards; None where it may be either."""


class Derivations:
    """What can be had from one result in one step."""

    def __init__(self, operands: Sequence[Leaf]) -> None:
        distinct = {
            (leaf.value, leaf.currency, leaf.measure): leaf for leaf in operands if _SMALL < abs(leaf.value) < _LARGE
        }
        self._operands = list(distinct.values())[:_MOST_OPERANDS]

    def give(self, figure: Figure, *, named: bool) -> Derived | None:
        """How the figure comes about; None where nothing gives it, or where anything might.

        Args:
            figure: what is to be explained.
            named: whether the operands are the ones that the text beside the figure shows.
        """
        found = self._of_kind[figure.kind]
        size, half = abs(float(figure.value)), float(figure.half)
        low, high = (abs(float(figure.low)), abs(float(figure.high)))
        low, high = (0.0 if figure.low < 0 < figure.high else min(low, high)), max(low, high)
        within = found[bisect_left(found, low, key=_value) : bisect_right(found, high, key=_value)]
        hits = [hit for hit in within if _may_be(figure, hit)]
        if not hits or not size:
            return None
        around = bisect_right(found, size * 2, key=_value) - bisect_left(found, size / 2, key=_value)
        by_chance = (around - 1) * 2 * half / (1.5 * size)
        if by_chance > (_NAMED if named else _UNNAMED):
            return None
        return min(hits, key=lambda hit: abs(hit.value - size))

    @cached_property
    def _of_kind(self) -> dict[Kind, list[Derived]]:
        steps: dict[Kind, Callable[[Leaf, Leaf], Iterator[Derived]]] = {
            Kind.PERCENT: _shares,
            Kind.TIMES: _ratios,
            Kind.MONEY: _amounts,
            Kind.SHARES: _amounts,
            Kind.DURATION: _amounts,
            Kind.PLAIN: _amounts,
        }
        made = {step: self._all(step) for step in {*steps.values()}}
        return {kind: made[step] for kind, step in steps.items()}

    def _all(self, step: Callable[[Leaf, Leaf], Iterator[Derived]]) -> list[Derived]:
        pairs = ((one, two) for one, two in combinations(self._operands, 2) if _alike(one, two))
        given = (derived for one, two in pairs for derived in step(one, two) if math.isfinite(derived.value))
        return sorted(given, key=_value)


def _value(derived: Derived) -> float:
    return derived.value


def _may_be(figure: Figure, derived: Derived) -> bool:
    """Whether what was derived can be an amount of that currency, or a count."""
    if figure.signed and derived.falls is not None and derived.falls != (figure.value < 0):
        return False
    if figure.kind is Kind.MONEY:
        known = derived.currency is None or not figure.currencies or derived.currency in figure.currencies
        return known and derived.measure in {Measure.MONEY, Measure.ANY}
    if figure.kind in {Kind.SHARES, Kind.DURATION}:
        return derived.measure in {Measure.COUNT, Measure.ANY}
    return True


def _alike(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of the same thing."""
    if one.currency is not None and two.currency is not None and one.currency != two.currency:
        return False
    fractions = {Measure.FRACTION, Measure.PERCENT}
    return one.measure == two.measure or {one.measure, two.measure} <= fractions


def _amounts(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    unit = (one.currency or two.currency, one.measure)
    yield Derived(abs(first - second), "difference", one.path, two.path, *unit)
    yield Derived(abs(first + second), "sum", one.path, two.path, *unit)


def _ratios(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    yield Derived(abs(first / second), "ratio", one.path, two.path, falls=first * second < 0)
    yield Derived(abs(second / first), "ratio", two.path, one.path, falls=first * second < 0)


def _shares(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    if {one.measure, two.measure} <= {Measure.FRACTION, Measure.PERCENT}:
        yield Derived(abs(first - second), "difference", one.path, two.path)
        yield Derived(abs(first + second), "sum", one.path, two.path)
        return
    rise, fall = second / first - 1, first / second - 1
    yield Derived(abs(rise), "percent_change", one.path, two.path, falls=rise < 0)
    yield Derived(abs(fall), "percent_change", two.path, one.path, falls=fall < 0)
    yield Derived(min(abs(first / second), abs(second / first)), "ratio", one.path, two.path, falls=first * second < 0)
