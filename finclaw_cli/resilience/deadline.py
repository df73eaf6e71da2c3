"""Our own clocks: for a stream that stops moving, and for a run that must end."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self


class ProgressTimeout:
    """Raises `TimeoutError` in its block when nothing moved for too long.

    The first sign of life may take `first_s`, each further one `idle_s`. Time between `hold()` and `touch()` does not
    count: that is when we keep the other side waiting. A touch costs one reading of the clock; the timer re-arms
    itself only when it fires.
    """

    def __init__(self, *, first_s: float, idle_s: float) -> None:
        self._first_s = first_s
        self._idle_s = idle_s
        self._loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout(None)
        self._deadline = 0.0
        self._held = False
        self._timer: asyncio.TimerHandle | None = None

    def hold(self) -> None:
        self._held = True

    def touch(self) -> None:
        self._held = False
        self._deadline = self._loop.time() + self._idle_s

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._deadline = self._loop.time() + self._first_s
        self._timer = self._loop.call_at(self._deadline, self._check)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _check(self) -> None:
        now = self._loop.time()
        if self._held:
            self._timer = self._loop.call_at(now + self._idle_s, self._check)
        elif now < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._check)
        else:
            self._timeout.reschedule(now)
