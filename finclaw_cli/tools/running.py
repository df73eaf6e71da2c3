"""Running one tool under its timeout, telling how it goes."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.events import AgentToolCall
from finclaw_cli.core.inner_events import ToolExecuteEnd, ToolExecuteError, ToolExecuteStart, ToolExecuteTimeout
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.tools.bounded import OutOfTime, bounded
from finclaw_cli.tools.guard import Guard, Guarded
from finclaw_cli.tools.outcome import CallOutcome
from finclaw_cli.tools.progress import reported_progress

DEFAULT_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    turn: int
    call_id: str
    name: str
    timeout_s: float
    began: float

    @property
    def duration_ms(self) -> int:
        return round((time.monotonic() - self.began) * 1000)


class ToolRunner:
    """Runs tools. A tool may raise anything and ignore any cancellation: its call fails, and nothing else does."""

    def __init__(self, timeouts_s: Mapping[str, float], guard: Guard, emit: Emit) -> None:
        self._timeouts_s = timeouts_s
        self._guard = guard
        self._emit = emit

    async def run(self, call: ToolCall, definition: ToolDefinition, context: ToolContext) -> CallOutcome:
        """Run the tool to its end, its error, or its timeout; `context.cancelled` is set in any case."""
        timeout_s = self._timeouts_s.get(call.name, definition.timeout_s or DEFAULT_TIMEOUT_S)
        running = _Running(
            turn=context.turn, call_id=call.id, name=call.name, timeout_s=timeout_s, began=time.monotonic()
        )
        await self._emit(ToolExecuteStart(turn=running.turn, call_id=call.id, name=call.name))
        await self._emit(AgentToolCall(turn=running.turn, call_id=call.id, name=call.name, status="running"))
        try:
            reporting = reported_progress(self._emit, turn=running.turn, call_id=call.id, name=call.name)
            async with reporting as progress:
                work = definition.handler(call.input, replace(context, progress=progress))
                value = await bounded(work, timeout_s)
            guarded = self._guard.result(value, definition)
        except OutOfTime:
            return await self._timed_out(running)
        except Exception as error:  # noqa: BLE001 - see the class
            return await self._raised(running, definition, error)
        finally:
            context.cancelled.set()
        return await self._ended(running, guarded)

    async def _ended(self, running: _Running, guarded: Guarded) -> CallOutcome:
        duration_ms = running.duration_ms
        await self._emit(
            ToolExecuteEnd(
                turn=running.turn,
                call_id=running.call_id,
                name=running.name,
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
        )

    async def _timed_out(self, running: _Running) -> CallOutcome:
        await self._emit(
            ToolExecuteTimeout(
                turn=running.turn, call_id=running.call_id, name=running.name, timeout_s=running.timeout_s
            )
        )
        message = f'Tool "{running.name}" timed out after {running.timeout_s:g} s'
        return CallOutcome(
            status="timeout", content=message, is_error=True, duration_ms=running.duration_ms, service_failed=True
        )

    async def _raised(self, running: _Running, definition: ToolDefinition, error: Exception) -> CallOutcome:
        duration_ms = running.duration_ms
        expected = isinstance(error, ToolError)
        told = str(error) if expected else f"Tool execution error: {str(error) or type(error).__name__}"
        guarded = self._guard.error(told, definition)
        await self._emit(
            ToolExecuteError(
                turn=running.turn,
                call_id=running.call_id,
                name=running.name,
                duration_ms=duration_ms,
                message=guarded.text,
                traceback=None if expected else "".join(traceback.format_exception(error)),
            )
        )
        return CallOutcome(
            status="failed",
            content=guarded.text,
            is_error=True,
            duration_ms=duration_ms,
            masked=guarded.masked,
            truncated=guarded.truncated,
            service_failed=error.outage if isinstance(error, ToolError) else True,
        )
