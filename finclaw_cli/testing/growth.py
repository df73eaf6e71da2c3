"""How the work of a function grows with its input, as a ratio within one process: no time is compared with a clock."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 4
MOST = 7.0
"""What four times the input may cost: linear work takes 4 times as much, quadratic work 16 times."""
_LEAST_ROUNDS, _MOST_ROUNDS = 3, 25


def growth(prepare: Callable[[int], Callable[[], object]], size: int, *, least_s: float = 0.0) -> float:
    """Return how many times as much CPU the work takes on `TIMES` the input; what `prepare` does is not counted.

    Both sizes are measured in turn, and the least of all rounds counts: what else the machine does only adds to a time.
    A ratio of more than `MOST` is measured again, up to 25 times.

    Args:
        prepare: makes the work for an input of a size.
        size: the smaller one.
        least_s: a smaller input takes at least so long: below, what does not grow counts.
    """
    once = fourfold = float("inf")
    for round_ in range(_MOST_ROUNDS):
        once = min(once, _cpu_s(prepare(size)))
        fourfold = min(fourfold, _cpu_s(prepare(size * TIMES)))
        if round_ + 1 >= _LEAST_ROUNDS and fourfold < MOST * max(once, least_s):
            break
    return fourfold / max(once, least_s)


def _cpu_s(work: Callable[[], object]) -> float:
    gc.disable()
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        gc.enable()
