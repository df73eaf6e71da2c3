"""The progress of a batch on stderr: a bar on a terminal, a line from time to time elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Final

from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import FINAL, BatchStatus
from finclaw_cli.core.money import usd
from finclaw_cli.output.console import counted
from finclaw_cli.output.notice import notice
from finclaw_cli.output.pace import Report, duration

ON_TERMINAL_S: Final = 0.5
ELSEWHERE_S: Final = 10.0


class Progress:
    """Shows the state of a batch again and again, until the task is cancelled."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._began: tuple[float, int] | None = None
        """When it was looked at first, and how many items had ended by then."""

    async def show(self) -> None:
        """Show it; on a terminal the bar is removed in the end."""
        if sys.stderr.isatty():
            await self._show_bar()
            return
        while True:
            await asyncio.sleep(ELSEWHERE_S if self._began is not None else 0)
            report = await self._report()
            if report is not None and report.done:
                notice(f"finclaw: batch: {report.line()}")

    async def _show_bar(self) -> None:
        from finclaw_cli.output.progress_bar import ProgressBar

        bar = ProgressBar()
        try:
            while True:
                if (report := await self._report()) is not None:
                    bar.show(report)
                await asyncio.sleep(ON_TERMINAL_S)
        finally:
            bar.close()

    async def _report(self) -> Report | None:
        status = await self._batch.status()
        if status is None:
            return None
        done, now = ended(status), time.monotonic()
        if self._began is None:
            self._began = now, done
        began, before = self._began
        rate = (done - before) / (now - began) if now > began else 0.0
        figures = [f"{done:,} of {status.items:,}", f"{rate:,.1f}/s", spent(status)]
        if (waiting := self._batch.waiting) is not None and waiting.rounds:
            figures.append(
                f"{counted(waiting.rounds, 'round')}, {waiting.answered:,} of {waiting.questions:,} answered"
            )
        if rate:
            figures.append(f"{duration((status.items - done) / rate)} left")
        return Report(states(status) or "begins", done, status.items, ", ".join(figures))


def ended(status: BatchStatus) -> int:
    """How many items have ended."""
    return sum(status.states[state] for state in FINAL)


def states(status: BatchStatus) -> str:
    """`2 ok, 1 failed`: the states in which there are items."""
    return ", ".join(f"{count:,} {state}" for state, count in status.states.items() if count)


def spent(status: BatchStatus) -> str:
    """`1.20 USD spent`, with the number of items whose cost is unknown, where there are such."""
    unknown = f", the cost of {status.unpriced:,} unknown" if status.unpriced else ""
    return f"{usd(status.spent_usd)} spent{unknown}"


def summary(status: BatchStatus, left_out: int) -> str:
    """The last line of a batch."""
    lines = f"; {left_out:,} bad line{'s' if left_out > 1 else ''} left out" if left_out else ""
    again = "; the same command takes up what waits" if not status.is_finished else ""
    return f"finclaw: batch {status.id}: {states(status)}; {spent(status)}{lines}{again}"
