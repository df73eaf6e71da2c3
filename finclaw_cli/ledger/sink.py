"""Writes the ledger's rows while runs are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from finclaw_cli.core.budget_events import BudgetReserved
from finclaw_cli.core.events import AgentResult, Emitted
from finclaw_cli.ledger.booking import Booking
from finclaw_cli.ledger.entries import Entry
from finclaw_cli.ledger.failures import LedgerFailed
from finclaw_cli.ledger.store import Ledger


class LedgerSink:
    """An event sink for money.

    What a request came to is written before anybody is told; that one is about to be made is written while it is made,
    since opening the ledger takes longer than the model should wait for. A ledger that cannot be written is told of
    once, and left alone from then on: runs go on, and their transcripts have all that is needed to make it again.
    """

    def __init__(self, ledger: Ledger, on_failed: Callable[[LedgerFailed], None]) -> None:
        self._ledger = ledger
        self._on_failed = on_failed
        self._booking = Booking()
        self._under_way: asyncio.Task[None] | None = None
        self._failed = False

    async def take(self, emitted: Emitted) -> None:
        entry = None if self._failed else self._entry(emitted)
        if isinstance(emitted.event, BudgetReserved) and entry is not None:
            await self._caught_up()
            self._under_way = asyncio.create_task(self._write(entry))
        elif entry is not None:
            await self._caught_up()
            await self._write(entry)
        elif isinstance(emitted.event, AgentResult):
            await self._caught_up()

    def _entry(self, emitted: Emitted) -> Entry | None:
        try:
            return self._booking.entry(emitted)
        except ValueError:  # what a server reports may be beyond all belief: it is in the transcript
            return None

    async def _caught_up(self) -> None:
        writing, self._under_way = self._under_way, None
        if writing is not None:
            await writing

    async def _write(self, entry: Entry) -> None:
        if self._failed:
            return
        try:
            await asyncio.to_thread(self._ledger.record, entry)
        except LedgerFailed as failure:
            self._failed = True
            self._on_failed(failure)
