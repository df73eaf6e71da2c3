"""Connections without the token: few of them, for a short time, and they keep no client out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from finclaw_cli.serve.limits import Limits
from tests.agent.scripts import Scripts
from tests.serve.clients import Served, frames, serving

pytestmark = pytest.mark.asyncio
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def connected(served: Served, sent: bytes = b"") -> AsyncIterator[Streams]:
    """A connection on which so much was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.server.port)
    try:
        writer.write(sent)
        yield reader, writer
    finally:
        writer.close()


async def is_closed(streams: Streams) -> bool:
    """Wait until the server has closed a connection."""
    try:
        while await streams[0].read(65_536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("sent", [b"", b"GET /v1/runs HTTP/1.1\r\nHost: "], ids=["nothing", "a part of a head"])
async def test_idle_connections_without_a_token_keep_no_client_out(served: Served, script: Scripts, sent: bytes):
    async with AsyncExitStack() as stack:
        for _ in range(150):
            await stack.enter_async_context(connected(served, sent))
        run_id = await served.start(model=script({"text": "One."}))
        async with served.socket(f"/v1/runs/{run_id}/events") as socket:
            assert b'"agent.result"' in await frames(socket)


async def test_the_earliest_connection_without_a_token_makes_room(without_plugins: Path):
    limits = Limits(clients=0)
    async with serving(limits) as served, AsyncExitStack() as stack:
        first, *_ = [await stack.enter_async_context(connected(served)) for _ in range(limits.unknown_connections + 1)]
        assert await is_closed(first)


async def test_all_clients_may_connect_at_once(without_plugins: Path, script: Scripts):
    limits = Limits(clients=150)
    async with serving(limits) as served:
        run_id = await served.start(model=script({"text": "One."}))

        async def read() -> bytes:
            async with served.socket(f"/v1/runs/{run_id}/events") as socket:
                return await frames(socket)

        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(read()) for _ in range(limits.clients)]
        (read_by_all,) = {reader.result() for reader in readers}
        assert b'"agent.result"' in read_by_all


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET ", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\nGET "],
    ids=["nothing", "a part of a head", "a part of a second head"],
)
async def test_a_connection_without_a_token_is_closed_soon(without_plugins: Path, sent: bytes):
    async with serving(Limits(unknown_s=0.1)) as served, AsyncExitStack() as stack:
        head = sent.replace(b"PORT", str(served.server.port).encode())
        assert await is_closed(await stack.enter_async_context(connected(served, head)))


async def test_a_client_with_the_token_stays_connected(without_plugins: Path, script: Scripts):
    limits = Limits(unknown_s=0.1, clients=1)
    async with serving(limits) as served, AsyncExitStack() as stack:
        model = script({"text": "x" * 30, "delta_chars": 1, "delay_s": 0.01})
        run_id = await served.start(model=model)
        async with served.socket(f"/v1/runs/{run_id}/events") as socket:
            for _ in range(limits.unknown_connections + 1):
                await stack.enter_async_context(connected(served))
            assert b'"agent.result"' in await frames(socket)


async def test_more_clients_than_connections_are_refused(without_plugins: Path):
    limits = Limits(clients=0)
    async with serving(limits) as served, AsyncExitStack() as stack:
        head = f"GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1:{served.server.port}\r\nAuthorization: Bearer {served.token}"
        for _ in range(limits.connections):
            reader, _ = await stack.enter_async_context(connected(served, f"{head}\r\n\r\n".encode()))
            assert b" 200 " in await reader.readline()
        refused = await served.http.get("/v1/runs")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "too_many_connections")
