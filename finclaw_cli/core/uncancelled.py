"""Work that a cancelled task finishes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")


async def uncancelled(work: Awaitable[Result]) -> Result:
    """Wait for some work to its end; a cancellation of the task meanwhile takes effect at what it awaits next."""
    doing, task = asyncio.ensure_future(work), asyncio.current_task()
    is_cancelled = False
    while not doing.done():
        try:
            await asyncio.shield(asyncio.wait([doing]))
        except asyncio.CancelledError:
            is_cancelled = True
            if task is not None:
                task.uncancel()
    if is_cancelled and task is not None:
        task.cancel()
    return doing.result()
