"""The five states of a run, and the table of legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.internal import ExecutionState, StateCause
from finclaw_cli.core.ports import Emit

State = Literal["idle", "streaming", "tool_use", "executing", "done"]

MOVES: Mapping[tuple[State, State], str] = {
    ("idle", "streaming"): "a request is made",
    ("idle", "executing"): "the calls that an earlier run left open are taken up",
    ("streaming", "tool_use"): "the model begins its first call of the turn",
    ("streaming", "done"): "the answer is whole, and has no calls",
    ("streaming", "idle"): "the attempt failed, or was ended: see `cause`",
    ("tool_use", "executing"): "the turn is whole, and its calls are run",
    ("tool_use", "done"): "the turn stopped for another reason than its calls, which are void",
    ("tool_use", "idle"): "the attempt failed, or was ended, and its calls are void: see `cause`",
    ("executing", "streaming"): "the results of the calls are sent with the next request",
    ("executing", "done"): "the run may make no further turn, or no further call",
    ("executing", "idle"): "the run was ended while calls ran, or before the next request: see `cause`",
    ("done", "idle"): "the run ends, or makes another turn: to continue, or to repair its answer",
}
"""Each legal move, and when it is made."""


class Machine:
    """The states of one run; each move is emitted, and one that is not in the table is refused."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.state: State = "idle"

    async def move(self, target: State, cause: StateCause | None = None) -> None:
        """Go to another state.

        Args:
            target: the state.
            cause: why an attempt or a run ends before it is done.

        Raises:
            InvalidTransition: the table forbids it.
        """
        source = self.state
        if (source, target) not in MOVES:
            raise InvalidTransition(source, target, tuple(to for given, to in MOVES if given == source))
        self.state = target
        await self._emit(ExecutionState(state_from=source, state_to=target, cause=cause))

    async def end(self, cause: StateCause | None) -> None:
        """Return to `idle` at the end of a run.

        Args:
            cause: why the run ends before it is done; None where it has its answer or has reached a limit of its loop.
        """
        if self.state == "executing" and cause is None:
            await self.move("done")
        if self.state != "idle":
            await self.move("idle", None if self.state == "done" else cause)
