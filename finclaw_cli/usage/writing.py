"""Writing the ledger while runs are under way, in order, and without keeping them waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial

from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.usage.entries import Entry
from finclaw_cli.usage.failures import LedgerFailed
from finclaw_cli.usage.store import Ledger

Work = Callable[[Ledger], None]


class LedgerWriter:
    """Does one thing after another, what may take long in a thread, so that runs do not wait.

    A store that cannot be written is reported once, and left alone from then on: runs go on, and their transcripts have
    all that is needed to make it again.
    """

    def __init__(self, ledger: Ledger, on_failed: Callable[[LedgerFailed], None]) -> None:
        self.ledger = ledger
        self._on_failed = on_failed
        self._failure: LedgerFailed | None = None
        self._waiting: deque[Work] = deque()
        self._writing: asyncio.Task[None] | None = None

    def record(self, entry: Entry) -> None:
        """Have a row written: at once where that needs no waiting."""
        is_busy = self._writing is not None and not self._writing.done()
        try:
            if self._failure or (not is_busy and self.ledger.record_at_once(entry)):
                return
        except LedgerFailed as failure:
            self._give_up(failure)
            return
        self.put(partial(_record, entry))

    def put(self, work: Work) -> None:
        """Have something done, once all is done that was put here before."""
        if self._failure:
            return
        self._waiting.append(work)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    def check(self) -> None:
        """Make sure that the ledger has all that was put here and is done.

        Raises:
            LedgerFailed: it could not be written, and lacks something.
        """
        if self._failure:
            raise self._failure

    async def caught_up(self) -> None:
        """Wait until all is done; that goes on also where the one who waits is cancelled."""
        while self._writing is not None:
            try:
                await asyncio.shield(self._writing)
            except asyncio.CancelledError:
                if not self._writing.cancelled():
                    raise
            self._writing = asyncio.create_task(self._write()) if self._waiting else None

    async def _write(self) -> None:
        while self._waiting:
            work = self._waiting.popleft()
            try:
                await in_own_thread(work, self.ledger)
            except LedgerFailed as failure:
                self._give_up(failure)
            except Exception as error:  # noqa: BLE001 - a bug of ours must not cost the run its result
                self._give_up(LedgerFailed(f"the ledger is not written: unexpected {type(error).__name__}: {error}"))

    def _give_up(self, failure: LedgerFailed) -> None:
        self._failure = failure
        self._waiting.clear()
        self._on_failed(failure)


def _record(entry: Entry, ledger: Ledger) -> None:
    ledger.record(entry)
