"""The five states of a run, and the table of legal moves.

From `idle` straight to `tool_use` goes a run that takes up the calls another run has left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.internal import ExecutionState
from finclaw_cli.core.ports import Emit

State = Literal["idle", "streaming", "tool_use", "executing", "done"]

MOVES: Mapping[State, tuple[State, ...]] = {
    "idle": ("streaming", "tool_use"),
    "streaming": ("tool_use", "done"),
    "tool_use": ("executing",),
    "executing": ("streaming", "done"),
    "done": ("idle",),
}


class Machine:
    """One for a whole run, so that an observer sees `executing` while tools really execute."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.state: State = "idle"

    async def move(self, target: State) -> None:
        """Go to another state and tell it.

        Raises:
            InvalidTransition: the table forbids it.
        """
        source = self.state
        if target not in MOVES[source]:
            raise InvalidTransition(source, target, MOVES[source])
        self.state = target
        await self._emit(ExecutionState(state_from=source, state_to=target))

    async def reset(self) -> None:
        """Back to `idle` after a failed attempt or at the end, from wherever the run stands; reported if it moved."""
        source, self.state = self.state, "idle"
        if source != "idle":
            await self._emit(ExecutionState(state_from=source, state_to="idle"))
