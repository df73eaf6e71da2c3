"""Between a run and the code that reads its events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from finclaw_cli.core.events.agent import AgentResult, Emitted

MOST_WAITING = 1_000
"""Events that wait for a slow reader; then the run waits, and its timeout goes on."""


class Relay:
    """An event sink that keeps the result, and queues the events for a reader where there is one."""

    def __init__(self) -> None:
        self.result: AgentResult | None = None
        """The result of the run; None until it has ended."""
        self._waiting: asyncio.Queue[Emitted | None] | None = None

    @property
    def takes_deltas(self) -> bool:
        """Whether deltas are wanted."""
        return self._waiting is not None

    def begin(self, *, has_reader: bool) -> None:
        """Begin with the next run."""
        self.result = None
        self._waiting = asyncio.Queue(MOST_WAITING) if has_reader else None

    async def take(self, emitted: Emitted) -> None:
        """Take an event; wait where too many of them wait for the reader."""
        if isinstance(emitted.event, AgentResult):
            self.result = emitted.event
        if self._waiting is not None:
            await self._waiting.put(emitted)

    async def end(self) -> None:
        """End the reader after the events that wait."""
        if self._waiting is not None:
            await self._waiting.put(None)

    async def events(self) -> AsyncGenerator[Emitted, None]:
        """The events of the run, until it has ended."""
        while self._waiting is not None and (emitted := await self._waiting.get()) is not None:
            yield emitted

    def drop(self) -> None:
        """Queue no further events: the reader has left."""
        waiting, self._waiting = self._waiting, None
        while waiting is not None and not waiting.empty():
            waiting.get_nowait()  # which lets a run go on that waits for the reader
