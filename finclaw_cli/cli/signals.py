"""Signals: the first one ends the run cleanly, the second ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

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


def leave(code: int) -> NoReturn:
    """End the process with this code, by the signal itself where the code stands for one; skip the tear-down."""
    code = _flushed(code)
    number = code - exits.SIGNAL_BASE
    if number in {*ENDING, signal.SIGPIPE}:
        die_by(number)
    os._exit(code)


def _flushed(code: int) -> int:
    """Flush both streams; a success whose last words could not be written is none."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    if sys.stdout is None:
        return code  # closed from the start, which was reported
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or exits.PIPE_CLOSED
    except OSError:
        return code or exits.UNEXPECTED
    return code


def die_by(number: int) -> NoReturn:
    """Let the signal do what it does by default, so that shells see why we ended."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(exits.SIGNAL_BASE + number)
