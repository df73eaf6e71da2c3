"""Find the number of a result that a figure shows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from decimal import Decimal

from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf, Measure

# The most numbers of a long list that may be expected near a figure by chance; more are no evidence.
_BY_CHANCE = 0.5
_HUNDRED = 100
_GAINS = re.compile(r"gain|profit|pnl|unreali|change|return|net_income|growth", re.IGNORECASE)


class Index:
    """The numbers of one result, by size."""

    def __init__(self, found: Iterable[Leaf]) -> None:
        self._leaves = sorted(found, key=lambda leaf: abs(leaf.value))
        self._sizes = [abs(leaf.value) for leaf in self._leaves]
        self._by_unit: dict[tuple[Kind, frozenset[str], bool], list[Decimal]] = {}

    @property
    def leaves(self) -> list[Leaf]:
        """All numbers, the smallest first."""
        return self._leaves

    def shown_as(self, figure: Figure) -> Leaf | None:
        """The nearest number that equals this figure at its precision."""
        return next(iter(self.shown(figure)), None)

    def shown(self, figure: Figure) -> list[Leaf]:
        """The numbers that equal this figure at its precision, the nearest first."""
        found = [leaf for leaf in self._candidates(figure) if _agrees(figure, leaf)]
        found.sort(key=lambda leaf: (leaf.in_rows, abs(abs(_as_shown(figure, leaf)) - abs(figure.value))))
        return [leaf for leaf in found if not self._is_weak(figure, leaf)]

    def near(self, figure: Figure) -> int:
        """How many numbers of its unit are between half its size and twice it."""
        unit = figure.kind, figure.currencies, figure.in_percent_table
        if unit not in self._by_unit:
            fitting = [leaf for leaf in self._leaves if fits_unit(figure, leaf) and not leaf.in_rows]
            self._by_unit[unit] = sorted({abs(leaf.value) for leaf in fitting})
        sizes, size = self._by_unit[unit], abs(figure.value)
        return bisect_right(sizes, size * 2) - bisect_left(sizes, size / 2)

    def _is_weak(self, figure: Figure, leaf: Leaf) -> bool:
        """Whether it is one of a long list, shown rounded, where any figure is near one of them."""
        return leaf.in_rows and _as_shown(figure, leaf) != figure.value and self._is_chance(figure)

    def _candidates(self, figure: Figure) -> Iterator[Leaf]:
        for factor in _factors(figure):
            low, high = (size * factor for size in figure.sizes)
            yield from self._leaves[bisect_left(self._sizes, low) : bisect_right(self._sizes, high)]

    def _is_chance(self, figure: Figure) -> bool:
        """Whether a number of a long list is likely to be near any figure."""
        size = abs(figure.value)
        near = bisect_right(self._sizes, size * 2) - bisect_left(self._sizes, size / 2)
        return figure.by_chance(near) > _BY_CHANCE


def _factors(figure: Figure) -> tuple[Decimal, ...]:
    """The possible factors between a figure and its number."""
    if figure.kind is Kind.PERCENT:
        return (Decimal(1), Decimal(_HUNDRED))
    if figure.in_percent_table:
        return (Decimal(1), 1 / Decimal(_HUNDRED))
    return (Decimal(1),)


def _as_shown(figure: Figure, leaf: Leaf) -> Decimal:
    """The number in the figure's own unit."""
    return min(
        (leaf.value / factor for factor in _factors(figure)), key=lambda value: abs(abs(value) - abs(figure.value))
    )


def _agrees(figure: Figure, leaf: Leaf) -> bool:
    """Whether sign and unit of a number match the figure."""
    if figure.signed and leaf.value * figure.value < 0:
        return False
    if figure.direction and _contradicts(figure.direction, leaf):
        return False
    return fits_unit(figure, leaf) and _at_scale(figure, leaf)


def _contradicts(direction: int, leaf: Leaf) -> bool:
    """Whether the text has a gain where the number is a loss, or the reverse.

    A loss may be a number above zero, unless its name is that of a gain.
    """
    if direction > 0 and leaf.value < 0:
        return True
    if leaf.figure is not None:
        return leaf.figure.direction == -direction
    if direction > 0:
        return False
    return leaf.value > 0 and _GAINS.search(leaf.path.rpartition(".")[2]) is not None


def fits_unit(figure: Figure, leaf: Leaf) -> bool:
    """Whether a number may be an amount in the figure's unit."""
    match figure.kind:
        case Kind.PERCENT:
            return leaf.measure in {Measure.FRACTION, Measure.PERCENT, Measure.ANY, Measure.BARE}
        case Kind.MONEY:
            known = leaf.currency is None or not figure.currencies or leaf.currency in figure.currencies
            return known and leaf.measure in {Measure.MONEY, Measure.ANY}
        case Kind.SHARES | Kind.DURATION:
            return leaf.measure in {Measure.COUNT, Measure.ANY, Measure.BARE}
        case Kind.TIMES:
            return leaf.measure is not Measure.MONEY
        case Kind.PLAIN:
            return leaf.measure is not Measure.PERCENT or figure.in_percent_table or leaf.figure is None


def _at_scale(figure: Figure, leaf: Leaf) -> bool:
    """Whether the number is within the figure's range; times 100 only for a possible percentage."""
    for factor in _factors(figure):
        # Only a number without a unit may be a percentage that is written as one.
        named = leaf.measure in {Measure.FRACTION, Measure.PERCENT} or not leaf.may_be_percent
        if factor > 1 and named:
            continue
        low, high = figure.sizes
        if low <= abs(leaf.value / factor) <= high:
            return True
    return False
