"""The output of `finclaw sessions show --calls`: the calls of a session, as executions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.events.agent import AgentStart, AgentToolCall, Emitted
from finclaw_cli.core.events.internal import ToolExecuteCancel, ToolExecuteEnd, ToolExecuteError, ToolExecuteSkip
from finclaw_cli.core.events.internal import ToolExecuteStart as Start
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.reader import Damage, Found
from finclaw_cli.transcript.replay import events_of

HEADER = ("CALL", "TOOL", "STATE", "START", "DURATION", "ATTEMPTS", "BYTES")
CUT_OFF = "cut off"
"""The state of a call whose run was killed while it was open."""
DROPPED = ("CALL", "BYTES", "ATTEMPTS")
Timed = ToolExecuteEnd | ToolExecuteError | ToolExecuteSkip | ToolExecuteCancel


@dataclass(kw_only=True)
class RecordedCall:
    """One call, with all that the session has of it."""

    call_id: str
    tool: str
    turn: int
    start: datetime
    """When its tool began to run first, or when it was asked for where it did not."""
    state: str = "requested"
    duration_ms: int | None = None
    attempts: int = 0
    """How often its tool was begun."""
    bytes: int | None = None
    """The size of its result, in UTF-8; None before its end."""

    def take(self, emitted: Emitted) -> None:
        """Take up one event of the call."""
        event = emitted.event
        if isinstance(event, Start):
            self.start = emitted.at if self.attempts == 0 else self.start
            self.attempts += 1
            self.duration_ms = None
        elif isinstance(event, Timed):
            self.duration_ms = event.duration_ms
        elif isinstance(event, AgentToolCall):
            self._step(event)

    def _step(self, event: AgentToolCall) -> None:
        self.state = event.status
        if event.result is not None:
            self.bytes = event.bytes or len(event.result.encode("utf-8", "replace"))
            self.duration_ms = event.duration_ms if self.duration_ms is None else self.duration_ms

    def facts(self) -> JsonObject:
        """The call as JSON."""
        return {
            "call_id": self.call_id,
            "tool": self.tool,
            "turn": self.turn,
            "state": self.state,
            "start": timestamp(self.start),
            "duration_ms": self.duration_ms,
            "attempts": self.attempts,
            "bytes": self.bytes,
        }

    def row(self) -> tuple[str, ...]:
        """The call as a row of the table."""
        return (
            clean_line(self.call_id),
            clean_line(self.tool),
            self.state,
            f"{self.start:%Y-%m-%d %H:%M:%S}",
            "" if self.duration_ms is None else f"{self.duration_ms / 1000:.3f} s",
            str(self.attempts),
            "" if self.bytes is None else f"{self.bytes:,}",
        )


def calls_of(found: Iterable[Found], *, is_held: bool) -> list[RecordedCall]:
    """The calls of a session, in the order in which they were asked for.

    Args:
        found: the records of the session.
        is_held: whether a process writes it: else its last run has ended, with or without its result.
    """
    calls: dict[str, RecordedCall] = {}
    for emitted in events_of(found):
        if isinstance(emitted, Damage):
            continue
        event = emitted.event
        if isinstance(event, AgentStart):
            _cut_off(calls.values())
        elif isinstance(event, AgentToolCall) and event.status == "requested" and event.call_id not in calls:
            calls[event.call_id] = RecordedCall(
                call_id=event.call_id, tool=event.name, turn=event.turn, start=emitted.at
            )
        elif isinstance(event, AgentToolCall | Start | Timed) and event.call_id in calls:
            calls[event.call_id].take(emitted)
    if not is_held:
        _cut_off(calls.values())
    return list(calls.values())


def _cut_off(calls: Iterable[RecordedCall]) -> None:
    """Their run has ended: those that are open were cut off with it, until a later run takes them up."""
    for call in calls:
        if call.state not in ENDED:
            call.state = CUT_OFF
