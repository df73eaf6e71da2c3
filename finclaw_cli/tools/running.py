"""Running one tool under its timeout, telling how it goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from finclaw_cli.core.errors import OutcomeUnknown, ToolError
from finclaw_cli.core.events.agent import AgentToolCall, AgentWarning
from finclaw_cli.core.events.internal import ToolExecuteEnd, ToolExecuteError, ToolExecuteStart, ToolExecuteTimeout
from finclaw_cli.core.interruption import OutOfTime, plugin_code, traceback_text
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.tools.bounded import Bounded, Stopped
from finclaw_cli.tools.execution import Executions, ToolExecution
from finclaw_cli.tools.guard import Guard, Guarded
from finclaw_cli.tools.outcome import CallOutcome, cancelled
from finclaw_cli.tools.processes.termination import end_families
from finclaw_cli.tools.progress import reported_progress
from finclaw_cli.tools.time_limits import time_limit


def all_met(_spec: ToolSpec) -> None:
    """The default of `unmet`: whether a tool can work is its own to find out."""


@record
class _Raised:
    """What a tool raised, in words."""

    error: Exception
    message: str
    traceback: str | None

    @classmethod
    def of(cls, error: Exception) -> _Raised:
        if isinstance(error, ToolError):
            return cls(error, str(error), None)
        message = f"Tool execution error: {str(error) or type(error).__name__}"
        return cls(error, message, traceback_text(error))


class ToolRunner:
    """Runs tools. A tool may raise anything and ignore any cancellation: its call fails, and nothing else does.

    `unmet` returns why a tool cannot work on this machine, and so is not called.
    """

    def __init__(
        self,
        timeouts_s: Mapping[str, float],
        guard: Guard,
        emit: Emit,
        executions: Executions,
        *,
        unmet: Callable[[ToolSpec], str | None] = all_met,
    ) -> None:
        self._unmet = unmet
        self._timeouts_s = timeouts_s
        self._guard = guard
        self._emit = emit
        self._work: list[Bounded] = []
        self._executions = executions

    @property
    def abandoned(self) -> int:
        """How many threads and tasks of ended calls are still at work."""
        return sum(work.left for work in self._work if work.family.ended)

    async def run(
        self, call: ToolCall, definition: ToolDefinition, context: ToolContext, *, timeout_s: float | None = None
    ) -> CallOutcome:
        """Run the tool to its end, its error, or its timeout; `context.cancelled` is set in any case."""
        limit_s = time_limit(definition, self._timeouts_s, timeout_s)
        execution = self._executions.opened(call, context.turn)
        execution.input, execution.timeout_s = call.input, limit_s
        work = Bounded(context.cancelled.set)
        self._work.append(work)
        try:
            return await self._run(execution, work, definition, context)
        except asyncio.CancelledError:
            if not execution.is_over:
                execution.cancelled()
            raise
        finally:
            context.cancelled.set()
            if work.family.ended:
                await self._warn_of_left_work(execution, work)

    async def close(self) -> None:
        """The run is over: end every process that its calls have left running."""
        await end_families(work.family for work in self._work)

    async def _run(
        self, execution: ToolExecution, work: Bounded, definition: ToolDefinition, context: ToolContext
    ) -> CallOutcome:
        await self._emit(ToolExecuteStart(turn=execution.turn, call_id=execution.id, name=execution.tool))
        await self._emit(
            AgentToolCall(turn=execution.turn, call_id=execution.id, name=execution.tool, status="running")
        )
        if execution.is_over:
            return replace(cancelled(), is_uncertain=True)
        execution.start(work.stop)
        try:
            self._require_met(definition)
            reporting = reported_progress(self._emit, turn=execution.turn, call_id=execution.id, name=execution.tool)
            async with reporting as progress:
                own_context = replace(context, progress=progress)
                made = cast(
                    "Guarded | _Raised",
                    await work(lambda: self._made(definition, execution, own_context), execution.timeout_s),
                )
        except OutOfTime:
            return await self._timed_out(execution)
        except Stopped:
            execution.cancelled()
            return replace(cancelled(), duration_ms=execution.duration_ms, was_stopped=True, is_uncertain=True)
        except Exception as error:  # noqa: BLE001 - see the class
            made = _Raised.of(error)
        if isinstance(made, _Raised):
            return await self._raised(execution, definition, made)
        return await self._ended(execution, made)

    async def _made(
        self, definition: ToolDefinition, execution: ToolExecution, context: ToolContext
    ) -> Guarded | _Raised:
        """Run the tool and read its result, or its error: both may run more of the tool's code."""
        try:
            with plugin_code():
                try:
                    return self._guard.result(await definition.handler(execution.input, context), definition)
                except ToolError as error:
                    return _Raised.of(error)
        except OutOfTime:
            raise
        except Exception as error:  # noqa: BLE001 - see the class
            return _Raised.of(error)

    def _require_met(self, definition: ToolDefinition) -> None:
        if unmet := self._unmet(definition):
            raise ToolError(unmet)

    async def _warn_of_left_work(self, execution: ToolExecution, work: Bounded) -> None:
        """Report a tool that goes on regardless: what it still does is not seen."""
        if work.left:
            in_all = f" ({self.abandoned} in this run)" if self.abandoned > work.left else ""
            message = (
                f'tool "{execution.tool}" was ended and does not end: {work.left} of its threads or tasks go on unseen'
                f"{in_all}; they end with the process"
            )
            await self._emit(AgentWarning(code="tool_abandoned", message=message))

    async def _ended(self, execution: ToolExecution, guarded: Guarded) -> CallOutcome:
        execution.complete(guarded.text)
        duration_ms = execution.duration_ms
        await self._emit(
            ToolExecuteEnd(
                turn=execution.turn,
                call_id=execution.id,
                name=execution.tool,
                duration_ms=duration_ms,
                output=guarded.text,
                original_chars=guarded.original_chars,
            )
        )
        return CallOutcome(
            status="completed",
            content=guarded.text,
            duration_ms=duration_ms,
            masked=guarded.masked,
            truncated=guarded.truncated,
            bytes=guarded.bytes,
            sha256=guarded.sha256,
        )

    async def _timed_out(self, execution: ToolExecution) -> CallOutcome:
        message = execution.time_out()
        await self._emit(
            ToolExecuteTimeout(
                turn=execution.turn, call_id=execution.id, name=execution.tool, timeout_s=execution.timeout_s
            )
        )
        return CallOutcome(
            status="timeout",
            content=message,
            is_error=True,
            duration_ms=execution.duration_ms,
            service_failed=True,
            was_stopped=True,
            is_uncertain=True,
        )

    async def _raised(self, execution: ToolExecution, definition: ToolDefinition, raised: _Raised) -> CallOutcome:
        error = raised.error
        guarded = self._guard.error(raised.message, definition)
        execution.fail(guarded.text)
        duration_ms = execution.duration_ms
        await self._emit(
            ToolExecuteError(
                turn=execution.turn,
                call_id=execution.id,
                name=execution.tool,
                duration_ms=duration_ms,
                message=guarded.text,
                traceback=raised.traceback,
            )
        )
        return CallOutcome(
            status="unknown" if isinstance(error, OutcomeUnknown) else "failed",
            content=guarded.text,
            is_error=True,
            duration_ms=duration_ms,
            masked=guarded.masked,
            truncated=guarded.truncated,
            bytes=guarded.bytes,
            sha256=guarded.sha256,
            service_failed=error.outage if isinstance(error, ToolError) else True,
            is_uncertain=not isinstance(error, ToolError) or isinstance(error, OutcomeUnknown),
        )
