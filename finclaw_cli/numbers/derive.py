"""One step of arithmetic between two numbers of one result: a difference, a sum, a ratio, a change in percent."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations, product

from finclaw_cli.core.record import record
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf
from finclaw_cli.numbers.relation import related
from finclaw_cli.numbers.steps import STEPS, Derived, inverse, makes_sense, may_be

# Pairs grow with the square: more numbers than this explain any figure.
_MOST_OPERANDS, _MOST_NAMED = 100, 12
_TIE = 1e-9  # what lies exactly between two figures may be shown as either
# What is outside of these is no amount, and no float would hold its square.
_SMALL, _LARGE = Decimal("1e-100"), Decimal("1e100")
_Pair = tuple[Leaf, Leaf]


@record
class _Evidence:
    """How much must speak for two numbers, the less the text says which two are meant."""

    by_chance: float
    """How many pairs may be expected to give a figure by chance."""
    digits: int
    """How many digits a bare number must have: any two numbers make one of fewer."""
    any_step: bool
    """Whether the two may be taken together in any way, since the text itself puts them side by side."""


_BOTH_NAMED = _Evidence(by_chance=0.5, digits=2, any_step=True)
_ONE_NAMED = _Evidence(by_chance=0.5, digits=3, any_step=False)
_UNNAMED = _Evidence(by_chance=0.4, digits=3, any_step=False)


class Derivations:
    """What can be had in one step from pairs of numbers of one result."""

    def __init__(self, pairs: Sequence[_Pair], evidence: _Evidence, rates: Sequence[Leaf] = ()) -> None:
        self._pairs = pairs
        self._evidence = evidence
        self._rates = rates
        self._made: dict[Kind, list[Derived]] = {}

    def give(self, figure: Figure) -> Derived | None:
        """How the figure comes about; None where nothing gives it, or where anything might."""
        if figure.kind is Kind.PLAIN and len(figure.value.normalize().as_tuple().digits) < self._evidence.digits:
            return None
        found = self._of_kind(figure.kind)
        size = abs(float(figure.value))
        low, high = (float(end) for end in figure.sizes)
        first, last = low * (1 - _TIE), high * (1 + _TIE)
        within = found[bisect_left(found, first, key=_value) : bisect_right(found, last, key=_value)]
        hits = [hit for hit in within if may_be(figure, hit)]
        if not hits or not size:
            return None
        around = bisect_right(found, size * 2, key=_value) - bisect_left(found, size / 2, key=_value)
        if figure.by_chance(around - 1) > self._evidence.by_chance:
            return None
        return min(hits, key=lambda hit: abs(hit.value - size))

    def _of_kind(self, kind: Kind) -> list[Derived]:
        if kind not in self._made:
            given = [one for pair in self._pairs for one in STEPS[kind](*pair)]
            if kind is Kind.MONEY:
                given += [one for leaf in self._rates for one in inverse(leaf)]
            if not self._evidence.any_step:
                given = [one for one in given if makes_sense(one)]
            self._made[kind] = sorted((one for one in given if math.isfinite(one.value)), key=_value)
        return self._made[kind]


def of_any_two(leaves: Sequence[Leaf]) -> Derivations:
    """From any two numbers of a result that stand to each other."""
    operands = _usable(leaves)
    return Derivations([pair for pair in combinations(operands, 2) if related(*pair)], _UNNAMED, operands)


def of_these(named: Sequence[Leaf]) -> Derivations:
    """From two numbers that the text shows beside the figure."""
    return Derivations(list(combinations(_named(named), 2)), _BOTH_NAMED)


def of_one_of_these(named: Sequence[Leaf], leaves: Sequence[Leaf]) -> Derivations:
    """From a number that the text shows beside the figure, and another one of the result."""
    shown, operands = _named(named), _usable(leaves)
    others = [leaf for leaf in operands if leaf not in shown]
    beside = [(one, two) for one, two in product(shown, others) if related(one, two) or _of_text(one, two)]
    return Derivations([*combinations(shown, 2), *beside], _ONE_NAMED, operands)


def _named(leaves: Sequence[Leaf]) -> list[Leaf]:
    return _usable(leaves)[:_MOST_NAMED]


def _of_text(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one text: only what stands beside the figure says which of them belong together."""
    return one.said is not None and two.said is not None and one.path == two.path


def _usable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """Different numbers that arithmetic can be done with, not too many."""
    usable = (leaf for leaf in leaves if _SMALL < abs(leaf.value) < _LARGE)
    return list({(leaf.value, leaf.currency, leaf.measure): leaf for leaf in usable}.values())[:_MOST_OPERANDS]


def _value(derived: Derived) -> float:
    return derived.value
