"""Time as the house sees it; tests pass a clock of their own."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol


class Clock(Protocol):
    """Wall time in UTC to the millisecond, a monotonic second hand, and a way to wait."""

    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own clock."""

    def __init__(self) -> None:
        self._now = datetime.fromtimestamp(0, UTC)
        self._now_ms = 0

    def now(self) -> datetime:
        # One object for all events of a millisecond: a stream has dozens of them, and none has to be made into text.
        now_ms = time.time_ns() // 1_000_000
        if now_ms != self._now_ms:
            self._now, self._now_ms = datetime.fromtimestamp(now_ms / 1000, UTC), now_ms
        return self._now

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        import asyncio  # which most commands do without

        await asyncio.sleep(seconds)


class StillClock:
    """Stands still, but for those who wait: for them their time has passed at once."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment
        self._waited = 0.0

    def now(self) -> datetime:
        return self._moment

    def monotonic(self) -> float:
        return self._waited

    async def sleep(self, seconds: float) -> None:
        self._waited += max(seconds, 0.0)


# The moment that was written last, and its text: an event is kept and shown with the same one.
_last: tuple[datetime | None, str] = None, ""


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.123Z`."""
    global _last  # noqa: PLW0603 - a value that can be made again
    of, text = _last
    if of is not moment:
        text = f"{_second(int(moment.timestamp()))}.{moment.microsecond // 1000:03}Z"
        _last = moment, text
    return text


@lru_cache(maxsize=16)
def _second(since_epoch: int) -> str:
    """The part of a timestamp that thousands of events of one second share."""
    return datetime.fromtimestamp(since_epoch, UTC).isoformat()[:19]
