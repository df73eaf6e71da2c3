"""One `emit` for everyone: stamps an event and hands it to the sinks in their order."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, Emitted, Event
from finclaw_cli.core.ports import EventSink

# What streams: twenty thousand of these in a run, hundreds of anything else.
PIECES = (AgentDelta, AgentReasoning)


def hearers_of_pieces(sinks: Sequence[EventSink]) -> tuple[EventSink, ...]:
    """The sinks that want to hear what streams: all but those that say `hears_pieces = False`."""
    return tuple(sink for sink in sinks if getattr(sink, "hears_pieces", True))


class Bus:
    """Sinks awaited one after another, so that what is shown was kept before, and a slow reader slows the run."""

    def __init__(self, run_id: str, clock: Clock, sinks: Sequence[EventSink]) -> None:
        self._run_id = run_id
        self._clock = clock
        self._sinks = tuple(sinks)
        self._of_pieces = hearers_of_pieces(sinks)

    async def emit(self, event: Event) -> None:
        emitted = Emitted(self._clock.now(), self._run_id, event)
        for sink in self._of_pieces if isinstance(event, PIECES) else self._sinks:
            await sink.take(emitted)
