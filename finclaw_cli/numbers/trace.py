"""Find the number of a result that a figure shows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from finclaw_cli.numbers.figure import Figure, Kind
from finclaw_cli.numbers.leaves import Leaf, Measure

# The most numbers of a long list that may be expected near a figure by chance; more are no evidence.
_BY_CHANCE = 0.5
_HUNDRED = 100
_BESIDE_CLOSE = re.compile(r"rows\.\d+\.(?:open|high|low|volume|sessions)$")
_GAINS = re.compile(r"gain|profit|pnl|unreali|change|return|net_income|growth", re.IGNORECASE)


class Index:
    """The numbers of one result, by size."""

    def __init__(self, found: Iterable[Leaf]) -> None:
        self._leaves = sorted(found, key=lambda leaf: abs(leaf.value))
        self._sizes = [abs(leaf.value) for leaf in self._leaves]

    @property
    def plain(self) -> list[Leaf]:
        """The numbers outside of long lists, and of a bar its close."""
        return [leaf for leaf in self._leaves if not leaf.in_rows and not _BESIDE_CLOSE.search(leaf.path)]

    def shown_as(self, figure: Figure) -> Leaf | None:
        """The nearest number that equals this figure at its precision."""
        found = [leaf for leaf in self._candidates(figure) if _agrees(figure, leaf)]
        if not found:
            return None
        nearest = min(found, key=lambda leaf: (leaf.in_rows, abs(abs(_as_shown(figure, leaf)) - abs(figure.value))))
        if nearest.in_rows and _as_shown(figure, nearest) != figure.value and self._is_chance(figure):
            return None
        return nearest

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
    return _same_unit(figure, leaf) and _at_scale(figure, leaf)


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


def _same_unit(figure: Figure, leaf: Leaf) -> bool:
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


def first_shown(indices: Sequence[Index], figure: Figure) -> tuple[int, Leaf] | None:
    """The latest result with a number that a figure shows, and that number."""
    best: tuple[int, Leaf] | None = None
    for number in range(len(indices) - 1, -1, -1):
        leaf = indices[number].shown_as(figure)
        if leaf is not None and not leaf.in_rows:
            return number, leaf
        best = best or ((number, leaf) if leaf is not None else None)
    return best
