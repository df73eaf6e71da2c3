"""Cancellation of the runs that a task of the caller's waits for."""

from __future__ import annotations

import asyncio

from finclaw_cli.engine.cancel import CancelScope


class CallerScope(CancelScope):
    """A scope that is cancelled as soon as the task that waits for its work is; the work itself, some steps later."""

    def __init__(self) -> None:
        super().__init__()
        self._caller: asyncio.Task[object] | None = None
        self._before = 0

    def renew(self) -> None:
        """Let the scope hold further work, which the current task waits for."""
        super().renew()
        self._caller = asyncio.current_task()
        self._before = self._caller.cancelling() if self._caller is not None else 0

    @property
    def is_cancelled(self) -> bool:
        caller = self._caller
        return super().is_cancelled or (caller is not None and caller.cancelling() > self._before)
