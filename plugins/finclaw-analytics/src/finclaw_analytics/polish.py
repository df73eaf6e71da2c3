"""Digits for a root at which a curve is flat: there the worth itself cannot tell the root's last eight digits."""

from __future__ import annotations

import math
from collections.abc import Sequence

# Relative to the sum of the discounted amounts without their signs.
_STEEP = 1e-4
_TELLING = 1e-6
_NOTHING = 1e-14
_MOST_ROOTS = 5
_FURTHEST = 0.01
_STEPS = 30
_CLOSE = 1e-16


def polished(amounts: Sequence[float], times: Sequence[float], logged: float, depth: float = _NOTHING) -> float:
    """A root, by the first derivative that crosses zero there steeply: k roots in one are one of the (k-1)st.

    Args:
        amounts: of both signs.
        times: of the same length, rising.
        logged: about where the root is, as log(1 + rate).
        depth: how far from zero the relative worth may be at what is found.

    Returns:
        The better root, or the given one where it has its digits already or none better is found.
    """
    if abs(_derivative(amounts, times, logged, 1)) > _STEEP:
        return logged
    for order in range(1, _MOST_ROOTS):
        found = _newton(amounts, times, logged, order)
        if found is None or abs(_derivative(amounts, times, found, order + 1)) < _TELLING:
            continue
        if abs(_derivative(amounts, times, found, 0)) <= depth:
            return found
    return logged


def _newton(amounts: Sequence[float], times: Sequence[float], start: float, order: int) -> float | None:
    """Where a derivative is zero near by, or None."""
    length = times[-1] - times[0]
    at = start
    for _ in range(_STEPS):
        slope = _derivative(amounts, times, at, order + 1)
        if slope == 0:
            return None
        step = _derivative(amounts, times, at, order) / slope / length
        at += step
        if abs(at - start) > _FURTHEST:
            return None
        if abs(step) <= _CLOSE:
            break
    return at


def _derivative(amounts: Sequence[float], times: Sequence[float], logged: float, order: int) -> float:
    """Sum of amount × (time share)^order × exp(-logged × time), over the same without signs and shares.

    Times are shares of the whole length, from 0 to 1; each further order has the sign turned, which a step allows for.
    """
    first, length = times[0], times[-1] - times[0]
    largest = max(0.0, -logged * length)
    weights = [math.exp(-logged * (time - first) - largest) for time in times]
    shares = [((time - first) / length) ** order for time in times]
    gross = math.fsum(abs(amount) * weight for amount, weight in zip(amounts, weights, strict=True))
    parts = zip(amounts, weights, shares, strict=True)
    return math.fsum(amount * weight * share for amount, weight, share in parts) / gross if gross else 0.0
