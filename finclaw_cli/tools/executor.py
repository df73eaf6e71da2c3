"""One call, from what the model asked for to a result it may see.

    lookup → earlier run → validate → policy → approval → load → before-hooks → intent → breaker → run under timeout
           → guard → after-hooks → outcome → event

The tool of a plugin that is not trusted is judged by its manifest, and imported once the call is approved.

Each step may end the call with an outcome; a refusal is a result, not an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import field, replace
from typing import Protocol

from finclaw_cli.core.dist_names import dist_name
from finclaw_cli.core.events.agent import AgentToolCall
from finclaw_cli.core.json_text import JsonValue, canonical
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, ToolCall, ToolResult
from finclaw_cli.core.ports import Approver, Earlier, Emit, Journal, OutcomeResolver, Policy, Skip, ToolHooks
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.tools.call_ends import CallEnds
from finclaw_cli.tools.circuit_breaker import CircuitSettings
from finclaw_cli.tools.circuits import CircuitOpen, Circuits
from finclaw_cli.tools.consent import Consent
from finclaw_cli.tools.execution import Executions, ToolExecution
from finclaw_cli.tools.guard import Guard, GuardSettings
from finclaw_cli.tools.lookup import Lookup
from finclaw_cli.tools.loops import LoopDetector
from finclaw_cli.tools.null_services import NoOutcomeResolver
from finclaw_cli.tools.outcome import CallOutcome, cancelled, failed, recorded, shown_input, skipped, unknown
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.resumed_calls import ResumedCallResolver
from finclaw_cli.tools.running import ToolRunner, all_met
from finclaw_cli.tools.validate import problems_beside

ContextOf = Callable[[ToolCall, int], ToolContext]


@record(kw_only=True)
class ExecutorSettings:
    """How tools are run. Times in seconds."""

    max_result_chars: int = 10_000
    timeouts_s: Mapping[str, float] = field(default_factory=dict)
    """What the user's settings say for single tools; else the tool's own timeout holds, else 30 s."""
    parallel: int = 8
    plugin_settings: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    """The user's settings for each plugin, by the normalised name of its distribution."""
    circuits: Mapping[str, CircuitSettings] = field(default_factory=dict)
    """Circuit breakers of single tools, where they are not to be as usual."""
    guard: GuardSettings = field(default_factory=GuardSettings)
    unmet: Callable[[ToolSpec], str | None] = all_met
    """Why a tool cannot work on this machine; None where it may."""


class Runner(Protocol):
    """Runs a tool that may run, or does as if."""

    async def run(self, call: ToolCall, definition: ToolDefinition, context: ToolContext) -> CallOutcome: ...

    async def close(self) -> None: ...


@record(kw_only=True)
class ToolServices:
    """Who is asked before and after a tool runs."""

    policy: Policy
    approver: Approver
    journal: Journal
    hooks: ToolHooks
    outcome_resolver: OutcomeResolver = field(default_factory=NoOutcomeResolver)


