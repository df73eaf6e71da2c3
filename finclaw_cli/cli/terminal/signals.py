"""Signals: the first one ends the run cleanly, the second ends the process at once; at a prompt they are exceptions."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from types import FrameType
from typing import BinaryIO

from finclaw_cli.cli.early import pending
from finclaw_cli.cli.leave import die_by, leave_stuck
from finclaw_cli.core import exits
from finclaw_cli.core.interruption import Interruption
from finclaw_cli.engine.cancel import Cancellation, CancelScope, cancellation_by

AGAIN_S = 1.0
ATTEMPTS = 4
"""How often a preparation that continues is interrupted before the process is ended."""
LAST_RESORT_S = 20.0
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Handler = Callable[[int, FrameType | None], None]
_handlers: list[Handler] = []


class SignalReceived(Interruption, KeyboardInterrupt):
    """A signal that came before there was a run to cancel."""

    def __init__(self, cancellation: Cancellation) -> None:
        super().__init__(cancellation.message)
        self.cancellation = cancellation


class PreparationDeadline:
    """Ends a preparation that takes too long: a stdin that never ends, a plugin's hook that blocks."""

    _nowhere: BinaryIO | None = None

    def begin(self, seconds: float) -> None:
        """Start the timer; when it expires, `SignalReceived` is raised in the preparation."""
        over = Cancellation(
            status="timeout", exit_code=exits.TIMEOUT, code="timeout", message=f"the run took longer than {seconds:g} s"
        )

        rung = 0

        def ring(_number: int, _frame: FrameType | None) -> None:
            nonlocal rung
            rung += 1
            if rung > ATTEMPTS:
                leave_stuck()
            raise SignalReceived(over)

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
        # For code in C that blocks the interpreter: a thread in C ends the process, with exit code 1.
        self._nowhere = open(os.devnull, "wb")  # noqa: PTH123, SIM115 - closed in `__exit__`
        faulthandler.dump_traceback_later(seconds + LAST_RESORT_S, exit=True, file=self._nowhere)

    def __enter__(self) -> None:
        """The timer does not run before `begin`."""

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._nowhere is not None:
            faulthandler.cancel_dump_traceback_later()
            self._nowhere.close()


class StopScope(CancelScope):
    """Stops many runs, where a signal would cancel one."""

    def __init__(self, stop: Callable[[Cancellation], None]) -> None:
        super().__init__()
        self._stop = stop

    def cancel(self, reason: Cancellation) -> None:
        self._stop(reason)


class SignalHandling:
    """Signal handlers, installed from before plugins load until the process ends."""

    def __init__(self, scope: CancelScope) -> None:
        self._scope = scope
        self._loop: asyncio.AbstractEventLoop | None = None
        self._met: Cancellation | None = None
        handle(self._second if pending else self._first)

    @staticmethod
    def early() -> Cancellation | None:
        """The cancellation by a signal that came while modules were imported, if any."""
        return cancellation_by(pending[0]) if pending else None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make signals cancel the scope instead of interrupting the running code."""
        self._loop = loop

    def renew(self) -> None:
        """Forget the signals so far: the next one is a first one again."""
        self._met = None
        handle(self._first)

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Raise `SignalReceived`, once, on a signal, and on an earlier one that is still pending."""
        try:
            handle(self._raise)
            met, self._met = self._met, None
            if met is not None:
                raise SignalReceived(met)
            yield
        finally:
            handle(self._first)

    def _raise(self, number: int, _frame: FrameType | None) -> None:
        handle(self._first)
        raise SignalReceived(cancellation_by(number))

    def _first(self, number: int, _frame: FrameType | None) -> None:
        handle(self._second)
        self._met = cancellation_by(number)
        if self._loop is None:
            raise SignalReceived(self._met)
        self._loop.call_soon_threadsafe(self._scope.cancel, self._met)

    @staticmethod
    def _second(number: int, _frame: FrameType | None) -> None:
        die_by(number)


def handle(handler: Handler) -> None:
    """Set the handler of every signal that ends a run."""
    _handlers[:] = [handler]
    keep_handlers()


def keep_handlers() -> None:
    """Set the handlers again, as a tool may have set its own or ignored the signals."""
    for number, handler in product(ENDING, _handlers):
        signal.signal(number, handler)
    blocked = sys.modules.get("finclaw_cli.tools.blocked")  # None: no tool has run
    if blocked is not None:
        blocked.let_a_second_signal_end_the_process()
