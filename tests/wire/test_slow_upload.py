"""While a large question goes out, it is not the server that is silent."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from dataclasses import replace

import pytest

from finclaw_cli.core.deadline import ProgressTimeout
from finclaw_cli.core.messages import Message
from finclaw_cli.providers.anthropic.adapter import create
from finclaw_cli.providers.config import ProviderConfig
from tests.e2e.listeners import listening
from tests.wire.anthropic_events import begin, end, text
from tests.wire.openai_turns import QUESTION, ask, read
from tests.wire.server import anthropic_sse
from tests.wire.transports import Configure, TransportName

FIRST_S = 2.0
# More than any system keeps for a reader that is slow.
SIZE = 24_000_000
PAUSES = 12
"""Together they take twice as long as the server may be silent."""
LARGE = replace(QUESTION, messages=(Message("user", "x" * SIZE),))
EVENTS = anthropic_sse([begin(), *text(0, "Hi"), *end()])
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s" % (len(EVENTS), EVENTS)


def read_slowly(client: socket.socket) -> None:
    with client, contextlib.suppress(OSError):
        came, paused = 0, 0
        while came < SIZE:
            came += len(client.recv(1 << 16))
            if came > paused * SIZE / PAUSES:
                paused += 1
                time.sleep(2 * FIRST_S / PAUSES)
        client.sendall(ANSWER)


def read_nothing(client: socket.socket) -> None:
    with client, contextlib.suppress(OSError):
        client.recv(1 << 16)
        time.sleep(10 * FIRST_S)


async def answered(config: ProviderConfig) -> str:
    provider = create(config)
    try:
        await provider.ready()
        async with ProgressTimeout(first_s=FIRST_S, idle_s=FIRST_S):
            return read(await ask(provider, LARGE)).text
    finally:
        await provider.aclose()


async def test_a_server_that_reads_slowly_is_not_given_up(config: Configure) -> None:
    with listening(read_slowly) as port:
        assert await answered(config(base_url=f"http://127.0.0.1:{port}")) == "Hi"


@pytest.mark.parametrize("transport", ["direct", "sdk"])
async def test_neither_is_one_behind_a_proxy(transport: TransportName, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(read_slowly) as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        config = ProviderConfig(base_url="http://api.example.test", transport=transport)
        assert await answered(config) == "Hi"


async def test_a_server_that_reads_nothing_is(config: Configure) -> None:
    with listening(read_nothing) as port, pytest.raises(TimeoutError):
        await asyncio.wait_for(answered(config(base_url=f"http://127.0.0.1:{port}")), 9 * FIRST_S)
