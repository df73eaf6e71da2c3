"""Writing the ledger while runs are under way, in order, and without keeping them waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from finclaw_cli.ledger.failures import LedgerFailed
from finclaw_cli.ledger.store import Ledger

Work = Callable[[Ledger], None]


class LedgerWriter:
    """Does one thing after another in a thread; a run waits for them where it has to know that they are done.

    A ledger that cannot be written is told of once, and left alone from then on: runs go on, and their transcripts have
    all that is needed to make it again.
    """

    def __init__(self, ledger: Ledger, on_failed: Callable[[LedgerFailed], None]) -> None:
        self.ledger = ledger
        self._on_failed = on_failed
        self._failed = False
        self._waiting: deque[Work] = deque()
        self._writing: asyncio.Task[None] | None = None

    def put(self, work: Work) -> None:
        """Have something done, once all is done that was put here before."""
        if self._failed:
            return
        self._waiting.append(work)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def caught_up(self) -> None:
        """Wait until all is done; that goes on also where the one who waits is cancelled."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        while self._waiting:
            work = self._waiting.popleft()
            try:
                await asyncio.to_thread(work, self.ledger)
            except LedgerFailed as failure:
                self._failed = True
                self._waiting.clear()
                self._on_failed(failure)
