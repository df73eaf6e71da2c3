"""One execution of a tool: where it stands, what came of it, how long it took; and the list of them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.errors import InvalidTransition
from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.json_text import ExactObject, JsonObject, plain
from finclaw_cli.core.messages import ToolCall

ExecutionStatus = Literal["pending", "running", "completed", "failed", "cancelled", "timeout"]

MOVES: Mapping[ExecutionStatus, tuple[ExecutionStatus, ...]] = {
    "pending": ("running", "completed", "failed", "cancelled"),
    "running": ("completed", "failed", "cancelled", "timeout"),
    "completed": (),
    "failed": (),
    "cancelled": (),
    "timeout": (),
}
KEPT = 100


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class ToolExecution:
    """One call, from its request to its end. Times are UTC; `result` and `error` have passed the guard.

    A call whose tool does not run ends too: denied, not valid or not found it has `failed`; skipped, or known from
    before, it is `completed`.
    """

    id: str
    """The call's id."""
    tool: str
    input: ExactObject
    timeout_s: float = 0.0
    """The time limit; 0 until the tool is about to run."""
    turn: int = 1
    attempt: int = 0
    """How often the tool was begun for this call, in this run and earlier ones."""
    state: ExecutionStatus = "pending"
    outcome: CallStatus | None = None
    """How the call ended for the conversation; None until it has."""
    result: str | None = None
    error: str | None = None
    created: datetime = field(default_factory=_now)
    started: datetime | None = None
    finished: datetime | None = None
    is_cancelled_alone: bool = False
    """Whether it was cancelled by its id, and not with its run."""
    _stop: Callable[[], object] | None = field(default=None, repr=False)
    _made: float = field(default_factory=time.monotonic)
    _began: float = 0.0
    _took_s: float | None = None

    @property
    def is_over(self) -> bool:
        return not MOVES[self.state]

    @property
    def duration_ms(self) -> int:
        """How long the tool ran, or has been running; of one that did not run, how long the call took."""
        if self.started is None and self.finished is None:
            return 0
        return round((time.monotonic() - self._began if self._took_s is None else self._took_s) * 1000)

    def wait(self, stop: Callable[[], object]) -> None:
        """The call waits to be judged and approved; `stop` makes that end."""
        self._stop = stop

    def commit(self) -> None:
        """The tool is about to run: from now on only the tool itself is stopped."""
        self._stop = None

    def start(self, stop: Callable[[], None]) -> None:
        """The tool begins to run; `stop` makes it end.

        Raises:
            InvalidTransition: it has begun before.
        """
        self._move("running")
        self._stop = stop
        self.attempt += 1
        self._began = time.monotonic()
        self.started = _now()

    def complete(self, result: str) -> None:
        """It ran to its end, or did not have to.

        Raises:
            InvalidTransition: it is over; so for all the other ends.
        """
        self._finish("completed")
        self.result = result

    def fail(self, error: str) -> None:
        """The tool raised."""
        self._finish("failed")
        self.error = error

    def time_out(self) -> str:
        """Its time was up; gives the words for it."""
        self._finish("timeout")
        self.error = f'Tool "{self.tool}" timed out after {self.timeout_s:g} s'
        return self.error

    def cancelled(self) -> None:
        """It was ended, or will never begin."""
        self._finish("cancelled")
        self.error = "cancelled"

    def cancel(self) -> bool:
        """Want it to end, from the event loop's thread; True where there was anything to end.

        What runs is `cancelled` as soon as it has ended.
        """
        if self.is_over:
            return False
        self.is_cancelled_alone = True
        if self.state == "pending":
            self.cancelled()
        if self._stop is not None:
            self._stop()
        return True

    def end(self, outcome: CallStatus, content: str) -> None:
        """The call has ended; so has its tool, which perhaps did not run."""
        self.outcome = outcome
        if self.is_over:
            return
        if outcome == "cancelled":
            self.cancelled()
        elif outcome in {"completed", "recorded", "skipped"}:
            self.complete(content)
        else:
            self.fail(content)

    def to_json(self) -> JsonObject:
        """The execution as plain JSON."""
        return {
            "id": self.id,
            "tool": self.tool,
            "input": {name: plain(value) for name, value in self.input.items()},
            "state": self.state,
            "outcome": self.outcome,
            "result": self.result,
            "error": self.error,
            "created": timestamp(self.created),
            "started": timestamp(self.started) if self.started is not None else None,
            "finished": timestamp(self.finished) if self.finished is not None else None,
            "duration_ms": self.duration_ms,
            "turn": self.turn,
            "attempt": self.attempt,
            "timeout_s": self.timeout_s,
        }

    def _finish(self, state: ExecutionStatus) -> None:
        self._move(state)
        self.finished = _now()
        self._took_s = time.monotonic() - (self._began if self.started is not None else self._made)

    def _move(self, state: ExecutionStatus) -> None:
        if state not in MOVES[self.state]:
            raise InvalidTransition(self.state, state, MOVES[self.state])
        self.state = state


class Executions:
    """The executions of one conversation: those under way, and the last hundred that have ended."""

    def __init__(self) -> None:
        self._current: list[ToolExecution] = []
        self._past: deque[ToolExecution] = deque(maxlen=KEPT)

    def add(self, execution: ToolExecution) -> None:
        self._current.append(execution)

    def opened(self, call: ToolCall, turn: int) -> ToolExecution:
        """The execution of a call under way, which is made if there is none."""
        found = next((execution for execution in self._current if execution.id == call.id), None)
        if found is None:
            found = ToolExecution(id=call.id, tool=call.name, input=call.input, turn=turn)
            self.add(found)
        return found

    def may_begin(self, execution: ToolExecution) -> bool:
        """Whether the tool of a call may begin to run: it was not cancelled."""
        return not execution.is_over

    def find(self, call_id: str) -> ToolExecution | None:
        """The latest execution of the call of that id; None where it is not known, or not any more."""
        return next((it for it in (*reversed(self._current), *reversed(self._past)) if it.id == call_id), None)

    def remove(self, execution: ToolExecution) -> None:
        """It has ended; it is remembered until a hundred others have."""
        self._current = [other for other in self._current if other is not execution]
        self._past.append(execution)

    @property
    def current(self) -> tuple[ToolExecution, ...]:
        """Those under way, in the order in which they were made."""
        return tuple(self._current)

    @property
    def past(self) -> tuple[ToolExecution, ...]:
        """Those that have ended, the last one last."""
        return tuple(self._past)

    def cancel(self, call_id: str) -> bool:
        """Cancel one; True where there was anything to cancel."""
        return sum(execution.cancel() for execution in self._current if execution.id == call_id) > 0
