"""Makes the ledger's rows of what runs tell."""

from __future__ import annotations

from functools import partial

from finclaw_cli.core.events import AgentResult, AgentTurnComplete, Emitted
from finclaw_cli.ledger.booking import Booking
from finclaw_cli.ledger.entries import Entry
from finclaw_cli.ledger.store import Ledger
from finclaw_cli.ledger.writing import LedgerWriter


class LedgerSink:
    """An event sink for money: what a turn came to is written before it is told that the turn is complete.

    By then its message is kept: nothing of it is lost when the run is ended while the ledger is waited for.
    """

    def __init__(self, writer: LedgerWriter) -> None:
        self._writer = writer
        self._booking = Booking()

    async def take(self, emitted: Emitted) -> None:
        try:
            entry = self._booking.entry(emitted)
        except ValueError:  # what a server reports may be beyond all belief: it is in the transcript
            entry = None
        if entry is not None:
            self._writer.put(partial(_record, entry))
        if isinstance(emitted.event, AgentTurnComplete | AgentResult):
            await self._writer.caught_up()


def _record(entry: Entry, ledger: Ledger) -> None:
    ledger.record(entry)
