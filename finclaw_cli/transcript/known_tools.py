"""Results of tools in a session, for the same calls made again; nothing runs."""

from __future__ import annotations

from collections.abc import Iterable

from finclaw_cli.core.finance import DO_NOT_ESTIMATE
from finclaw_cli.core.json_text import canonical, plain
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.outcome import CallOutcome, failed
from finclaw_cli.transcript.recording import RunRecording

NOT_RECORDED = f"NO_DATA: this call was not made in the recorded session, and no tool runs now. {DO_NOT_ESTIMATE}"


class KnownTools:
    """Answers a call with the result that the last call of the same tool with the same input had."""

    def __init__(self, runs: Iterable[RunRecording]) -> None:
        self.executions = Executions()
        self._known: dict[str, CallOutcome] = {}
        for run in runs:
            for call in run.calls:
                end = run.ends.get((call.turn, call.call_id))
                if end is not None and end.status in {"completed", "failed", "recorded"}:
                    outcome = CallOutcome(
                        status="failed" if end.is_error else "completed",
                        content=end.result or "",
                        is_error=bool(end.is_error),
                    )
                    self._known[_key(call.name, call.input)] = outcome

    async def run(self, call: ToolCall, definition: ToolDefinition, context: ToolContext) -> CallOutcome:  # noqa: ARG002
        return self._known.get(_key(call.name, plain(call.input)), failed(NOT_RECORDED))

    async def close(self) -> None:
        """Nothing runs."""


def _key(name: str, given: object) -> str:
    return f"{name} {canonical(given)}"
