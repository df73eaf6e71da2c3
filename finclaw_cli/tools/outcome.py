"""How one call ended: what the model reads, and what the events say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.json_text import JsonObject, plain
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Skip
from finclaw_cli.core.record import record


@record(kw_only=True)
class CallOutcome:
    """The end of a call, whose `content` has passed the guard."""

    status: CallStatus
    content: str
    is_error: bool = False
    duration_ms: int = 0
    masked: Mapping[str, int] = field(default_factory=dict)
    truncated: bool = False
    bytes: int | None = None
    """The size of what the tool gave, in UTF-8, and `sha256` its hash, where the guard has cut it."""
    sha256: str | None = None
    service_failed: bool = False
    """Whether an external tool's service is to blame, and not what it was asked."""
    was_stopped: bool = False
    """Whether the tool was ended while it ran, by its timeout or on request."""
    is_uncertain: bool = False
    """Whether the tool ended before it could say what it has done."""


def failed(message: str) -> CallOutcome:
    """The call could not be made, or the tool could not do its work; the model gets the reason."""
    return CallOutcome(status="failed", content=message, is_error=True)


def denied(message: str) -> CallOutcome:
    """The call was not allowed."""
    return CallOutcome(status="denied", content=message, is_error=True)


def cancelled(message: str = "cancelled") -> CallOutcome:
    """The call was ended, or never begun, because the run is ending."""
    return CallOutcome(status="cancelled", content=message, is_error=True)


def skipped(wish: Skip) -> CallOutcome:
    """A plugin wished that the tool does not run."""
    return CallOutcome(status="skipped", content=wish.content, is_error=wish.is_error)


def recorded(known: ToolResult) -> CallOutcome:
    """The call was made before; its result is known."""
    return CallOutcome(status="recorded", content=known.content, is_error=known.is_error)


def unknown(message: str) -> CallOutcome:
    """The call began, may have done something, and its outcome is unknown."""
    return CallOutcome(status="unknown", content=message, is_error=True)


def shown_input(call: ToolCall) -> JsonObject:
    """The call's input as events show it."""
    return {name: plain(value) for name, value in call.input.items()}
