"""The events of a run: their classes, and each as the JSON that NDJSON output has."""

from finclaw_cli.core.events.agent import (
    AgentDelta,
    AgentError,
    AgentFailover,
    AgentReasoning,
    AgentResult,
    AgentRetry,
    AgentStart,
    AgentToolCall,
    AgentTurnComplete,
    AgentTurnStart,
    AgentWarning,
    Event,
)
from finclaw_cli.core.events.approval import AgentApproval, AgentApprovalRequest
from finclaw_cli.core.events.context import ContextWindowStatus
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.events.numbers import AgentNumberCheck
from finclaw_cli.core.events.offered import AgentTools
from finclaw_cli.core.json_text import JsonObject


def to_json(event: Event) -> JsonObject:
    """The event as JSON values, with its `type` first and without the envelope of a line (`v`, `seq`, `ts`, `run_id`).

    Money and other decimals are strings.
    """
    return {"type": event.type, **payload(event)}


__all__ = [
    "AgentApproval",
    "AgentApprovalRequest",
    "AgentDelta",
    "AgentError",
    "AgentFailover",
    "AgentNumberCheck",
    "AgentReasoning",
    "AgentResult",
    "AgentRetry",
    "AgentStart",
    "AgentToolCall",
    "AgentTools",
    "AgentTurnComplete",
    "AgentTurnStart",
    "AgentWarning",
    "ContextWindowStatus",
    "Event",
    "to_json",
]
