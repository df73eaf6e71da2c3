"""Everything the engine has to say, as one union of frozen events.

The order of events can be relied on: `agent.start` first; per turn `agent.turn_start`, deltas, the calls' `requested`,
their ends as they happen, `agent.turn_complete`; `agent.result` last on every path. `agent.retry` and `agent.failover`
make the deltas of the same turn with a lower `attempt` void, and the calls that were `announced` in it. Each call has
exactly one `requested` and exactly one end.

Within schema version 1 nothing is renamed or removed; readers ignore types and fields they do not know.
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from decimal import Decimal
from typing import Literal

from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.budget import BudgetExceeded, BudgetReserved, BudgetSpent, BudgetThreshold
from finclaw_cli.core.events.context import (
    ContextCompact,
    ContextCompactFallback,
    ContextThreshold,
    ContextWindowStatus,
)
from finclaw_cli.core.events.internal import (
    ExecutionLane,
    ExecutionState,
    SessionLock,
    ToolCircuitChange,
    ToolExecuteCancel,
    ToolExecuteEnd,
    ToolExecuteError,
    ToolExecuteSkip,
    ToolExecuteStart,
    ToolExecuteTimeout,
    ToolLoop,
    ToolOutcomeRequest,
    ToolOutcomeTold,
    ToolPolicyDeny,
    ToolPolicyVerdict,
    ToolProgress,
    ToolReconcile,
    ToolRegister,
    ToolUnregister,
)
from finclaw_cli.core.events.numbers import AgentNumberCheck, NumberCounts
from finclaw_cli.core.events.offered import AgentTools
from finclaw_cli.core.events.parts import CallStatus, Compactions, FailedPlugin, Failure, Limits, OfferedTool, RunStatus
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage


@record(kw_only=True)
class AgentStart:
    """The first line, before any SDK is imported and anything is sent."""

    finclaw_version: str
    session_id: str
    agent_id: str
    models: tuple[str, ...]
    """`provider:model`, the first one asked first, the others in the order of failover."""
    scripted: bool
    """True where the first model's words come from a script."""
    channel: str
    tools: tuple[OfferedTool, ...]
    plugins_failed: tuple[FailedPlugin, ...]
    limits: Limits
    policy_files: tuple[str, ...] = ()
    type: Literal["agent.start"] = "agent.start"


@record(kw_only=True)
class AgentTurnStart:
    """A request is about to be made."""

    turn: int
    model: str
    type: Literal["agent.turn_start"] = "agent.turn_start"


@record(kw_only=True)
class AgentDelta:
    """An increment of the answer's text, never a snapshot."""

    turn: int
    attempt: int
    text: str
    kind: Literal["text"] = "text"
    type: Literal["agent.delta"] = "agent.delta"


@record(kw_only=True)
class AgentReasoning:
    """An increment of the model's thinking."""

    turn: int
    attempt: int
    text: str
    type: Literal["agent.reasoning"] = "agent.reasoning"


@record(kw_only=True)
class AgentToolCall:
    """One step of one call.

    `announced` comes while the model still writes it: the name is final, and the call is void unless `requested`
    follows. `input` comes with `requested`, the fields after it with the end, `bytes` and `sha256` (of the whole
    output, in UTF-8) where `result` was cut.
    """

    turn: int
    call_id: str
    name: str
    status: CallStatus
    input: JsonObject | None = None
    result: str | None = None
    is_error: bool | None = None
    duration_ms: int | None = None
    truncated: bool | None = None
    redacted: bool | None = None
    masked: dict[str, int] | None = None
    """The number of masked pieces of each kind."""
    bytes: int | None = None
    sha256: str | None = None
    type: Literal["agent.tool_call"] = "agent.tool_call"


@record(kw_only=True)
class AgentRetry:
    """The attempt failed and is made again: the deltas of this turn with a lower `attempt` are void."""

    turn: int
    attempt: int
    """The number of the attempt that comes next."""
    delay_s: float
    code: str
    reason: str
    message: str
    provider_code: str | None = None
    """The server's own code or type, where it gave one."""
    discard: Literal[True] = True
    type: Literal["agent.retry"] = "agent.retry"


