"""One `emit` for everyone: stamps an event and hands it to the sinks in their order."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.core.clock import Clock
from finclaw_cli.core.events import Emitted, Event
from finclaw_cli.core.ports import EventSink


class Bus:
    """Sinks awaited one after another, so that what is shown was kept before, and a slow reader slows the run."""

    def __init__(self, run_id: str, clock: Clock, sinks: Sequence[EventSink]) -> None:
        self._run_id = run_id
        self._clock = clock
        self._sinks = tuple(sinks)

    async def emit(self, event: Event) -> None:
        emitted = Emitted(self._clock.now(), self._run_id, event)
        for sink in self._sinks:
            await sink.take(emitted)
