"""One call, from what the model asked for to a result it may see.

    lookup → validate → policy → approval → before-hooks → intent → run under timeout → after-hooks → outcome → event

Each step may end the call with an outcome; a refusal is a result, not an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events import AgentToolCall
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Approver, Emit, Journal, Policy, ToolHooks
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.tools.consent import Consent
from finclaw_cli.tools.outcome import CallOutcome, cancelled, failed, shown_input
from finclaw_cli.tools.registry import ToolRegistry
from finclaw_cli.tools.render import cut
from finclaw_cli.tools.running import ToolRunner
from finclaw_cli.tools.validate import problems

ContextOf = Callable[[ToolCall, int], ToolContext]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSettings:
    """How tools are run. Times in seconds."""

    max_result_chars: int = 10_000
    timeouts_s: Mapping[str, float] = field(default_factory=dict)
    """What the user's settings say for single tools; else the tool's own timeout holds, else 30 s."""
    parallel: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Who is asked before and after a tool runs."""

    policy: Policy
    approver: Approver
    journal: Journal
    hooks: ToolHooks


class Executor:
    """Runs calls through the pipeline. Never raises for a call's own failure."""

    def __init__(
        self, registry: ToolRegistry, doors: Doors, context_of: ContextOf, settings: ExecutorSettings, emit: Emit
    ) -> None:
        self._registry = registry
        self._doors = doors
        self._consent = Consent(doors.policy, doors.approver, emit)
        self._runner = ToolRunner(settings.timeouts_s, emit)
        self._context_of = context_of
        self._settings = settings
        self._emit = emit

    async def answer(self, call: ToolCall, turn: int) -> ToolResult:
        """Take one requested call to its end, and tell it."""
        context = self._context_of(call, turn)
        outcome = cancelled()
        try:
            outcome = await self._pipeline(call, context)
        except Exception as error:  # noqa: BLE001 - one call's failure never takes its siblings down
            outcome = failed(f"Tool execution error: {error}")
        finally:
            await self.tell_end(call, turn, outcome)
        return outcome.result(call, self._settings.max_result_chars)

    async def tell_requested(self, call: ToolCall, turn: int) -> None:
        await self._emit(
            AgentToolCall(turn=turn, call_id=call.id, name=call.name, status="requested", input=shown_input(call))
        )

    async def tell_end(self, call: ToolCall, turn: int, outcome: CallOutcome) -> None:
        shown = cut(outcome.content, self._settings.max_result_chars)
        await self._emit(
            AgentToolCall(
                turn=turn,
                call_id=call.id,
                name=call.name,
                status=outcome.status,
                result=shown.text,
                is_error=outcome.is_error,
                duration_ms=outcome.duration_ms,
                truncated=shown.truncated,
                redacted=False,
                bytes=shown.bytes,
                sha256=shown.sha256,
            )
        )

    async def _pipeline(self, call: ToolCall, context: ToolContext) -> CallOutcome:
        definition = self._look_up(call)
        if isinstance(definition, CallOutcome):
            return definition
        if found := problems(call, definition):
            return failed("Invalid tool input: " + "; ".join(found))
        refusal = await self._consent.refusal(call, definition, context)
        if refusal is not None:
            return refusal
        prepared = await self._doors.hooks.before(call, context)
        if isinstance(prepared, ToolResult):
            return CallOutcome(status="skipped", content=prepared.content, is_error=prepared.is_error)
        known = await self._doors.journal.intend(prepared, definition, context)
        if known is not None:
            return CallOutcome(status="recorded", content=known.content, is_error=known.is_error)
        outcome = await self._runner.run(prepared, definition, context)
        result = await self._doors.hooks.after(prepared, _whole(prepared, outcome), context)
        await self._doors.journal.record(prepared, context, result)
        return CallOutcome(
            status=outcome.status, content=result.content, is_error=result.is_error, duration_ms=outcome.duration_ms
        )

    def _look_up(self, call: ToolCall) -> ToolDefinition | CallOutcome:
        entry = self._registry.find(call.name)
        if entry is None:
            near = self._registry.near(call.name)
            hint = f" Did you mean: {', '.join(near)}?" if near else ""
            return failed(f"Unknown tool: {call.name[:80]}.{hint}")
        try:
            return entry.load()
        except UsageError as error:
            return failed(f"Tool {call.name!r} is unavailable: {error.message}")


def _whole(call: ToolCall, outcome: CallOutcome) -> ToolResult:
    return ToolResult(call.id, outcome.content, outcome.is_error)
