"""Tools that block the event loop, in ways of growing stubbornness."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import signal
import time
from contextlib import suppress

from finclaw_cli.sdk import hookimpl, tool


@tool(group="finance", read_only=True, timeout=1)
async def sleeps() -> str:
    """Sleep without awaiting."""
    time.sleep(600)  # noqa: ASYNC251 - the point of it
    return ""


@tool(group="finance", read_only=True, timeout=1)
async def spins() -> str:
    """Compute forever."""
    while True:
        pass


@tool(group="finance", read_only=True, timeout=1)
async def matches() -> str:
    """Match a pattern that backtracks forever."""
    re.match(r"(a+)+$", "a" * 64 + "b")
    return ""


@tool(group="finance", read_only=True, timeout=1)
async def stubborn() -> str:
    """Compute forever, and take each exception for one of its own."""
    while True:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001 - the point of it
            pass


@tool(group="finance", read_only=True, timeout=1)
async def immortal() -> str:
    """Block forever, and let nothing end that."""
    while True:
        with suppress(BaseException):
            time.sleep(600)  # noqa: ASYNC251 - the point of it


@tool(group="finance", read_only=True, timeout=1)
async def ignores() -> str:
    """Ignore the signals and sleep without awaiting."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)  # noqa: ASYNC251 - the point of it
    return ""


@tool(group="finance", read_only=True, timeout=1)
async def waits() -> str:
    """Wait for too long, as a tool should."""
    await asyncio.sleep(600)
    return ""


@tool(group="finance", read_only=True)
async def stops_the_clock() -> str:
    """Wait, with a clock that stands still, as tests have it."""
    now = time.monotonic()
    time.monotonic = lambda: now
    await asyncio.sleep(600)
    return ""


@tool(group="finance", read_only=True)
async def drops_timers() -> str:
    """Wait, in an event loop that has lost its timers."""
    loop = asyncio.get_running_loop()
    asyncio.create_task(asyncio.sleep(600))  # noqa: RUF006 - the loop has something to wait for
    loop._scheduled.clear()
    await asyncio.sleep(600)
    return ""


@tool(group="finance", read_only=True)
async def naps() -> str:
    """Sleep without awaiting, within its own time."""
    time.sleep(4)  # noqa: ASYNC251 - the point of it
    return "rested"


@tool(group="finance", read_only=True, timeout=1)
async def clings() -> str:
    """Ignore each cancellation, where the environment asks for it."""
    while "ACME_CLINGS" in os.environ:
        with suppress(BaseException):
            await asyncio.sleep(600)
    return "let go"


class SlowDict(dict[str, str]):
    def items(self):  # type: ignore[no-untyped-def]
        time.sleep(600)


class SlowError(Exception):
    def __str__(self) -> str:
        time.sleep(600)
        return ""


@tool(group="finance", read_only=True, timeout=1)
async def slow_result() -> dict[str, str]:
    """Return what sleeps when it is read."""
    return SlowDict(a="b")


@tool(group="finance", read_only=True, timeout=1)
async def slow_error() -> str:
    """Raise what sleeps when it is shown."""
    raise SlowError


@tool(group="finance", read_only=True, timeout=1)
async def derives() -> str:
    """Compute in C code, without the interpreter's lock."""
    return hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**9).hex()


@tool(group="finance", read_only=True, timeout=1)
async def cancels() -> str:
    """Cancel all tasks of the event loop."""
    for task in asyncio.all_tasks():
        task.cancel()
    return "cancelled"


@tool(group="finance", read_only=True, timeout=1)
def holds() -> int:
    """Hold the interpreter in C code, in a thread."""
    return sum(range(10**15))


@tool(group="finance", read_only=True, timeout=1)
def matches_beside() -> str:
    """Match a pattern that backtracks forever, in a thread."""
    re.match(r"(a+)+$", "a" * 64 + "b")
    return ""


@tool(group="finance", read_only=True, timeout=1)
async def stops() -> str:
    """Stop the event loop."""
    asyncio.get_running_loop().stop()
    return "stopped"


@hookimpl
def finclaw_tools():
    return [
        waits,
        stops_the_clock,
        drops_timers,
        naps,
        clings,
        slow_result,
        slow_error,
        derives,
        cancels,
        ignores,
        stops,
        sleeps,
        spins,
        matches,
        stubborn,
        immortal,
        holds,
        matches_beside,
    ]
