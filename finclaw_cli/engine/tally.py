"""Keeping count of what happened to the calls of a run, from its own events."""

from __future__ import annotations

from collections import Counter

from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.core.events.approval import AgentApproval
from finclaw_cli.core.events.parts import ENDED, CallStatus


class Tally:
    """An event sink that counts calls by the state in which they ended."""

    takes_deltas = False

    def __init__(self) -> None:
        self.by_status: Counter[str] = Counter()
        self.unapproved: dict[str, None] = {}
        """Tools that were not run because they were not approved: the others that were denied are forbidden."""
        self._names: dict[str, str] = {}
        """The tools of the calls, by their ids, in the order in which they were asked for: they may end in another."""
        self._ends: dict[str, CallStatus] = {}

    @property
    def denied(self) -> tuple[str, ...]:
        """Tools of denied calls, in the order in which those were asked for."""
        return self._named("denied")

    @property
    def unknown(self) -> tuple[str, ...]:
        """Tools of calls of which is not known whether they ran, in the order in which those were asked for."""
        return self._named("unknown")

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, AgentApproval) and event.decision == "deny":
            self.unapproved[event.name] = None
        if not isinstance(event, AgentToolCall) or event.status == "announced":
            return
        self._names.setdefault(event.call_id, event.name)
        if event.status in ENDED:
            self.by_status[event.status] += 1
            self._ends[event.call_id] = event.status

    def _named(self, status: CallStatus) -> tuple[str, ...]:
        names = (name for call, name in self._names.items() if self._ends.get(call) == status)
        return tuple(dict.fromkeys(names))
