"""Our own clocks: for a stream that stops moving, and for a run that must end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

_CURRENT: ContextVar[ProgressTimeout | None] = ContextVar("progress_timeout", default=None)


def request_sent() -> None:
    """Restart the clock of the block under way: a part of the request went out, and the server has to get it first."""
    if (clock := _CURRENT.get()) is not None:
        clock.restart()


@contextmanager
def clock_held() -> Iterator[None]:
    """Stop the clock of the block under way: what is waited for here takes its own time."""
    clock = _CURRENT.get()
    if clock is not None:
        clock.hold()
    try:
        yield
    finally:
        if clock is not None:
            clock.touch()


class ProgressTimeout:
    """Raises `TimeoutError` in its block when nothing moved for too long.

    The first sign of life may take `first_s` from the last byte of the request on, each further one `idle_s`. Time
    between `hold()` and `touch()` does not count: that is when we keep the other side waiting. A touch costs one
    reading of the clock; the timer re-arms itself only when it fires.
    """

    def __init__(self, *, first_s: float, idle_s: float) -> None:
        self._first_s = first_s
        self._idle_s = idle_s
        self._loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout(None)
        self._deadline = 0.0
        self._held = False
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._outer: Token[ProgressTimeout | None] | None = None

    def restart(self) -> None:
        """Count from now on, as at the beginning."""
        self._deadline = self._loop.time() + self._first_s

    def hold(self) -> None:
        self._held = True

    def touch(self) -> None:
        self._held = False
        self._deadline = self._loop.time() + self._idle_s
        if self._deadline < self._due:  # the first word was given more time than the next one
            self._arm(self._deadline)

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._outer = _CURRENT.set(self)
        self._deadline = self._loop.time() + self._first_s
        self._arm(self._deadline)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._outer is not None:
            _CURRENT.reset(self._outer)
        await self._timeout.__aexit__(kind, error, trace)

    def _check(self) -> None:
        now = self._loop.time()
        if self._held:
            self._arm(now + self._idle_s)
        elif now < self._deadline:
            self._arm(self._deadline)
        else:
            self._timeout.reschedule(now)

    def _arm(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = self._loop.call_at(due, self._check)
