"""Signals: the first one ends the run cleanly, the second ends the process at once."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

from finclaw_cli.cli.leave import die_by
from finclaw_cli.core import exits
from finclaw_cli.runner.cancel import Cancellation, CancelScope

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung_up"}


class SignalReceived(KeyboardInterrupt):
    """A signal that came while there was no run yet to be cancelled."""

    def __init__(self, cancellation: Cancellation) -> None:
        super().__init__(cancellation.message)
        self.cancellation = cancellation


def cancellation_by(number: int) -> Cancellation:
    """Why a run ends that was sent this signal."""
    name = signal.Signals(number).name
    return Cancellation(
        status="aborted",
        exit_code=exits.SIGNAL_BASE + number,
        code=WORDS.get(name, "interrupted"),
        message=f"ended by {name}",
    )


class SignalHandling:
    """Handlers that stand from before plugins load until the process ends; also for signals to this process alone."""

    def __init__(self, scope: CancelScope) -> None:
        self._scope = scope
        self._loop: asyncio.AbstractEventLoop | None = None
        for number in ENDING:
            signal.signal(number, self._first)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on a signal cancels the scope instead of interrupting whatever runs."""
        self._loop = loop

    def _first(self, number: int, _frame: FrameType | None) -> None:
        for ending in ENDING:
            signal.signal(ending, self._second)
        cancellation = cancellation_by(number)
        if self._loop is None:
            raise SignalReceived(cancellation)
        self._loop.call_soon_threadsafe(self._scope.cancel, cancellation)

    @staticmethod
    def _second(number: int, _frame: FrameType | None) -> None:
        die_by(number)
