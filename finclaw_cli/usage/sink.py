"""Makes the ledger's rows of what runs tell."""

from __future__ import annotations

from contextlib import suppress

from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.usage.booking import Booking
from finclaw_cli.usage.writing import LedgerWriter


class LedgerSink:
    """An event sink for money: rows are written before an output has the event, and no run waits for one.

    A run that was ended meanwhile would have kept an event that is not shown.
    """

    takes_deltas = False

    def __init__(self, writer: LedgerWriter) -> None:
        self._writer = writer
        self._booking = Booking()

    async def take(self, emitted: Emitted) -> None:
        with suppress(ValueError):  # whatever no row can hold is in the transcript
            if (entry := self._booking.entry(emitted)) is not None:
                self._writer.record(entry)


class LedgerFirst:
    """An event sink before all others: what has the end of a run, a transcript or its reader, has all its rows."""

    takes_deltas = False

    def __init__(self, writer: LedgerWriter) -> None:
        self._writer = writer

    async def take(self, emitted: Emitted) -> None:
        if isinstance(emitted.event, AgentResult):
            await self._writer.caught_up()
