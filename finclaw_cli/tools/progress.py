"""Progress that a tool reports, from whatever thread, as events of its run."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from math import isfinite

from finclaw_cli.core.events.internal import ToolProgress
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import Progress

MAX_WAITING = 16
MAX_MESSAGE_CHARS = 500


@asynccontextmanager
async def reported_progress(emit: Emit, *, turn: int, call_id: str, name: str) -> AsyncIterator[Progress]:
    """Give a `progress(message, fraction)` whose reports become events while the block lasts.

    A tool that reports faster than the events are taken loses its oldest reports, never its time.
    """
    loop = asyncio.get_running_loop()
    waiting: deque[tuple[str, float | None]] = deque(maxlen=MAX_WAITING)
    news = asyncio.Event()

    def report(message: str, fraction: float | None = None) -> None:
        waiting.append((str(message)[:MAX_MESSAGE_CHARS], _share(fraction)))
        loop.call_soon_threadsafe(news.set)

    async def emit_waiting() -> None:
        while waiting:
            message, fraction = waiting.popleft()
            await emit(
                ToolProgress(
                    turn=turn,
                    call_id=call_id,
                    name=name,
                    message=message,
                    fraction=fraction,
                )
            )

    async def pump() -> None:
        while True:
            await news.wait()
            news.clear()
            await emit_waiting()

    pumping = asyncio.create_task(pump())
    try:
        yield report
    finally:
        pumping.cancel()
        await asyncio.wait([pumping])
    await emit_waiting()


def _share(fraction: object) -> float | None:
    """A fraction within 0..1; None for what is no number."""
    if not isinstance(fraction, int | float | Decimal):
        return None
    try:
        share = float(fraction)
    except (ValueError, OverflowError):
        return None
    return min(max(share, 0.0), 1.0) if isfinite(share) else None
