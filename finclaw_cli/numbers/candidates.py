"""The results of steps of arithmetic, and the one that a figure shows."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from finclaw_cli.numbers.figure import Figure
from finclaw_cli.numbers.steps import Derived, may_be

# Numbers may crowd around a figure, as prices do: the range of a tenth of its size, of the one from half to twice it.
_CLOSE, _CROWDED = 0.95, 5
_TIE = 1e-9  # a value exactly between two figures may be shown as either


class Candidates:
    """The results of steps of arithmetic, by size."""

    def __init__(self, made: Iterable[Derived]) -> None:
        self._made = sorted((one for one in made if math.isfinite(one.value)), key=_value)

    def give(self, figure: Figure, by_chance: float) -> Derived | None:
        """The one that a figure shows; None where more than `by_chance` of them may be expected to equal it."""
        size = abs(float(figure.value))
        low, high = (float(end) for end in figure.sizes)
        within = self._made[self._first(low * (1 - _TIE)) : self._after(high * (1 + _TIE))]
        hits = [hit for hit in within if may_be(figure, hit)]
        if not hits or not size:
            return None
        around = len({round(one.value, 12) for one in self._made[self._first(size / 2) : self._after(size * 2)]})
        near = len(
            {round(one.value, 12) for one in self._made[self._first(size * _CLOSE) : self._after(size / _CLOSE)]}
        )
        if max(figure.by_chance(around - 1), figure.by_chance(near - 1) * _CROWDED) > by_chance:
            return None
        return min(hits, key=lambda hit: abs(hit.value - size))

    def _first(self, value: float) -> int:
        return bisect_left(self._made, value, key=_value)

    def _after(self, value: float) -> int:
        return bisect_right(self._made, value, key=_value)


def _value(derived: Derived) -> float:
    return derived.value
