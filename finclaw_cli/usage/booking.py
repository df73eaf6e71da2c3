"""From events to rows: the same for a run under way and for a transcript, so that a rebuild gives the same rows."""

from __future__ import annotations

from datetime import datetime

from finclaw_cli.core.events.agent import AgentStart, AgentToolCall, Emitted
from finclaw_cli.core.events.budget import BudgetReserved, BudgetSpent, RequestStatus
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.usage.entries import Entry, RequestEntry, ToolEntry

# What rows are made of: the types of the events, as transcripts name them.
TYPES = frozenset({"agent.start", "agent.tool_call", "budget.reserved", "budget.spent"})


class Booking:
    """Makes rows of the events of runs, one run after the other."""

    def __init__(self, session_id: str = "", agent_id: str = "") -> None:
        self._session_id = session_id
        self._agent_id = agent_id

    def entry(self, emitted: Emitted) -> Entry | None:
        """The row of an event; None for all that are no rows.

        Raises:
            ValueError: it has what no row can hold.
        """
        event = emitted.event
        match event:
            case AgentStart():
                self._session_id, self._agent_id = event.session_id, event.agent_id
                return None
            case BudgetReserved() | BudgetSpent():
                return self._request(event, emitted.at, emitted.run_id)
            case AgentToolCall() if event.status in ENDED:
                return self._call(event, emitted.at, emitted.run_id)
            case _:
                return None

    def _request(self, event: BudgetReserved | BudgetSpent, at: datetime, run_id: str) -> RequestEntry:
        """A request under way is one that was cut off, until its end takes the row's place."""
        provider, _, model = event.model.partition(":")
        status: RequestStatus = "interrupted"
        is_estimated, uncached = True, None
        if isinstance(event, BudgetSpent):
            status, is_estimated, uncached = event.status, event.estimated, event.uncached_usd
        return RequestEntry(
            at=at,
            run_id=run_id,
            session_id=self._session_id,
            turn=event.turn,
            attempt=event.attempt,
            agent_id=self._agent_id,
            provider=provider,
            model=model,
            usage=event.usage,
            cost_usd=event.cost_usd,
            uncached_usd=uncached,
            price_source=event.price_source if event.tier == "standard" else f"{event.price_source}, {event.tier}",
            purpose=event.purpose,
            status=status,
            is_estimated=is_estimated,
            number=event.number,
        )

    def _call(self, event: AgentToolCall, at: datetime, run_id: str) -> ToolEntry:
        return ToolEntry(
            at=at,
            run_id=run_id,
            session_id=self._session_id,
            turn=event.turn,
            call_id=event.call_id,
            agent_id=self._agent_id,
            tool=event.name,
            status=event.status,
            duration_ms=event.duration_ms,
        )
