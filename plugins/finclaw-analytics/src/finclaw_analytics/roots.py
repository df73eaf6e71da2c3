"""All rates at which amounts at given times are worth nothing: a scan over rates, then bisection."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

from finclaw_analytics.polish import polished

Worth = Callable[[float], float]

LOWEST, HIGHEST = -0.999999, 1_000_000.0
"""The rates between which roots are looked for."""

_LOW, _HIGH = math.log1p(LOWEST), math.log1p(HIGHEST)
_FINE, _MOST_TERMS = 3_000, 1_500_000
_COARSEST = 600
_STEPS = 200
_SECTIONS = 60
# Relative to the sum of the discounted amounts without their signs: below this, a curve touches zero.
_TOUCH = 1e-14
_PLACES = 15
_GOLDEN = (math.sqrt(5) - 1) / 2


def sign_changes(amounts: Sequence[float]) -> int:
    """How often the sign changes in a row of amounts, without zeros: at most so many rates above -1 fit (Descartes)."""
    signs = [amount > 0 for amount in amounts if amount]
    return sum(one != other for one, other in pairwise(signs))


def the_one(roots: Sequence[float], amounts: Sequence[float]) -> float | None:
    """The rate that may stand for all: the only one, or the only one above 0 by Norstrom's condition.

    The running total of the flows begins below 0, ends above it and changes its sign once (Norstrom 1972).
    """
    if len(roots) == 1:
        return roots[0]
    totals = list(accumulate(amounts))
    above = [root for root in roots if root > 0]
    once = sign_changes(totals) == 1 and totals[-1] > 0
    return above[0] if once and len(above) == 1 else None


def all_roots(amounts: Sequence[float], times: Sequence[float]) -> list[float]:
    """Every rate r found in [LOWEST, HIGHEST] with sum of amount × (1 + r)^-time = 0, lowest first.

    Args:
        amounts: of both signs.
        times: in years, of the same length, rising.
    """

    def worth(logged: float) -> float:
        return _relative_worth(amounts, times, logged)

    if sign_changes(amounts) == 1:
        # One sign change is one root at most, wherever it lies: no scan is needed.
        edges = (worth(_LOW), worth(_HIGH))
        return [_rate(_bisected(worth, _LOW, _HIGH))] if edges[0] * edges[1] <= 0 else []
    points = max(_COARSEST, min(_FINE, _MOST_TERMS // len(amounts)))
    grid = [_LOW + (_HIGH - _LOW) * step / points for step in range(points + 1)]
    found = _on_grid(worth, grid, times[-1] * (grid[1] - grid[0]))
    return list(dict.fromkeys(_rate(polished(amounts, times, logged)) for logged in found))


def _relative_worth(amounts: Sequence[float], times: Sequence[float], logged: float) -> float:
    """The present value over that of all amounts without their signs: between -1 and 1, however large the powers."""
    largest = max(-logged * times[0], -logged * times[-1])
    discounted = [amount * math.exp(-logged * time - largest) for amount, time in zip(amounts, times, strict=True)]
    gross = math.fsum(abs(one) for one in discounted)
    return math.fsum(discounted) / gross if gross else 0.0


def _on_grid(worth: Worth, grid: Sequence[float], reach: float) -> list[float]:
    """Roots between or on grid points; `reach` is how far the curve can come from one point to the next.

    The relative worth's slope is at most the time from the first flow to the last, so a dip that stays further from
    zero than `reach` cannot touch it.
    """
    heights = [worth(point) for point in grid]
    found = [grid[step] for step in range(len(grid)) if heights[step] == 0]
    for step in range(1, len(grid)):
        before, here = heights[step - 1], heights[step]
        if before * here < 0:
            found.append(_bisected(worth, grid[step - 1], grid[step]))
        elif step > 1 and abs(before) <= reach and _dips(heights[step - 2], before, here):
            found += _in_dip(worth, grid[step - 2], grid[step])
    return sorted(found)


def _dips(left: float, middle: float, right: float) -> bool:
    """Whether the curve comes closer to zero than on both sides, and stays on its side."""
    same_side = left * middle > 0 and middle * right > 0
    return same_side and abs(middle) < abs(left) and abs(middle) <= abs(right)


def _in_dip(worth: Worth, low: float, high: float) -> list[float]:
    """Both roots where the curve crosses between grid points, one where it touches, none where it turns before."""
    side = math.copysign(1.0, worth(low))
    left, right = low, high
    for _ in range(_SECTIONS):
        one, other = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
        left, right = (left, other) if side * worth(one) <= side * worth(other) else (one, right)
    bottom = (left + right) / 2
    depth = side * worth(bottom)
    if depth < -_TOUCH:
        return [_bisected(worth, low, bottom), _bisected(worth, bottom, high)]
    return [bottom] if depth <= _TOUCH else []


def _bisected(worth: Worth, low: float, high: float) -> float:
    rising = worth(low) < 0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if (worth(middle) < 0) == rising else (low, middle)
    return (low + high) / 2


def _rate(logged: float) -> float:
    # What the arithmetic leaves of a rate of 0 is not a rate.
    return round(math.expm1(logged), _PLACES) + 0.0
