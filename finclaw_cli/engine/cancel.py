"""Ending a run from outside: a signal, a deadline, a reader that went away."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Literal, TypeVar

from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.record import record

Result = TypeVar("Result")


@record(kw_only=True)
class Cancellation:
    """Why a run is ended, and its exit code."""

    status: Literal["aborted", "timeout", "error"]
    exit_code: int
    code: str
    message: str


SIGNALS = {"interrupted": 2, "terminated": 15, "hung_up": 1}
"""The signals that end a run, by the codes of their cancellations."""


def cancellation_by(number: int) -> Cancellation:
    """The cancellation of a run by this signal."""
    code = next((code for code, each in SIGNALS.items() if each == number), "interrupted")
    name = signal.Signals(number).name
    return Cancellation(status="aborted", exit_code=exits.SIGNAL_BASE + number, code=code, message=f"ended by {name}")


class RunCancelled(FinclawError):
    """The run was ended from outside."""

    def __init__(self, cancellation: Cancellation) -> None:
        super().__init__(cancellation.message, code=cancellation.code)
        self.exit_code = cancellation.exit_code
        self.status = cancellation.status


CANCELLED_BY_OTHERS = Cancellation(
    status="error",
    exit_code=exits.UNEXPECTED,
    code="cancelled",
    message="the task of the run was cancelled, and not by finclaw: a tool or a hook of a plugin does that",
)


async def take_back_cancellation() -> None:
    """Take back a cancellation of the current task, also one that was asked for and not delivered yet."""
    task = asyncio.current_task()
    if task is None or not task.cancelling():
        return
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(0)
    while task.cancelling():
        task.uncancel()


class CancelScope:
    """Holds the work of a run and can end it, once, for one reason; safe to cancel before there is any work."""

    def __init__(self) -> None:
        self._reason: Cancellation | None = None
        self._task: asyncio.Task[object] | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether the work is to end."""
        return self._reason is not None

    def cancel(self, reason: Cancellation) -> None:
        """End the work; the first reason given stays."""
        if self._reason is not None:
            return
        self._reason = reason
        if self._task is not None:
            self._task.cancel()

    def renew(self) -> None:
        """Let the scope hold further work, after it was cancelled."""
        self._reason = None

    async def run(
        self, work: Coroutine[Any, Any, Result], *, limit: tuple[float, Cancellation] | None = None
    ) -> Result:
        """Do the work under this scope.

        Args:
            work: what can be ended.
            limit: after how many seconds the scope is cancelled, and for what reason.

        Raises:
            RunCancelled: the scope was cancelled, before or during the work.
        """
        if self._reason is not None:
            work.close()
            raise RunCancelled(self._reason)
        task = asyncio.ensure_future(work)
        self._task = task
        timer = asyncio.get_running_loop().call_later(limit[0], self.cancel, limit[1]) if limit else None
        try:
            return await task
        except asyncio.CancelledError:
            if self._reason is None:
                raise
            raise RunCancelled(self._reason) from None
        finally:
            self._task = None
            if timer is not None:
                timer.cancel()
