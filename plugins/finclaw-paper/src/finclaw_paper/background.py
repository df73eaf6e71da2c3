"""Blocking work in a thread, with a flag that is set when it is no longer waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")


async def in_background(work: Callable[[Event], Result]) -> Result:
    """Run `work` in a thread. A thread cannot be ended, so when the waiting is, the event given to it is set."""
    given_up = Event()
    try:
        return await asyncio.to_thread(work, given_up)
    except asyncio.CancelledError:
        given_up.set()
        raise
