"""The families of events that only `--events all` prints: the run's machinery, and tools at work."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.record import record

StateCause = Literal["retry", "failover", "failed", "limit", "cancelled"]


@record(kw_only=True)
class ExecutionState:
    """The run's state machine moved."""

    state_from: str
    state_to: str
    cause: StateCause | None = None
    """Why an attempt or a run ends before it is done: `retry` and `failover` are followed by another attempt."""
    type: Literal["execution.state"] = "execution.state"


@record(kw_only=True)
class ExecutionLane:
    """The run waits for its turn, or has it, or gave it back."""

    agent_id: str
    step: Literal["queued", "acquired", "released"]
    type: Literal["execution.lane"] = "execution.lane"


@record(kw_only=True)
class SessionLock:
    """The session is held for writing.

    `stale`: the lock of a process that died was taken over, which is followed by `acquired`. `released` comes after the
    last result, where the process goes on (`Agent`, `--interactive`): plugins get it, outputs and transcripts end with
    the result.
    """

    session_id: str
    step: Literal["acquired", "stale", "released"]
    waited_s: float
    died: str
    """Who held it before and died with it; empty where it was given back."""
    pid: int | None = None
    """The process that holds it; of `stale`, the one that died."""
    host: str | None = None
    since: str | None = None
    """When that process got the lock."""
    started: str | None = None
    """When that process was started; null where the system has no such time."""
    type: Literal["session.lock"] = "session.lock"


@record(kw_only=True)
class ToolExecuteStart:
    """A tool begins to run."""

    turn: int
    call_id: str
    name: str
    type: Literal["tool.execute_start"] = "tool.execute_start"


@record(kw_only=True)
class ToolExecuteEnd:
    """A tool ran to its end. `output` is what it gave, past the guard, before it was cut for the model."""

    turn: int
    call_id: str
    name: str
    duration_ms: int
    output: str
    original_chars: int
    """How long it was before the guard."""
    type: Literal["tool.execute_end"] = "tool.execute_end"


@record(kw_only=True)
class ToolExecuteError:
    """A tool raised. `traceback` is for the log and the transcript, never for the model."""

    turn: int
    call_id: str
    name: str
    duration_ms: int
    message: str
    traceback: str | None = None
    type: Literal["tool.execute_error"] = "tool.execute_error"


@record(kw_only=True)
class ToolExecuteTimeout:
    """A tool was ended because its time was up."""

    turn: int
    call_id: str
    name: str
    timeout_s: float
    type: Literal["tool.execute_timeout"] = "tool.execute_timeout"


@record(kw_only=True)
class ToolExecuteCancel:
    """A call was cancelled, before its tool ran or while it did; `agent.tool_call` gives its outcome."""

    turn: int
    call_id: str
    name: str
    duration_ms: int
    alone: bool
    """Whether this call was cancelled, and not its run."""
    type: Literal["tool.execute_cancel"] = "tool.execute_cancel"


@record(kw_only=True)
class ToolExecuteSkip:
    """A call ended and its tool did not run: it was denied, not valid, not found, skipped, or known from before."""

    turn: int
    call_id: str
    name: str
    duration_ms: int
    status: CallStatus
    message: str
    type: Literal["tool.execute_skip"] = "tool.execute_skip"


@record(kw_only=True)
class ToolPolicyVerdict:
    """The policy's verdict on one call."""

    turn: int
    call_id: str
    name: str
    decision: str
    stage: str
    reason: str
    type: Literal["tool.policy_verdict"] = "tool.policy_verdict"


@record(kw_only=True)
class ToolPolicyDeny:
    """The policy denied a call."""

    turn: int
    call_id: str
    name: str
    stage: str
    reason: str
    type: Literal["tool.policy_deny"] = "tool.policy_deny"


@record(kw_only=True)
class ToolLoop:
    """A call was noticed to be a repetition; it needs an approval to go on, and the model gets a note."""

    turn: int
    call_id: str
    name: str
    reason: str
    type: Literal["tool.loop"] = "tool.loop"


@record(kw_only=True)
class ToolCircuitChange:
    """A tool's circuit breaker opened, closed, or lets one call through to see."""

    name: str
    state_from: str
    state_to: str
    type: Literal["tool.circuit_change"] = "tool.circuit_change"


@record(kw_only=True)
class ToolRegister:
    """A tool was imported at its first use and can be called."""

    name: str
    source: str
    trusted: bool
    group: str | None = None
    type: Literal["tool.register"] = "tool.register"


@record(kw_only=True)
class ToolUnregister:
    """A tool that was offered cannot be used, or no longer: the reason."""

    name: str
    source: str
    reason: str
    type: Literal["tool.unregister"] = "tool.unregister"


@record(kw_only=True)
class ToolOutcomeRequest:
    """The user is asked for the outcome of a call that an earlier run has begun."""

    turn: int
    call_id: str
    name: str
    type: Literal["tool.outcome_request"] = "tool.outcome_request"


@record(kw_only=True)
class ToolOutcomeTold:
    """The answer; `unknown` where there was none."""

    turn: int
    call_id: str
    name: str
    said: Literal["ran", "did_not_run", "run_again", "unknown"]
    type: Literal["tool.outcome_told"] = "tool.outcome_told"


@record(kw_only=True)
class ToolReconcile:
    """A tool was asked what became of a transactional call whose end is not known."""

    turn: int
    call_id: str
    name: str
    state: Literal["done", "not_found", "unknown"]
    type: Literal["tool.reconcile"] = "tool.reconcile"


@record(kw_only=True)
class ToolProgress:
    """The progress that a running tool reports; `fraction` in 0..1 or null."""

    turn: int
    call_id: str
    name: str
    message: str
    fraction: float | None = None
    type: Literal["tool.progress"] = "tool.progress"
