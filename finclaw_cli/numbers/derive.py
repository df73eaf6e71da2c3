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

# The number of pairs grows with the square: more numbers than this give any figure.
_MOST_OPERANDS, _MOST_NAMED = 100, 12
_TIE = 1e-9  # a value exactly between two figures may be shown as either
# Numbers outside of these are no amounts, and their squares exceed a float.
_SMALL, _LARGE = Decimal("1e-100"), Decimal("1e100")
_Pair = tuple[Leaf, Leaf]


@record
class _Evidence:
    """The evidence that two numbers need; more where the text names fewer of them."""

    by_chance: float
    """The most pairs that may be expected to give a figure by chance."""
    digits: int
    """The fewest digits of a bare number: any two numbers give one of fewer."""
    any_step: bool
    """Whether any step is allowed, as the text itself has both numbers side by side."""


_BOTH_NAMED = _Evidence(by_chance=0.5, digits=2, any_step=True)
_ONE_NAMED = _Evidence(by_chance=0.5, digits=3, any_step=False)
_UNNAMED = _Evidence(by_chance=0.4, digits=3, any_step=False)


class Derivations:
    """The results of one step of arithmetic on pairs of numbers of one result."""

    def __init__(self, pairs: Sequence[_Pair], evidence: _Evidence, rates: Sequence[Leaf] = ()) -> None:
        self._pairs = pairs
        self._evidence = evidence
        self._rates = rates
        self._made: dict[Kind, list[Derived]] = {}

    def give(self, figure: Figure) -> Derived | None:
        """The derivation of a figure; None where there is none, or where one is likely by chance."""
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
    """Derivations from any two related numbers of a result."""
    operands = _usable(leaves)
    return Derivations([pair for pair in combinations(operands, 2) if related(*pair)], _UNNAMED, operands)


def of_these(named: Sequence[Leaf]) -> Derivations:
    """Derivations from two numbers that the text shows next to the figure."""
    return Derivations(list(combinations(_named(named), 2)), _BOTH_NAMED)


def of_one_of_these(named: Sequence[Leaf], leaves: Sequence[Leaf]) -> Derivations:
    """Derivations from a number that the text shows next to the figure, and another one of the result."""
    shown, operands = _named(named), _usable(leaves)
    others = [leaf for leaf in operands if leaf not in shown]
    beside = [(one, two) for one, two in product(shown, others) if related(one, two) or _of_text(one, two)]
    return Derivations([*combinations(shown, 2), *beside], _ONE_NAMED, operands)


def _named(leaves: Sequence[Leaf]) -> list[Leaf]:
    return _usable(leaves)[:_MOST_NAMED]


def _of_text(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one text, whose numbers are related only where the answer shows both."""
    return one.figure is not None and two.figure is not None and one.path == two.path


def _usable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The distinct numbers that can be operands, up to a maximum."""
    usable = (leaf for leaf in leaves if _SMALL < abs(leaf.value) < _LARGE)
    return list({(leaf.value, leaf.currency, leaf.measure): leaf for leaf in usable}.values())[:_MOST_OPERANDS]


def _value(derived: Derived) -> float:
    return derived.value
