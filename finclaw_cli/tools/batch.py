"""The calls of one turn: run in parallel, answered in the order in which they were asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext

from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Emit, ToolChange
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.executor import ContextOf, Executor, ExecutorSettings, Runner, ToolServices
from finclaw_cli.tools.outcome import cancelled, failed
from finclaw_cli.tools.registry import CALLER, ToolRegistry
from finclaw_cli.tools.toolsets import NO_CHANGES, ToolChanges

NOT_EXECUTED = "[Not executed]"
OVER_LIMIT = "Not run: the run's limit of tool calls was reached."
REPEATED = "Not run: the same call stands twice in one answer. Ask for it in another turn if a second one is meant."


class CallBatch:
    """One turn's calls; a failure of one never takes its siblings down."""

    def __init__(
        self,
        calls: tuple[ToolCall, ...],
        turn: int,
        allowed: int,
        *,
        executor: Executor,
        spec_of: Callable[[ToolCall], ToolSpec | None],
        parallel: int,
    ) -> None:
        self._calls = calls
        self._turn = turn
        self._allowed = max(allowed, 0)
        self._executor = executor
        self._specs = [spec_of(call) for call in calls]
        self._places = asyncio.Semaphore(parallel)
        self._one_by_one = asyncio.Lock()
        self._results: list[ToolResult | None] = [None] * len(calls)
        self._begun: set[str] = set()

    async def run(self) -> None:
        """Answer every call; those over the limit are refused without being looked at."""
        self._executor.begin_turn(self._calls)
        for call in self._calls:
            await self._executor.emit_requested(call, self._turn)
        for call in self._calls[self._allowed :]:
            await self._executor.end(call, self._turn, cancelled(OVER_LIMIT))
        repeated = self._repeated()
        for place in repeated:
            call = self._calls[place]
            self._results[place] = await self._executor.end(call, self._turn, failed(REPEATED))
        async with asyncio.TaskGroup() as group:
            for place, call in enumerate(self._calls[: self._allowed]):
                if place not in repeated:
                    group.create_task(self._answer(place, call))

    def _repeated(self) -> tuple[int, ...]:
        """The places of transactional calls that stand before in the same answer: a server may have sent one twice."""
        seen: set[tuple[str, str]] = set()
        found: list[int] = []
        for place, call in enumerate(self._calls[: self._allowed]):
            spec, same = self._specs[place], (call.name, canonical(call.input))
            if spec is not None and spec.transactional and same in seen:
                found.append(place)
            seen.add(same)
        return tuple(found)

    def results(self) -> tuple[ToolResult, ...]:
        """One answer for each call, a stand-in for those that were not answered."""
        answers = zip(self._calls, self._results, strict=True)
        return tuple(result or self._stand_in(call) for call, result in answers)

    def _stand_in(self, call: ToolCall) -> ToolResult:
        outcome = self._executor.interrupted(call)
        content = outcome.content if call.id in self._begun or outcome.status == "unknown" else NOT_EXECUTED
        return ToolResult(call.id, content, is_error=True)

    def _is_serial(self, place: int) -> bool:
        spec = self._specs[place]
        return spec is not None and (spec.serial or spec.transactional)

    async def _answer(self, place: int, call: ToolCall) -> None:
        try:
            async with self._places, self._one_by_one if self._is_serial(place) else nullcontext():
                self._begun.add(call.id)
                self._results[place] = await self._executor.answer(call, self._turn)
        finally:
            if call.id not in self._begun:
                await self._executor.end(call, self._turn, self._executor.interrupted(call))


class RegistryToolbox:
    """The toolbox of a run: the installed tools behind the pipeline."""

    def __init__(
        self,
        registry: ToolRegistry,
        services: ToolServices,
        context_of: ContextOf,
        settings: ExecutorSettings,
        emit: Emit,
        *,
        changes: ToolChanges = NO_CHANGES,
        executions: Executions | None = None,
        runner: Runner | None = None,
    ) -> None:
        self._registry = registry
        self._changes = changes
        self._emit = emit
        self._parallel = settings.parallel
        self._executor = Executor(registry, services, context_of, settings, emit, executions=executions, runner=runner)

    def batch(self, calls: tuple[ToolCall, ...], turn: int, allowed: int) -> CallBatch:
        return CallBatch(calls, turn, allowed, executor=self._executor, spec_of=self._spec_of, parallel=self._parallel)

    async def changed(self) -> ToolChange | None:
        change = await self._changes.changed()
        for problem in self._changes.take_problems():
            await self._emit(AgentWarning(code="toolset", message=problem))
        if change is None:
            return None
        self._registry = change.registry
        self._executor.change_tools(change.registry)
        of_toolsets = tuple(entry.spec for entry in change.registry.entries if entry.spec.toolset)
        of_caller = tuple(entry.spec for entry in change.registry.entries if entry.origin == CALLER)
        return ToolChange(offered=change.offered, of_toolsets=of_toolsets, of_caller=of_caller)

    async def close(self) -> None:
        try:
            await self._changes.stop()
        finally:
            await self._executor.close()

    def _spec_of(self, call: ToolCall) -> ToolSpec | None:
        entry = self._registry.find(call.name)
        return entry.spec if entry is not None else None
