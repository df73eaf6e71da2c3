"""The close of a plugin's provider at the end of its connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest

from finclaw_cli.core.chunks import Done, StreamChunk
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine import plugin_provider
from finclaw_cli.engine.plugin_provider import PluginOrigin, PluginProvider


class Closing:
    """A provider of a plugin that is closed, and does nothing else."""

    name = "acme"

    def __init__(self, close: Callable[[], Awaitable[None]]) -> None:
        self._close = close

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        yield Done(stop_reason="end_turn")

    async def aclose(self) -> None:
        await self._close()


def provider(close: Callable[[], Awaitable[None]]) -> PluginProvider:
    return PluginProvider(Closing(close), PluginOrigin(provider="acme", dist="acme-provider"), 10)


async def test_the_provider_is_closed() -> None:
    closed = asyncio.Event()

    async def close() -> None:
        closed.set()

    await provider(close).aclose()
    assert closed.is_set()


@pytest.mark.parametrize("error", [ValueError("no"), UsageError("no"), KeyboardInterrupt(), asyncio.CancelledError()])
async def test_a_close_that_fails_is_left_alone(error: BaseException) -> None:
    begun = asyncio.Event()

    async def close() -> None:
        begun.set()
        raise error

    await provider(close).aclose()
    assert begun.is_set()


async def test_a_close_that_does_not_end_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_provider, "CLOSING_S", 0.05)
    cancelled = asyncio.Event()

    async def close() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    await provider(close).aclose()
    assert cancelled.is_set()
