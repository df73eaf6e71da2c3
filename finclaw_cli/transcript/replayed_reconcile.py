"""The recorded answers of tools that were asked what became of their calls."""

from __future__ import annotations

import asyncio

from finclaw_cli.core.events.agent import AgentToolCall
from finclaw_cli.core.events.internal import ToolReconcile
from finclaw_cli.core.tool import PlainText, Reconciled, ReconcileState, ToolContext
from finclaw_cli.tools.resumed_calls import DID_NOT_RUN, RAN
from finclaw_cli.transcript.recording import RunRecording
from finclaw_cli.transcript.replayed_model import EndHere


class RecordedReconcile:
    """The recorded answers of tools that were asked what became of their calls, in order."""

    def __init__(self, recording: RunRecording, end_here: EndHere) -> None:
        self._recording = recording
        self._end_here = end_here
        self._left: dict[str, list[ReconcileState]] = {}
        for event in recording.of(ToolReconcile):
            self._left.setdefault(event.call_id, []).append(event.state)

    async def __call__(self, key: str, context: ToolContext) -> Reconciled:  # noqa: ARG002 - the signature of a tool's
        end = next((end for (_, call_id), end in self._recording.ends.items() if call_id == context.call_id), None)
        left = self._left.get(context.call_id)
        if not left and (end is None or end.status in {"unknown", "cancelled"}) and not _is_complete(self._recording):
            self._end_here()  # the run was cut off before there was an answer
            await asyncio.Event().wait()
        state = left.pop(0) if left else _implied_state(end)
        return Reconciled(state=state, content=PlainText((end.result if end else None) or ""))


def _is_complete(recording: RunRecording) -> bool:
    return recording.result is not None and recording.result.status == "completed"


def _implied_state(end: AgentToolCall | None) -> ReconcileState:
    """The answer that led to this end of a call; transcripts of finclaw 0.1 do not record it."""
    if end is None or end.status == "unknown" or end.result in {RAN, DID_NOT_RUN}:
        return "unknown"
    return "done" if end.status == "recorded" else "not_found"
