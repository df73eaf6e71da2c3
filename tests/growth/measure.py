"""How the work of a function grows with its input, as a ratio within one process: no time is compared with a clock."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 4
MOST = 7.0
"""What four times the input may cost: linear work takes 4 times as much, quadratic work 16 times."""


def growth(prepare: Callable[[int], Callable[[], object]], size: int) -> float:
    """Return how many times as much CPU the work takes on `TIMES` the input; what `prepare` does is not counted."""
    return _cpu_s(prepare, size * TIMES) / _cpu_s(prepare, size)


def _cpu_s(prepare: Callable[[int], Callable[[], object]], size: int) -> float:
    best = float("inf")
    for _ in range(3):
        work = prepare(size)
        gc.disable()
        try:
            began = time.thread_time()
            work()
            best = min(best, time.thread_time() - began)
        finally:
            gc.enable()
    return best
