"""Calls that were cancelled by their ids, from a recording."""

from __future__ import annotations

from finclaw_cli.core.events.internal import ToolPolicyVerdict
from finclaw_cli.tools.execution import Executions, ToolExecution
from finclaw_cli.transcript.recording import RunRecording


class RecordedExecutions(Executions):
    """Cancels the calls that were cancelled, where they were: before their verdict, or before their tool ran.

    What was cancelled while it waited for an approval, or while its tool ran, is cancelled in that place.
    """

    def __init__(self, recording: RunRecording) -> None:
        super().__init__()
        self._cancelled = recording.cancelled_alone
        self._judged = {event.call_id for event in recording.of(ToolPolicyVerdict)}
        self._begun = {str(line.data.get("call_id")) for line in recording.lines if line.type == "tool_intent"}

    def add(self, execution: ToolExecution) -> None:
        super().add(execution)
        if execution.id in self._cancelled - self._judged - self._begun:
            execution.cancel()

    def may_begin(self, execution: ToolExecution) -> bool:
        if execution.id in self._cancelled - self._begun:
            execution.cancel()
        return super().may_begin(execution)
