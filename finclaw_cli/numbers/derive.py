"""One step of arithmetic between two numbers of one result: a difference, a sum, a ratio, a change in percent."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations, product

from finclaw_cli.core.record import record
from finclaw_cli.numbers.candidates import Candidates
from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf
from finclaw_cli.numbers.relation import are_prices, of_one_name, related
from finclaw_cli.numbers.steps import STEPS, Derived, inverse, makes_sense

# The number of pairs grows with the square: more numbers than this give any figure.
_MOST_OPERANDS, _MOST_NAMED = 100, 12
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
_ONE_NAMED = _Evidence(by_chance=0.25, digits=3, any_step=False)
_RELATED = _Evidence(by_chance=0.2, digits=3, any_step=False)
_GIVEN = _Evidence(by_chance=0.3, digits=3, any_step=True)
_UNNAMED = _Evidence(by_chance=0.08, digits=3, any_step=False)


class Derivations:
    """The results of one step of arithmetic on pairs of numbers of one result."""

    def __init__(self, pairs: Sequence[_Pair], evidence: _Evidence, rates: Sequence[Leaf] = ()) -> None:
        self._pairs = pairs
        self._evidence = evidence
        self._rates = rates
        self._made: dict[Kind, Candidates] = {}

    def give(self, figure: Figure) -> Derived | None:
        """The derivation of a figure; None where there is none, or where one is likely by chance."""
        if figure.kind is Kind.PLAIN and len(figure.value.normalize().as_tuple().digits) < self._evidence.digits:
            return None
        return self._of_kind(figure.kind).give(figure, self._evidence.by_chance)

    def _of_kind(self, kind: Kind) -> Candidates:
        if kind not in self._made:
            given = [one for pair in self._pairs for one in STEPS[kind](*pair)]
            if kind is Kind.MONEY:
                given += [one for leaf in self._rates for one in inverse(leaf)]
            if not self._evidence.any_step:
                given = [one for one in given if makes_sense(one)]
            self._made[kind] = Candidates(given)
        return self._made[kind]


def of_any_two(leaves: Sequence[Leaf]) -> Derivations:
    """Derivations from any two related numbers of a result."""
    operands = _usable(leaves)
    return Derivations([pair for pair in combinations(operands, 2) if related(*pair)], _UNNAMED, operands)


def of_these(named: Sequence[Leaf]) -> Derivations:
    """Derivations from two numbers that the text shows next to the figure."""
    return Derivations(list(combinations(_named(named), 2)), _BOTH_NAMED)


def of_related(named: Sequence[Leaf]) -> Derivations:
    """Derivations from two numbers of one name, of which the text shows or names each elsewhere."""
    operands = _usable(named)
    pairs = [(one, two) for one, two in combinations(operands, 2) if _alike_names(one.path, two.path)]
    return Derivations(pairs, _RELATED)


def of_pairs(pairs: Sequence[_Pair]) -> Derivations:
    """Derivations from pairs that are related by their places."""
    return Derivations([pair for pair in pairs if all(_is_usable(leaf) for leaf in pair)], _UNNAMED)


def with_given(named: Sequence[Leaf], given: Sequence[Leaf]) -> Derivations:
    """Derivations from a number that the text shows or names, and an amount of the user."""
    return Derivations(list(product(_named(named), _named(given))), _GIVEN)


def _alike_names(one: str, two: str) -> bool:
    return of_one_name(one, two) or are_prices(one, two)


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


def _is_usable(leaf: Leaf) -> bool:
    return _SMALL < abs(leaf.value) < _LARGE


def _usable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The distinct numbers that can be operands, up to a maximum."""
    usable = (leaf for leaf in leaves if _is_usable(leaf))
    return list({(leaf.value, leaf.currency, leaf.measure): leaf for leaf in usable}.values())[:_MOST_OPERANDS]
