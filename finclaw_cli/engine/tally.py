"""Keeping count of what happened to the calls of a run, from its own events."""

from __future__ import annotations

from collections import Counter

from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.core.events.approval import AgentApproval
from finclaw_cli.core.events.parts import ENDED


class Tally:
    """An event sink that counts calls by the state in which they ended."""

    takes_deltas = False

    def __init__(self) -> None:
        self.by_status: Counter[str] = Counter()
        self.denied: dict[str, None] = {}
        self.unapproved: dict[str, None] = {}
        """Tools that were not run because they were not approved: the others that were denied are forbidden."""
        self.unknown: dict[str, None] = {}

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, AgentApproval) and event.decision == "deny":
            self.unapproved[event.name] = None
        if not isinstance(event, AgentToolCall) or event.status not in ENDED:
            return
        self.by_status[event.status] += 1
        if event.status == "denied":
            self.denied[event.name] = None
        elif event.status == "unknown":
            self.unknown[event.name] = None
