"""Work that ends when its time is up, whether it wants to or not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

# How long work may take to clean up after it was cancelled, before nobody waits for it any more: enough for a program
# that gets SIGTERM and, two seconds later, SIGKILL.
GRACE_S = 3.0


class OutOfTime(Exception):
    """The work took too long."""


async def bounded(work: Awaitable[object], timeout_s: float) -> object:
    """Do the work in a task of its own, for at most so long.

    When time is up, or the caller is cancelled, the work is cancelled and given a moment to clean up; work that
    swallows its cancellation is then abandoned: it holds up neither the timeout nor the run.

    Raises:
        OutOfTime: the work took too long.
        Exception: whatever the work raises; `sys.exit` and a cancellation of its own making become RuntimeErrors.
    """
    task = asyncio.create_task(_without_exit(work))
    try:
        await asyncio.wait({task}, timeout=timeout_s)
        if not task.done():
            raise OutOfTime
        if task.cancelled():
            raise RuntimeError("the tool cancelled itself")
        return task.result()
    finally:
        if not task.done():
            await _end(task)


async def _without_exit(work: Awaitable[object]) -> object:
    try:
        return await work
    except SystemExit as error:  # in a task it would take the whole event loop along
        raise RuntimeError(f"the tool called sys.exit({error.code!r})") from None


async def _end(task: asyncio.Task[object]) -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=GRACE_S)
    # An abandoned task that fails later has nobody to tell; asking for its error keeps the loop from complaining.
    task.add_done_callback(lambda late: late.cancelled() or late.exception())