@record(kw_only=True)
class AgentFailover:
    """The next model takes this turn: the deltas of this turn with a lower `attempt` are void."""

    turn: int
    attempt: int
    model_from: str
    model_to: str
    code: str
    reason: str
    message: str
    provider_code: str | None = None
    """The server's own code or type, where it gave one."""
    discard: Literal[True] = True
    type: Literal["agent.failover"] = "agent.failover"


@record(kw_only=True)
class AgentTurnComplete:
    """The model's whole turn. `usage` and `cost_usd` are this request's own, `null` where unknown."""

    turn: int
    attempt: int
    model: str
    message: JsonObject
    """`{"role": "assistant", "content": [blocks]}`."""
    stop_reason: str
    usage: Usage | None
    cost_usd: Decimal | None
    duration_ms: int
    context_ratio: float | None = None
    """How full the window is with this turn: what the request and the answer take of what it has for requests."""
    type: Literal["agent.turn_complete"] = "agent.turn_complete"


@record(kw_only=True)
class AgentWarning:
    """Something worth knowing that stops nothing."""

    code: str
    message: str
    type: Literal["agent.warning"] = "agent.warning"


@record(kw_only=True)
class AgentError:
    """The run fails; the result follows. `code` and `reason` are finclaw's, `provider_code` is the server's word."""

    code: str
    message: str
    hint: str | None
    retryable: bool
    provider: str | None
    status: int | None
    request_id: str | None
    reason: str | None = None
    provider_code: str | None = None
    type: Literal["agent.error"] = "agent.error"


@record(kw_only=True)
class AgentResult:
    """The last line on every path. Every key is always there; what is unknown is `null`, never 0.

    `usage` and `cost_usd` are of all requests: retries that were billed and summaries too.
    """

    status: RunStatus
    exit_code: int
    """The exit code of the process."""
    session_id: str
    model: str | None
    scripted: bool
    text: str
    """The final answer."""
    output: JsonValue
    """The answer parsed, with `--schema`."""
    stop_reason: str | None
    turns: int
    usage: Usage | None
    cost_usd: Decimal | None
    tool_calls: dict[str, int]
    """How many calls ended in which status."""
    denied: tuple[str, ...]
    unknown: tuple[str, ...]
    duration_ms: int
    error: Failure | None
    estimated: bool = False
    """Whether some of `usage` and `cost_usd` was counted here, because it was not reported whole."""
    compaction: Compactions | None = None
    """What making the conversation smaller came to; `usage` and `cost_usd` above have it in them. Null where it fit."""
    numbers: NumberCounts | None = None
    """Where the figures of the answer come from; null where that was not looked at."""
    type: Literal["agent.result"] = "agent.result"


Event = (
    AgentStart
    | AgentTurnStart
    | AgentTools
    | AgentDelta
    | AgentReasoning
    | AgentToolCall
    | AgentApprovalRequest
    | AgentApproval
    | AgentRetry
    | AgentFailover
    | AgentTurnComplete
    | AgentNumberCheck
    | AgentWarning
    | AgentError
    | AgentResult
    | ExecutionState
    | ExecutionLane
    | SessionLock
    | ContextWindowStatus
    | ContextThreshold
    | ContextCompact
    | ContextCompactFallback
    | BudgetReserved
    | BudgetSpent
    | BudgetThreshold
    | BudgetExceeded
    | ToolExecuteStart
    | ToolExecuteEnd
    | ToolExecuteError
    | ToolExecuteTimeout
    | ToolExecuteCancel
    | ToolExecuteSkip
    | ToolPolicyVerdict
    | ToolPolicyDeny
    | ToolLoop
    | ToolOutcomeRequest
    | ToolOutcomeTold
    | ToolReconcile
    | ToolCircuitChange
    | ToolRegister
    | ToolUnregister
    | ToolProgress
)


@record
class Emitted:
    """An event, when it happened (UTC), and in which run; `body` is its JSON where an earlier version recorded less."""

    at: datetime
    run_id: str
    event: Event = field(repr=False)
    body: str | None = field(default=None, repr=False)
