"""Time as the house sees it; tests pass a clock of their own."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time in UTC, a monotonic second hand, and a way to wait."""

    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
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


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.123Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
