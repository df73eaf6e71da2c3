"""A recording in place of tools, and of the user."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from finclaw_cli.core.events.agent import AgentToolCall
from finclaw_cli.core.events.internal import ToolExecuteEnd, ToolExecuteError, ToolOutcomeTold
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Approval, ApprovalRequest, Emit, ResolvedOutcome
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.outcome import CallOutcome, cancelled
from finclaw_cli.tools.resumed_calls import PERHAPS_DONE
from finclaw_cli.transcript.recording import Execution, RunRecording
from finclaw_cli.transcript.replayed_model import EndHere


@dataclass
class RecordedTools:
    """Gives again what tools gave, in place of running them."""

    recording: RunRecording
    end_here: EndHere
    emit: Emit

    async def run(self, call: ToolCall, definition: ToolDefinition, context: ToolContext) -> CallOutcome:  # noqa: ARG002
        """Emit the recorded events of the call and return its result."""
        place = context.turn, call.id
        events = self.recording.executions.get(place, ())
        end = self.recording.ends.get(place)
        if events:
            await self.emit(events[0])
            await self.emit(AgentToolCall(turn=context.turn, call_id=call.id, name=call.name, status="running"))
        for event in events[1:]:
            await self.emit(event)
            return self._outcome(event, end)
        if call.id in self.recording.cancelled_alone:
            return replace(cancelled(), was_stopped=True, is_uncertain=True)
        if end is None or end.status in {"cancelled", "unknown"}:
            await self._wait_for_the_end()
        return CallOutcome(
            status=end.status if end else "failed", content=(end.result if end else None) or "", is_error=True
        )

    async def close(self) -> None:
        """Nothing runs."""

    def _outcome(self, event: Execution, end: AgentToolCall | None) -> CallOutcome:
        of_guard = _of_guard(end)
        match event:
            case ToolExecuteEnd():
                return replace(of_guard, content=event.output)
            case ToolExecuteError():
                is_unknown = (end is not None and end.status == "unknown") or self.recording.is_reconciled(event)
                return replace(
                    of_guard,
                    status="unknown" if event.traceback is None and is_unknown else "failed",
                    content=event.message,
                    is_error=True,
                    is_uncertain=event.traceback is not None or is_unknown,
                )
            case _:
                content = ((end.result if end else None) or "").removesuffix(f" {PERHAPS_DONE}")
                return CallOutcome(
                    status="timeout", content=content, is_error=True, was_stopped=True, is_uncertain=True
                )

    async def _wait_for_the_end(self) -> None:
        for _ in range(1_000):  # whatever ended before this was ended, ends first
            await asyncio.sleep(0)
        self.end_here()
        await asyncio.Event().wait()


def _of_guard(end: AgentToolCall | None) -> CallOutcome:
    """A completed call with what the guard did to its result."""
    if end is None:
        return CallOutcome(status="completed", content="")
    return CallOutcome(
        status="completed",
        content="",
        masked=dict(end.masked or {}),
        truncated=bool(end.truncated),
        bytes=end.bytes,
        sha256=end.sha256,
    )


@dataclass
class RecordedApprover:
    """Gives the recorded approvals. A call without one is denied."""

    recording: RunRecording
    end_here: EndHere
    executions: Executions = field(default_factory=Executions)

    def __post_init__(self) -> None:
        self._left = {call: list(answers) for call, answers in self.recording.approvals.items()}

    async def ask(self, request: ApprovalRequest) -> Approval:
        for (_, call_id), answers in self._left.items():
            if call_id == request.call.id and answers:
                answer = answers.pop(0)
                granted = answer.decision == "allow"
                return Approval(granted=granted, by=answer.by, request_id=request.id, reason=answer.reason)
        if request.call.id in self.recording.cancelled_alone:
            self.executions.cancel(request.call.id)
            await asyncio.Event().wait()
        if self.recording.result is None or self.recording.result.status != "completed":
            self.end_here()
            await asyncio.Event().wait()
        return Approval(granted=False, by="nobody", request_id=request.id, reason="the recording has no answer")


@dataclass
class RecordedOutcomeResolver:
    """Gives the recorded outcome of a call that an earlier run had begun."""

    recording: RunRecording

    async def ask(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome:  # noqa: ARG002
        outcomes = self.recording.of(ToolOutcomeTold)
        return next((event.said for event in outcomes if event.call_id == call.id), "unknown")
