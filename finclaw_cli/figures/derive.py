"""One step of arithmetic between two numbers of one result: a difference, a sum, a ratio, a change in percent."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from itertools import combinations, product

from finclaw_cli.figures.figure import Figure, Kind
from finclaw_cli.figures.leaves import Leaf
from finclaw_cli.figures.relation import related
from finclaw_cli.figures.steps import STEPS, Derived, inverse, makes_sense, may_be

# Pairs grow with the square: more numbers than this explain any figure.
_MOST_OPERANDS, _MOST_NAMED = 100, 12
# How many pairs may be expected to give a figure by chance: fewer where nothing says which two numbers are meant.
_NAMED, _UNNAMED = 0.5, 0.4
# What is outside of these is no amount, and no float would hold its square.
_TELLING = 3  # a bare number of fewer digits is made of any two others
_TIE = 1e-9  # what lies exactly between two figures may be shown as either
_SMALL, _LARGE = Decimal("1e-100"), Decimal("1e100")


class Derivations:
    """What can be had from one result in one step."""

    def __init__(self, operands: Sequence[Leaf], named: Sequence[Leaf] | None = None) -> None:
        """Take every two of `operands`; or only those pairs of which one is `named`, in the text beside the figure."""
        self._operands = _usable(operands)
        self._named = None if named is None else _usable(named)[:_MOST_NAMED]
        self._made: dict[Kind, list[Derived]] = {}
        self._all_named = not operands

    def give(self, figure: Figure) -> Derived | None:
        """How the figure comes about; None where nothing gives it, or where anything might."""
        telling = _TELLING - 1 if self._all_named else _TELLING
        if figure.kind is Kind.PLAIN and len(figure.value.normalize().as_tuple().digits) < telling:
            return None
        found = self._of_kind(figure.kind)
        size, half = abs(float(figure.value)), float(figure.half)
        low, high = sorted((abs(float(figure.low)), abs(float(figure.high))))
        low, high = (0.0 if figure.low < 0 < figure.high else low * (1 - _TIE)), high * (1 + _TIE)
        within = found[bisect_left(found, low, key=_value) : bisect_right(found, high, key=_value)]
        hits = [hit for hit in within if may_be(figure, hit)]
        if not hits or not size:
            return None
        around = bisect_right(found, size * 2, key=_value) - bisect_left(found, size / 2, key=_value)
        by_chance = (around - 1) * 2 * half / (1.5 * size)
        if by_chance > (_UNNAMED if self._named is None else _NAMED):
            return None
        return min(hits, key=lambda hit: abs(hit.value - size))

    def _of_kind(self, kind: Kind) -> list[Derived]:
        if kind not in self._made:
            step = STEPS[kind]
            given = [one for pair in self._pairs for one in step(*pair)]
            if kind is Kind.MONEY:
                given += [one for leaf in self._operands for one in inverse(leaf)]
            if not self._all_named:
                given = [one for one in given if makes_sense(one)]
            self._made[kind] = sorted((one for one in given if math.isfinite(one.value)), key=_value)
        return self._made[kind]

    @cached_property
    def _pairs(self) -> list[tuple[Leaf, Leaf]]:
        if self._named is None:
            return [pair for pair in combinations(self._operands, 2) if related(*pair)]
        others = [leaf for leaf in self._operands if leaf not in self._named]
        beside = ((one, two) for one, two in product(self._named, others) if related(one, two) or _of_text(one, two))
        return [*combinations(self._named, 2), *beside]


def _of_text(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one text: only what stands beside the figure says which of them belong together."""
    return one.said is not None and two.said is not None and one.path == two.path


def _usable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """Different numbers that arithmetic can be done with, not too many."""
    usable = (leaf for leaf in leaves if _SMALL < abs(leaf.value) < _LARGE)
    return list({(leaf.value, leaf.currency, leaf.measure): leaf for leaf in usable}.values())[:_MOST_OPERANDS]


def _value(derived: Derived) -> float:
    return derived.value
