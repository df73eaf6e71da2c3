"""A provider of a plugin with one fault for each name of a model."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import suppress

from finclaw_cli.sdk import Done, ProviderError, ProviderSpec, TextDelta, UsageReport, hookimpl


class SilentError(Exception):
    """An exception whose text cannot be read."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    __repr__ = __str__


class SlowError(Exception):
    """An exception whose text takes forever."""

    def __str__(self) -> str:
        time.sleep(600)
        return ""

    __repr__ = __str__


async def swallow() -> None:
    """Wait, and ignore each cancellation."""
    while True:
        with suppress(BaseException):
            await asyncio.sleep(600)


async def fill_threads() -> None:
    """Occupy every thread of the event loop's default executor."""
    loop = asyncio.get_running_loop()
    for _ in range(80):
        loop.run_in_executor(None, time.sleep, 600)


async def raise_beside() -> None:
    """Raise `SystemExit` in a callback of the event loop."""
    asyncio.get_running_loop().call_soon(sys.exit, 5)
    await asyncio.sleep(0.1)


async def block() -> None:
    """Block the event loop."""
    time.sleep(600)  # noqa: ASYNC251 - the point of it


WAYS = {"swallows": swallow, "fills": fill_threads, "raises-beside": raise_beside, "blocks": block}
SHORT = {
    "value": ValueError("no such thing"),
    "interrupt": KeyboardInterrupt(),
    "exit": SystemExit(5),
    "generator-exit": GeneratorExit(),
    "stop": StopIteration(3),
    "stop-async": StopAsyncIteration(),
    "cancel": asyncio.CancelledError(),
    "timeout": TimeoutError(),
    "memory": MemoryError(),
    "pipe": BrokenPipeError(),
    "group": BaseExceptionGroup("several", [KeyboardInterrupt(), ValueError("one")]),
    "silent": SilentError(),
    "slow": SlowError(),
    "wrong-reason": ProviderError("no", reason=["?"], retry_after_s="soon"),  # type: ignore[arg-type]
}
LONG = {
    "long": lambda: ValueError("A" * 50_000_000),
    "long-provider": lambda: ProviderError("A" * 50_000_000, reason="bad_request", hint="B" * 50_000_000),
}
ERRORS = (*SHORT, *LONG)


def failure(mode: str) -> BaseException:
    return LONG[mode]() if mode in LONG else SHORT[mode]


CHUNKS = {
    "object": object(),
    "text": "text",
    "none": None,
    "class": TextDelta,
    "no-text": TextDelta(text=None),  # type: ignore[arg-type]
    "no-reason": Done(stop_reason="whatever"),  # type: ignore[arg-type]
    "no-number": UsageReport(input="many"),  # type: ignore[arg-type]
}
STREAMS = {"no-stream": None, "list": [TextDelta("Hi")], "number": 3}
LARGE = {"large-delta": (60_000_000, 1), "large-answer": (4_000_000, 20), "large-flood": (100, 10**9)}


class Faulty:
    """A provider."""

    name = "acme"

    def stream(self, request):
        mode = request.model
        if mode == "coroutine":
            return asyncio.sleep(0)
        return STREAMS[mode] if mode in STREAMS else self.chunks(mode)

    async def chunks(self, mode: str):
        when, _, mode = mode.rpartition("/")
        if when != "first":
            yield TextDelta("half")
        try:
            if mode in WAYS:
                await WAYS[mode]()
            if mode in ERRORS:
                raise failure(mode)
            if mode in CHUNKS:
                yield CHUNKS[mode]
            size, times = LARGE.get(mode, (0, 0))
            for _ in range(times):
                yield TextDelta("x" * size)
            yield Done(stop_reason="end_turn")
        finally:
            if when == "last":
                await WAYS[mode]()

    async def aclose(self) -> None:
        pass


def create(config):
    if config.base_url and "127.0.0.1" in config.base_url:
        raise failure(config.base_url.rpartition("/")[2])
    return Faulty()


@hookimpl
def finclaw_providers():
    if os.environ.get("ACME_HOOK"):
        raise failure("exit")
    return [ProviderSpec(name="acme", create=create)]
