"""How one call ended: what the model reads, and what the events say of it."""

from __future__ import annotations

from dataclasses import dataclass

from finclaw_cli.core.event_parts import CallStatus
from finclaw_cli.core.json_text import JsonObject, plain
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.tools.render import cut


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """The end of a call. `content` is whole; `shown` is what fits into the conversation."""

    status: CallStatus
    content: str
    is_error: bool = False
    duration_ms: int = 0

    def result(self, call: ToolCall, limit: int) -> ToolResult:
        return ToolResult(call.id, cut(self.content, limit).text, self.is_error)


def failed(message: str) -> CallOutcome:
    """The call could not be made, or the tool could not do its work; the model is told why."""
    return CallOutcome(status="failed", content=message, is_error=True)


def denied(message: str) -> CallOutcome:
    """The call was not allowed."""
    return CallOutcome(status="denied", content=message, is_error=True)


def cancelled(message: str = "cancelled") -> CallOutcome:
    """The call was ended, or never begun, because the run is ending."""
    return CallOutcome(status="cancelled", content=message, is_error=True)


def shown_input(call: ToolCall) -> JsonObject:
    """The call's input as events show it."""
    return {name: plain(value) for name, value in call.input.items()}
