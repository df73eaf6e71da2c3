"""`emit` for a run: gives an event its time, and to each sink in their order."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, Emitted, Event
from finclaw_cli.core.ports import EventSink

# What streams: twenty thousand of these in a run, hundreds of anything else.
PIECES = (AgentDelta, AgentReasoning)


def sinks_of_deltas(sinks: Sequence[EventSink]) -> tuple[EventSink, ...]:
    """The sinks that take deltas: all but those with `takes_deltas = False`."""
    return tuple(sink for sink in sinks if getattr(sink, "takes_deltas", True))


class Bus:
    """Sinks awaited one after another: the transcript before what is shown; a slow reader slows the run."""

    def __init__(self, run_id: str, clock: Clock, sinks: Sequence[EventSink]) -> None:
        self._run_id = run_id
        self._clock = clock
        self._sinks = tuple(sinks)
        self._of_deltas = sinks_of_deltas(sinks)

    async def emit(self, event: Event) -> None:
        emitted = Emitted(self._clock.now(), self._run_id, event)
        for sink in self._of_deltas if isinstance(event, PIECES) else self._sinks:
            await sink.take(emitted)
