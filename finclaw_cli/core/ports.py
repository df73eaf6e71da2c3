"""The protocols of the services of a run: a provider is given to the runner, sinks to the bus, the others to the tools.

Contracts that the types cannot hold stand in each docstring.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import ProviderFailure
from finclaw_cli.core.events.agent import Emitted, Event
from finclaw_cli.core.events.budget import Purpose, SidePurpose
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolCall, ToolResult
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolSpec

Emit = Callable[[Event], Awaitable[None]]


def whole_prompt(system: str, state: str) -> str:
    """A system prompt with what of it changes from run to run, which comes last."""
    return "\n\n".join(part for part in (system, state) if part)


@record(kw_only=True)
class ModelRequest:
    """One question to a model: the whole conversation, and what the model may use."""

    model: str
    """The provider's own model id, without the provider's name."""
    messages: tuple[Message, ...]
    """Without system messages: `system` holds those."""
    system: str = ""
    state: str = ""
    """What of the system prompt changes from run to run, the date for one: it comes after `system`, so that all before
    it can stay in the provider's cache."""
    tools: tuple[ToolSpec, ...] = ()
    temperature: float | None = None
    max_output_tokens: int | None = None
    window_left: int | None = None
    """How many tokens the window has left for the answer, about; None where that is unknown."""
    model_limit: int | None = None
    """How many tokens the model can answer with at most; None where that is unknown."""
    affordable: int | None = None
    """How many tokens of an answer there is money for; None where they are not counted."""
    schema: JsonObject | None = None
    """A JSON Schema the final answer must satisfy, for providers with structured output of their own."""

    @property
    def instructions(self) -> str:
        """The whole system prompt."""
        return whole_prompt(self.system, self.state)

    def most_output(self, usual: int | None) -> int | None:
        """How long the answer may be, in tokens: as asked for, else as is usual, and no more than there is room for."""
        limit = self.max_output_tokens or usual
        bounds = (limit, self.window_left, self.model_limit) if limit is not None else ()
        return min((bound for bound in (*bounds, self.affordable) if bound is not None), default=None)


class Provider(Protocol):
    """Speaks to one company's models.

    `stream` yields the chunks of one turn and raises `ProviderError`, nothing else, for whatever goes wrong; it never
    retries by itself. Closing the generator closes the connection at once.
    """

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class SupportsWarmup(Protocol):
    """A provider that can begin to connect before it is asked; the first request reports what failed."""

    def prepare(self) -> None: ...

    async def ready(self) -> None:
        """Wait until a request can be sent: imports for it do not count as the server's silence."""
        ...


@runtime_checkable
class Selective(Protocol):
    """A provider that leaves parameters of a `ModelRequest` out where a model does not accept them."""

    def left_out(self, model: str) -> frozenset[str]:
        """The names of the fields that requests to this model do without, as far as that is known by now."""
        ...


Decision = Literal["allow", "deny", "require-approval"]


@record(kw_only=True)
class Opinion:
    """The opinion of one stage of the policy; `decision` is None where it has none."""

    stage: str = ""
    decision: Decision | None = None
    reason: str = ""
    by: Literal["rule", "default", "safety"] = "default"
    """Whether it comes from a rule, from the defaults, or protects money."""
    priority: float = 0
    lifted: bool = False
    """Whether an allow rule outweighs it."""


@record(kw_only=True)
class Verdict:
    """The policy's verdict on one call; `stage` is the stage that decided, `trail` the opinion of each."""

    decision: Decision
    stage: str
    reason: str
    trail: tuple[Opinion, ...] = ()


