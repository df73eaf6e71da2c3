"""One step of arithmetic between two numbers of one result: a difference, a sum, a ratio, a change in percent."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations, product

from finclaw_cli.figures.figure import Figure, Kind
from finclaw_cli.figures.leaves import Leaf, Measure
from finclaw_cli.figures.relation import are_prices, may_be_part, of_one_name, related

# Pairs grow with the square: more numbers than this explain any figure.
_MOST_OPERANDS = 300
# How many pairs may be expected to give a figure by chance: fewer where nothing says which two numbers are meant.
_NAMED, _UNNAMED = 0.5, 0.4
# What is outside of these is no amount, and no float would hold its square.
_TELLING = 3  # a bare number of fewer digits is made of any two others
_TIE = 1e-9  # what lies exactly between two figures may be shown as either
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
    of_one_thing: bool = False
    """Whether it means something only where both numbers are of the same thing."""
    of_whole: bool = False
    """Whether it means something only where one number may be a part of the other."""
    falls: bool | None = None
    """Whether it is a change downwards; None where it may be either."""


class Derivations:
    """What can be had from one result in one step."""

    def __init__(self, operands: Sequence[Leaf], named: Sequence[Leaf] | None = None) -> None:
        """Take every two of `operands`; or only those pairs of which one is `named`, in the text beside the figure."""
        self._operands = _usable(operands)
        self._named = None if named is None else _usable(named)
        self._all_named = not operands

    def give(self, figure: Figure) -> Derived | None:
        """How the figure comes about; None where nothing gives it, or where anything might."""
        telling = _TELLING - 1 if self._all_named else _TELLING
        if figure.kind is Kind.PLAIN and len(figure.value.normalize().as_tuple().digits) < telling:
            return None
        found = self._of_kind[figure.kind]
        size, half = abs(float(figure.value)), float(figure.half)
        low, high = sorted((abs(float(figure.low)), abs(float(figure.high))))
        low, high = (0.0 if figure.low < 0 < figure.high else low * (1 - _TIE)), high * (1 + _TIE)
        within = found[bisect_left(found, low, key=_value) : bisect_right(found, high, key=_value)]
        hits = [hit for hit in within if _may_be(figure, hit)]
        if not hits or not size:
            return None
        around = bisect_right(found, size * 2, key=_value) - bisect_left(found, size / 2, key=_value)
        by_chance = (around - 1) * 2 * half / (1.5 * size)
        if by_chance > (_UNNAMED if self._named is None else _NAMED):
            return None
        return min(hits, key=lambda hit: abs(hit.value - size))

    def _rates(self) -> Iterator[Derived]:
        """What a rate is the other way round."""
        for leaf in self._operands:
            if "rate" in leaf.path.lower():
                yield Derived(1 / abs(float(leaf.value)), "ratio", "1", leaf.path)

    def _quotients(self) -> Iterator[Derived]:
        """An amount for each of something: 410 million for 3.4 million shares."""
        for one, two in self._pairs():
            if _each(one, two):
                for first, second in ((one, two), (two, one)):
                    currency = first.currency
                    value = abs(float(first.value) / float(second.value))
                    yield Derived(value, "ratio", first.path, second.path, currency, Measure.ANY)

    @cached_property
    def _of_kind(self) -> dict[Kind, list[Derived]]:
        steps: dict[Kind, Callable[[Leaf, Leaf], Iterator[Derived]]] = {
            Kind.PERCENT: _shares,
            Kind.TIMES: _ratios,
            Kind.MONEY: _amounts,
            Kind.SHARES: _amounts,
            Kind.DURATION: _lengths,
            Kind.PLAIN: _amounts,
        }
        made = {step: self._all(step) for step in {*steps.values()}}
        found = {kind: made[step] for kind, step in steps.items()}
        found[Kind.MONEY] = sorted([*found[Kind.MONEY], *self._rates(), *self._quotients()], key=_value)
        return found

    def _all(self, step: Callable[[Leaf, Leaf], Iterator[Derived]]) -> list[Derived]:
        pairs = ((one, two) for one, two in self._pairs() if _alike(one, two))
        given = [derived for one, two in pairs for derived in step(one, two) if math.isfinite(derived.value)]
        if not self._all_named:
            # Changes are of one thing, and so are differences of percentages; what stands in the text may be anything.
            given = [derived for derived in given if _makes_sense(derived)]
        return sorted(given, key=_value)

    def _pairs(self) -> Iterator[tuple[Leaf, Leaf]]:
        if self._named is None:
            yield from (pair for pair in combinations(self._operands, 2) if related(*pair))
            return
        yield from combinations(self._named, 2)
        others = [leaf for leaf in self._operands if leaf not in self._named]
        yield from ((one, two) for one, two in product(self._named, others) if related(one, two) or _of_text(one, two))


def _each(one: Leaf, two: Leaf) -> bool:
    """Whether one number may be an amount, and the other how many there are."""
    if Measure.MONEY in {one.measure, two.measure}:
        return one.measure != two.measure
    return one.measure == two.measure == Measure.ANY and any(leaf.value == int(leaf.value) for leaf in (one, two))


def _of_text(one: Leaf, two: Leaf) -> bool:
    """Whether two numbers are of one text: only what stands beside the figure says which of them belong together."""
    return one.said is not None and two.said is not None and one.path == two.path


def _usable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """Different numbers that arithmetic can be done with, not too many."""
    usable = (leaf for leaf in leaves if _SMALL < abs(leaf.value) < _LARGE)
    return list({(leaf.value, leaf.currency, leaf.measure): leaf for leaf in usable}.values())[:_MOST_OPERANDS]


def _makes_sense(derived: Derived) -> bool:
    if derived.of_one_thing:
        return of_one_name(derived.first, derived.second) or are_prices(derived.first, derived.second)
    return not derived.of_whole or may_be_part(derived.first, derived.second)


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
    measures = {one.measure, two.measure}
    return len(measures) == 1 or measures <= fractions or measures == {Measure.ANY, Measure.MONEY}


def _lengths(one: Leaf, two: Leaf) -> Iterator[Derived]:
    if one.value == one.value.to_integral_value() and two.value == two.value.to_integral_value():
        yield from _amounts(one, two)


def _amounts(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    unit = (one.currency or two.currency, two.measure if one.measure is Measure.ANY else one.measure)
    yield Derived(abs(first - second), "difference", one.path, two.path, *unit)
    yield Derived(abs(first + second), "sum", one.path, two.path, *unit)


def _ratios(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    yield Derived(abs(first / second), "ratio", one.path, two.path, falls=first * second < 0)
    yield Derived(abs(second / first), "ratio", two.path, one.path, falls=first * second < 0)


def _shares(one: Leaf, two: Leaf) -> Iterator[Derived]:
    first, second = float(one.value), float(two.value)
    measures = {one.measure, two.measure}
    if measures <= {Measure.FRACTION, Measure.PERCENT, Measure.ANY}:
        # Two percentages that nobody has named are two numbers of the size of percentages.
        small = max(abs(first), abs(second)) < 1
        unit = 1 if measures != {Measure.ANY} or small else 100
        alike = of_one_name(one.path, two.path)
        yield Derived(abs(first - second) / unit, "difference", one.path, two.path, of_one_thing=True)
        if alike or measures == {Measure.PERCENT}:
            yield Derived(abs(first + second) / unit, "sum", one.path, two.path)
        if measures != {Measure.ANY} or (small and not alike):
            return
    rise, fall = second / first - 1, first / second - 1
    yield Derived(abs(rise), "percent_change", one.path, two.path, of_one_thing=True, falls=rise < 0)
    yield Derived(abs(fall), "percent_change", two.path, one.path, of_one_thing=True, falls=fall < 0)
    share = min(abs(first / second), abs(second / first))
    yield Derived(share, "ratio", one.path, two.path, of_whole=True, falls=first * second < 0)
