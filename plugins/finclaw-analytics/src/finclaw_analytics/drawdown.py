"""The deepest fall of a curve from its highest point so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drawdown:
    """`depth` is a fraction, 0 or below; the rest are positions in the curve, None where nothing fell or recovered."""

    depth: float
    peak: int | None = None
    trough: int | None = None
    recovery: int | None = None


def max_drawdown(values: Sequence[float]) -> Drawdown:
    """The lowest of value / highest value so far - 1, over a curve that begins with its first value.

    Args:
        values: all above zero; a wealth curve from returns must begin with 1, before the first return.
    """
    worst, high = Drawdown(0.0), 0
    for position, value in enumerate(values):
        if value >= values[high]:
            high = position
        depth = value / values[high] - 1
        if depth < worst.depth:
            worst = Drawdown(depth, high, position)
    if worst.peak is None or worst.trough is None:
        return worst
    after = range(worst.trough + 1, len(values))
    recovery = next((position for position in after if values[position] >= values[worst.peak]), None)
    return Drawdown(worst.depth, worst.peak, worst.trough, recovery)
