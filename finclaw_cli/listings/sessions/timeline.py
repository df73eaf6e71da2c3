"""A session as a course of events in time, without its texts: turns, calls, decisions, retries, costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from finclaw_cli.core.bus import PIECES
from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.events.lines import payload
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.reader import Damage, Found
from finclaw_cli.transcript.replay import events_of

LEFT_OUT = frozenset({"message", "result", "input", "preview", "text", "output", "tools"})
"""What is long, and is in the messages or the events."""
SHOWN = frozenset(
    {"tool.policy_verdict", "tool.policy_deny", "tool.circuit_change", "context.compact", "execution.lane"}
)
"""The events outside of the agent family that are part of it."""


def timeline(found: Iterable[Found]) -> Iterator[JsonObject]:
    """Each event with its time and its run, in the order in which they happened."""
    for emitted in events_of(found):
        if isinstance(emitted, Damage) or isinstance(emitted.event, PIECES):
            continue
        kind = emitted.event.type
        if kind.startswith("agent.") or kind in SHOWN:
            facts = {name: value for name, value in payload(emitted.event).items() if name not in LEFT_OUT}
            yield {"at": timestamp(emitted.at), "run_id": emitted.run_id, "type": kind, **facts}
