"""The end of a call: its execution is closed, and its events are emitted."""

from __future__ import annotations

from finclaw_cli.core.events.agent import AgentToolCall
from finclaw_cli.core.events.internal import ToolExecuteCancel, ToolExecuteSkip
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.record import record
from finclaw_cli.tools.execution import Executions, ToolExecution
from finclaw_cli.tools.outcome import CallOutcome
from finclaw_cli.tools.render import cut


@record
class CallEnds:
    """Ends calls; `max_chars` is what the conversation takes of a result."""

    executions: Executions
    emit: Emit
    max_chars: int

    async def end(self, call: ToolCall, turn: int, outcome: CallOutcome) -> ToolResult:
        """Emit the end of a call; return its result, cut to what the conversation takes."""
        shown = cut(outcome.content, self.max_chars)
        execution = self.executions.opened(call, turn)
        execution.end(outcome.status, outcome.content)
        self.executions.remove(execution)
        await self._emit_execution(execution, outcome, shown.text)
        await self.emit(
            AgentToolCall(
                turn=turn,
                call_id=call.id,
                name=call.name,
                status=outcome.status,
                result=shown.text,
                is_error=outcome.is_error,
                duration_ms=outcome.duration_ms,
                truncated=shown.truncated or outcome.truncated,
                redacted=bool(outcome.masked),
                masked=dict(outcome.masked),
                bytes=outcome.bytes or shown.bytes,
                sha256=outcome.sha256 or shown.sha256,
            )
        )
        return ToolResult(call.id, shown.text, outcome.is_error)

    async def _emit_execution(self, execution: ToolExecution, outcome: CallOutcome, message: str) -> None:
        """The end of an execution that the tool itself has not ended."""
        if execution.state == "cancelled":
            await self.emit(
                ToolExecuteCancel(
                    turn=execution.turn,
                    call_id=execution.id,
                    name=execution.tool,
                    duration_ms=execution.duration_ms,
                    alone=execution.is_cancelled_alone,
                )
            )
        elif execution.started is None:
            await self.emit(
                ToolExecuteSkip(
                    turn=execution.turn,
                    call_id=execution.id,
                    name=execution.tool,
                    duration_ms=execution.duration_ms,
                    status=outcome.status,
                    message=message,
                )
            )