class Executor:
    """Runs calls through the pipeline. Never raises for a call's own failure."""

    def __init__(
        self,
        registry: ToolRegistry,
        services: ToolServices,
        context_of: ContextOf,
        settings: ExecutorSettings,
        emit: Emit,
        *,
        executions: Executions | None = None,
        runner: Runner | None = None,
    ) -> None:
        self.executions = Executions() if executions is None else executions
        """What runs and what ran; `cancel` ends one call by its id, and its siblings go on."""
        self._ends = CallEnds(self.executions, emit, settings.max_result_chars)
        self._services = services
        self._context_of = context_of
        self._settings = settings
        self._emit = emit
        self._lookup = Lookup(registry, emit)
        self._loops = LoopDetector()
        self._consent = Consent(services.policy, services.approver, self._loops, emit)
        self._circuits = Circuits(settings.circuits, emit)
        self._guard = Guard(settings.guard)
        self._settlement = ResumedCallResolver(
            services.journal, services.outcome_resolver, self._guard, settings.timeouts_s, emit
        )
        self._at_work: set[str] = set()
        """Ids of calls that may be doing something that cannot be done twice."""
        self._settled: set[str] = set()
        """Ids of calls of an earlier run whose outcome has been found out, or that are known not to have run."""
        self._runner = runner or ToolRunner(
            settings.timeouts_s, self._guard, emit, self.executions, unmet=settings.unmet
        )

    async def close(self) -> None:
        """No more calls will be made: end every process that the tools have left running."""
        await self._runner.close()

    def change_tools(self, registry: ToolRegistry) -> None:
        """Use other tools from the next turn on."""
        self._lookup.change(registry)

    def begin_turn(self, calls: Iterable[ToolCall]) -> None:
        """The calls that were asked for together, before any of them is answered."""
        self._loops.begin_turn(calls)

    async def answer(self, call: ToolCall, turn: int) -> ToolResult:
        """Take one requested call to its end; return the result that the conversation gets."""
        try:
            outcome = await self._cancellable(call, self.executions.opened(call, turn))
        except asyncio.CancelledError:
            await self.end(call, turn, self.interrupted(call))
            raise
        except Exception as error:  # noqa: BLE001 - one call's failure never takes its siblings down
            outcome = failed(f"Tool execution error: {error}")
        return await self.end(call, turn, outcome)

    def interrupted(self, call: ToolCall) -> CallOutcome:
        """How a call ended whose run was ended."""
        return unknown(OUTCOME_UNKNOWN) if call.id in self._at_work or self._is_open(call) else cancelled()

    def _is_open(self, call: ToolCall) -> bool:
        """Whether an earlier run began the call and what became of it is not settled yet."""
        earlier = self._services.journal.earlier(call)
        is_begun = earlier is not None and earlier.result is None and not earlier.repeatable
        return is_begun and call.id not in self._settled

    async def emit_requested(self, call: ToolCall, turn: int) -> None:
        """Emit that a call is asked for, which can be cancelled from now on."""
        self.executions.opened(call, turn)
        await self._emit(
            AgentToolCall(turn=turn, call_id=call.id, name=call.name, status="requested", input=shown_input(call))
        )

    async def end(self, call: ToolCall, turn: int, outcome: CallOutcome) -> ToolResult:
        """Emit the end of a call; return its result, cut to what the conversation takes."""
        return await self._ends.end(call, turn, outcome)

    async def _cancellable(self, call: ToolCall, execution: ToolExecution) -> CallOutcome:
        """Take the call through the pipeline; it may be cancelled alone, while its siblings go on."""
        if execution.is_over:
            return cancelled()
        task = asyncio.current_task()
        if task is None:  # pragma: no cover - a coroutine runs in a task
            raise RuntimeError("a call is answered in a task")
        before = task.cancelling()
        execution.wait(task.cancel)
        try:
            return await self._pipeline(call, execution)
        except asyncio.CancelledError:
            if execution.is_cancelled_alone and task.uncancel() <= before:
                return self.interrupted(call)
            raise

    async def _pipeline(self, call: ToolCall, execution: ToolExecution) -> CallOutcome:
        turn, earlier = execution.turn, self._services.journal.earlier(call)
        if earlier is not None and earlier.result is not None:
            return recorded(earlier.result)
        entry = self._lookup.entry(call)
        if isinstance(entry, CallOutcome):
            return await self._unavailable(call, turn, entry, earlier)
        tool = await self._lookup.before_consent(entry)
        if isinstance(tool, CallOutcome):
            return await self._unavailable(call, turn, tool, earlier)
        key = earlier.key if earlier is not None else None
        context = self._context(call, tool, turn, key)
        if earlier is not None:
            execution.attempt = earlier.attempts
            settled = await self._settlement.outcome(call, tool, context, earlier)
            self._settled.add(call.id)
            if settled is not None:
                return settled
        return await self._new(call, entry, tool, context, key)

    async def _unavailable(
        self, call: ToolCall, turn: int, outcome: CallOutcome, earlier: Earlier | None
    ) -> CallOutcome:
        is_unknown = earlier is not None and not earlier.repeatable
        return unknown(OUTCOME_UNKNOWN) if is_unknown else await self._unfit(call, turn, outcome)

    async def _new(
        self, call: ToolCall, entry: ToolEntry, judged: ToolSpec, context: ToolContext, key: str | None
    ) -> CallOutcome:
        """A call that has not run, or may run again: judged, approved, and run."""
        if refusal := await self._refusal(call, judged, context):
            return refusal
        tool = await self._lookup.loaded(entry)
        if isinstance(tool, CallOutcome):
            return await self._unfit(call, context.turn, tool)
        if tool is not judged and (found := await problems_beside(call, tool)):
            return await self._invalid(call, context.turn, found)
        # Hooks get a copy, and what they give is copied: no hook holds the input that is judged and run.
        prepared = await self._services.hooks.before(_copied(call), context)
        if isinstance(prepared, Skip):
            return skipped(prepared)
        prepared = replace(_copied(prepared), id=call.id)
        # An approval holds for what was shown: other arguments are checked, judged and asked about anew.
        if canonical(prepared.input) != canonical(call.input):
            context = self._context(prepared, tool, context.turn, key)
            if refusal := await self._refusal(prepared, tool, context):
                return refusal
        return await self._journaled(prepared, tool, context)

    async def _journaled(self, call: ToolCall, tool: ToolDefinition, context: ToolContext) -> CallOutcome:
        """Run the call between its two records; between them, what it has done is unknown."""
        execution = self.executions.opened(call, context.turn)
        execution.commit()
        if not self.executions.may_begin(execution):
            return cancelled()
        await self._services.journal.intend(call, tool, context)
        if not tool.is_repeatable:
            self._at_work.add(call.id)
        ran = await self._run(call, tool, context)
        if tool.transactional and ran.is_uncertain:
            ran = await self._settlement.after_failure(call, tool, context, ran)
        outcome = await self._hooked(call, tool, context, ran)
        is_known = outcome.status != "unknown"
        await self._services.journal.record(call, context, _whole(call, outcome), is_known=is_known)
        self._at_work.discard(call.id)
        return outcome

    async def _refusal(self, call: ToolCall, tool: ToolSpec, context: ToolContext) -> CallOutcome | None:
        if found := await problems_beside(call, tool):
            return await self._invalid(call, context.turn, found)
        return await self._consent.refusal(call, tool, context)

    async def _invalid(self, call: ToolCall, turn: int, found: list[str]) -> CallOutcome:
        return await self._unfit(call, turn, failed("Invalid tool input: " + "; ".join(found)))

    async def _unfit(self, call: ToolCall, turn: int, outcome: CallOutcome) -> CallOutcome:
        """What becomes of a call that cannot be made; the model is informed where it repeats the call."""
        repetition = await self._consent.repetition(call, turn)
        if repetition is None:
            return outcome
        return replace(outcome, content=f"{outcome.content}\n{repetition}; change the call, or go on without it")

    async def _run(self, call: ToolCall, tool: ToolDefinition, context: ToolContext) -> CallOutcome:
        try:
            async with self._circuits.attempt(tool) as attempt:
                outcome = await self._runner.run(call, tool, context)
                if outcome.status != "cancelled":
                    attempt.service_failed = outcome.service_failed
                return outcome
        except CircuitOpen as error:
            return failed(str(error))

    async def _hooked(
        self, call: ToolCall, tool: ToolDefinition, context: ToolContext, outcome: CallOutcome
    ) -> CallOutcome:
        given = _whole(call, outcome)
        result = await self._services.hooks.after(call, given, context)
        if result == given:
            return outcome
        guarded = self._guard.result(result.content, tool)  # a plugin's words are no safer than a tool's
        return replace(outcome, content=guarded.text, is_error=result.is_error, masked=guarded.masked)

    def _context(self, call: ToolCall, tool: ToolSpec, turn: int, key: str | None) -> ToolContext:
        """The context of a call, with the key that an earlier run began it with."""
        context = self._context_of(call, turn)
        if key is not None:
            context = replace(context, idempotency_key=key)
        own = self._settings.plugin_settings.get(dist_name(tool.source.removeprefix("plugin:")))
        return context if own is None else replace(context, settings=own)


def _copied(call: ToolCall) -> ToolCall:
    return replace(call, input=deepcopy(call.input))


def _whole(call: ToolCall, outcome: CallOutcome) -> ToolResult:
    return ToolResult(call.id, outcome.content, outcome.is_error)
