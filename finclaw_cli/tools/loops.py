"""Noticing that a model repeats itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from time import monotonic

from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.messages import ToolCall

SAME_CALLS = 5
WITHIN_S = 10.0
SAME_TURNS = 3


class LoopDetector:
    """Remembers what was called: the same call five times within ten seconds, or three turns of the same calls."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._calls: dict[str, deque[float]] = {}
        self._turns: deque[Counter[str]] = deque(maxlen=SAME_TURNS)
        self._before: tuple[Counter[str], ...] = ()

    def begin_turn(self, calls: Iterable[ToolCall]) -> None:
        """The calls that the model asked for together."""
        self._before = tuple(self._turns)
        self._turns.append(Counter(_signature(call) for call in calls))

    def repeated(self, call: ToolCall) -> str | None:
        """Why this call is one too many, or None. Counts the call."""
        signature = _signature(call)
        times = self._calls.setdefault(signature, deque(maxlen=SAME_CALLS))
        now = self._now()
        recent = sum(now - time <= WITHIN_S for time in times)
        times.append(now)
        if recent >= SAME_CALLS:
            return f"it was called {SAME_CALLS} times with the same input within {WITHIN_S:g} s"
        if len(self._before) == SAME_TURNS and signature in self._before[0] and len(_different(self._before)) == 1:
            return f"the last {SAME_TURNS} turns asked for the same calls"
        return None


def _different(turns: tuple[Counter[str], ...]) -> set[frozenset[tuple[str, int]]]:
    return {frozenset(turn.items()) for turn in turns}


def _signature(call: ToolCall) -> str:
    return f"{call.name} {canonical(call.input)}"
