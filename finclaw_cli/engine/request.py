"""The request for a run, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.events.agent import AgentStart, AgentWarning
from finclaw_cli.core.events.internal import SessionLock
from finclaw_cli.core.events.numbers import NumberCounts
from finclaw_cli.core.events.parts import Compactions, RunStatus
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.context.compact import KEEP_RECENT, SUMMARY_S
from finclaw_cli.engine.context.count import Counted
from finclaw_cli.engine.context.method import BY_PIECE, Method
from finclaw_cli.engine.context.steps import Strategy
from finclaw_cli.engine.grounding import NumberSourcesOf, VerifyNumbers


@record(kw_only=True)
class RunLimits:
    """Where a run ends cleanly, whatever the model wants. Times in seconds."""

    max_turns: int = 10
    timeout_s: float = 600.0
    first_chunk_s: float = 60.0
    idle_s: float = 60.0
    max_tool_calls: int = 100


@record(kw_only=True)
class ModelRef:
    """A model, written `provider:model`."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


@record(kw_only=True)
class ContextPolicy:
    """What is done when a conversation fills its window."""

    strategy: Strategy = "hybrid"
    keep_recent: int = KEEP_RECENT
    """How many of the last messages stay as they are, as long as they fit at all."""
    summary_s: float = SUMMARY_S
    """How long a summary may take."""
    summary_model: ModelRef | None = None
    """Who writes summaries; None for the model that is asked."""
    method: Method = BY_PIECE
    """How a conversation is divided; another one for the recordings of an earlier version."""


@record(kw_only=True)
class RunRequest:
    """One prompt to be taken to its answer."""

    start: AgentStart
    """The first event: what is about to happen, known before anything does."""
    run_id: str
    session_id: str
    agent_id: str
    messages: tuple[Message, ...]
    models: tuple[ModelRef, ...]
    """The first one is asked; the others take over in this order when it fails."""
    tools: tuple[ToolSpec, ...] = ()
    system: str = ""
    state: str = ""
    """What of the system prompt changes from run to run."""
    temperature: float | None = None
    max_output_tokens: int | None = None
    schema: JsonObject | None = None
    limits: RunLimits = field(default_factory=RunLimits)
    verify_numbers: VerifyNumbers = "off"
    """Whether the numbers of the answer have to come from tools."""
    number_sources: NumberSourcesOf = "model"
    """Whether the model is asked how the figures are derived that rules do not find."""
    retractable: bool = True
    """Whether shown text can be declared void. Where it cannot, a retry after the first word ends the run."""
    fail_on_denied: bool = True
    due: tuple[ToolCall, ...] = ()
    """Calls of the last message that an earlier run left unanswered: they are answered before the model is asked."""
    kept_messages: int = 0
    """How many of the messages, from the first on, are kept already."""
    unknown: tuple[str, ...] = ()
    """Tools that an earlier run of the conversation left running: what they did is unknown."""
    context: ContextPolicy = field(default_factory=ContextPolicy)
    counted: Counted | None = None
    """What a provider has counted last of the conversation before this run."""
    noticed: tuple[AgentWarning | SessionLock, ...] = ()
    """What happened before the run began; reported right after the start."""
    refused: FinclawError | None = None
    """Why the run cannot even begin: it then ends with this error as any other run would."""


@record(kw_only=True)
class RunResult:
    """How a run ended. `text` is the final answer, or the part of it that was streamed before the run was ended."""

    status: RunStatus
    exit_code: int
    text: str
    output: JsonValue
    stop_reason: str | None
    model: str | None
    messages: tuple[Message, ...]
    """The conversation, valid to be continued: the whole of it, or what a compaction has left of it."""
    kept_messages: int
    """How many of them, from the first on, were kept."""
    turns: int
    usage: Usage | None
    cost_usd: Decimal | None
    estimated: bool
    """Whether some of `usage` and `cost_usd` was counted here."""
    tool_calls: Mapping[str, int]
    denied: tuple[str, ...]
    unknown: tuple[str, ...]
    duration_ms: int
    error: FinclawError | None
    compaction: Compactions | None = None
    numbers: NumberCounts | None = None
    counted: Counted | None = None
    """What the provider has counted last of the conversation."""