class Policy(Protocol):
    """May this call happen? Pure: the same call gets the same verdict."""

    def judge(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> Verdict: ...


@record(kw_only=True)
class ApprovalRequest:
    """One call that needs consent. An approval holds for this request and no other."""

    id: str
    """Names this request alone: another run, another call, or other arguments have another one."""
    call: ToolCall
    spec: ToolSpec
    verdict: Verdict
    preview: str = ""
    """What the call would do, in the tool's own words: a diff, an order ticket."""

    def granted(self, by: str) -> Approval:
        """The consent to this call; `by` is its source."""
        return Approval(granted=True, by=by, request_id=self.id)

    def denied(self, by: str, reason: str = "") -> Approval:
        """The refusal of this call; `reason` is for the model."""
        return Approval(granted=False, by=by, request_id=self.id, reason=reason)


@record(kw_only=True)
class Approval:
    """The decision on a request. `by` is its source; `reason` is for the model where it is denied."""

    granted: bool
    by: str
    request_id: str
    """The request that was answered: an answer to another one grants nothing."""
    reason: str = ""


class Approver(Protocol):
    """Asks for consent. Must deny when no user can be asked; must not raise."""

    async def ask(self, request: ApprovalRequest) -> Approval: ...


@record(kw_only=True)
class SideReply:
    """The reply to a request that is no turn: a summary, sources of figures; `error` is why there is none."""

    text: str = ""
    error: str | None = None
    reason: ProviderFailure | None = None
    """Why it failed, where the provider did."""


@record(kw_only=True)
class ToolChange:
    """Other tools than in the turn before."""

    offered: tuple[ToolSpec, ...]
    """What the model is offered from now on."""
    of_toolsets: tuple[ToolSpec, ...]
    """Those of toolsets among them, under their own names; `of_caller` are those that the caller has passed."""
    of_caller: tuple[ToolSpec, ...] = ()


class ConversationLog(Protocol):
    """Keeps each message when it becomes part of the conversation, and each question before a model is asked it.

    `add_tools` gets what is declared from a turn on, where that changes; `compacted` what stands for earlier messages.
    """

    async def add_message(self, message: Message) -> None: ...

    async def add_request(
        self, request: ModelRequest, *, provider: str, turn: int, attempt: int, purpose: Purpose = "turn"
    ) -> None: ...

    async def add_tools(self, change: ToolChange, turn: int) -> None: ...

    async def add_reply(self, reply: SideReply, purpose: SidePurpose) -> None: ...

    async def compacted(self, messages: tuple[Message, ...]) -> None: ...


@record(kw_only=True)
class Earlier:
    """A call that earlier runs of the session began, `attempts` times; `result` is None where no end is recorded."""

    key: str | None
    """Its idempotency key: what runs again runs under the same one. None where the record of it was damaged."""
    call_id: str
    repeatable: bool | None
    """`ToolSpec.is_repeatable` as it was when the call began; None where that is not known."""
    result: ToolResult | None = None
    began: datetime | None = None
    """When its intent was recorded, UTC; None where that record is damaged."""
    attempts: int = 1


class Journal(Protocol):
    """The record of each call before and after it runs; `is_known=False`: it ended, and its outcome is unknown."""

    def earlier(self, call: ToolCall) -> Earlier | None: ...

    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> None: ...

    async def record(
        self, call: ToolCall, context: ToolContext, result: ToolResult, *, is_known: bool = True
    ) -> None: ...


ResolvedOutcome = Literal["ran", "did_not_run", "run_again", "unknown"]


class OutcomeResolver(Protocol):
    """Finds out what became of a call without a recorded end.

    Returns `unknown` where it cannot; must not raise.
    """

    async def ask(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome: ...


@record
class Skip:
    """A before-hook's wish that the tool does not run; the model gets `content` instead."""

    content: str = "Skipped"
    is_error: bool = False


class ToolHooks(Protocol):
    """What plugins may do around one call. `before` returns the call to run, or the wish to skip it."""

    async def before(self, call: ToolCall, context: ToolContext) -> ToolCall | Skip: ...

    async def after(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult: ...


class EventSink(Protocol):
    """Takes every event, in order. Awaited: a slow sink slows the run.

    One with `takes_deltas = False` is not given what streams, of which there are thousands.
    """

    async def take(self, emitted: Emitted) -> None: ...


class Batch(Protocol):
    """The calls of one turn.

    `run` answers them in parallel and returns when all have ended; `results` holds one answer for each call, in the
    order of the calls, also when `run` was cancelled on the way.
    """

    async def run(self) -> None: ...

    def results(self) -> tuple[ToolResult, ...]: ...


class Toolbox(Protocol):
    """Runs what the model asked for. A refusal is a result, not an exception."""

    async def changed(self) -> ToolChange | None:
        """The tools of the turn that begins, where they differ from those of the turn before."""
        ...

    def batch(self, calls: tuple[ToolCall, ...], turn: int, allowed: int) -> Batch:
        """The calls of one turn, of which only the first `allowed` may run; the others are refused."""
        ...

    async def close(self) -> None:
        """The run is over: end whatever the tools have left running. May be called more than once."""
        ...
