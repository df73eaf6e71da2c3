"""Rate limits of a server, as batches keep them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from asyncio.subprocess import DEVNULL
from contextlib import closing
from pathlib import Path

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import BatchStatus
from tests.batch.limited_server import LimitedServer
from tests.batch.model_server import ModelServer

MODEL = "openai-chat:m"


def rows(home: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / "batch.sqlite")) as connection:
        return connection.execute(query).fetchall()


def limited(options: AgentOptions, per_minute: int, **more: object) -> AgentOptions:
    """The options with a limit of requests a minute."""
    return {**options, "models": {MODEL: {"requests_per_minute": per_minute}}, **more}  # type: ignore[typeddict-item]


async def run(prompts: list[str], options: AgentOptions, concurrency: int = 8) -> BatchStatus:
    async with Batch(prompts, concurrency=concurrency, **options) as batch:
        return await batch.run()


async def test_the_headers_of_answers_name_limits_for_all_processes(options: AgentOptions, tmp_path: Path):
    async with LimitedServer(limit=6_000, capacity=100) as server:
        status = await run(["a", "b", "c"], {**options, "base_url": server.url})
    assert status.states["ok"] == 3
    assert rows(tmp_path / "home", "SELECT most FROM levels WHERE kind = 'requests'") == [(6_000,)]


async def test_without_limits_nothing_is_counted(options: AgentOptions, tmp_path: Path):
    await run(["a", "b"], options)
    assert rows(tmp_path / "home", "SELECT * FROM levels") == []


async def test_no_item_fails_of_refusals_that_ask_for_time(options: AgentOptions, server: ModelServer):
    server.refusal_headers = "retry-after: 0.02\r\n"
    prompts = [f"status 429 {number}" for number in range(12)]
    server.refusals.update(dict.fromkeys(prompts, 1))
    status = await run(prompts, options)
    assert status.states["ok"] == 12


async def test_items_wait_in_the_queue_while_a_server_asks_for_long(options: AgentOptions, server: ModelServer):
    server.refusal_headers = "retry-after: 3600\r\n"
    prompts = [f"status 429 {number}" for number in range(12)]
    server.refusals.update(dict.fromkeys(prompts, 1))
    async with Batch(prompts, concurrency=4, **options) as batch:
        running = asyncio.create_task(batch.run())
        await server.arrived.wait()
        while (status := await batch.status()) is None or status.states["running"]:
            pass
        batch.interrupt()
        await running
    assert status.states["waiting"] == 12
    assert server.asked.total() <= 4


async def test_no_item_fails_of_a_server_that_is_overloaded(options: AgentOptions, server: ModelServer):
    prompts = [f"status 529 {number}" for number in range(12)]
    server.refusals.update(dict.fromkeys(prompts, 1))
    status = await run(prompts, options)
    assert status.states["ok"] == 12


async def test_a_small_batch_beside_a_large_one_gets_every_second_turn(options: AgentOptions, server: ModelServer):
    large = [f"large {number}" for number in range(1_000)]
    small = [f"small {number}" for number in range(10)]
    options = limited(options, 1_800)
    async with Batch(large, concurrency=20, **options) as batch:
        running = asyncio.create_task(batch.run())
        await server.arrived.wait()
        before = _of_large(server)
        status = await run(small, options)
        during = _of_large(server) - before
        batch.interrupt()
        await running
    assert status.states["ok"] == 10
    assert during <= 3 * 10


async def test_a_run_of_a_user_takes_its_turn_before_batches(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    async with Batch(["hold"], **limited(options, 600)) as batch:
        running = asyncio.create_task(batch.run())
        await server.arrived.wait()
        environment = {**os.environ, "FINCLAW_HOME": str(tmp_path / "home"), "OPENAI_API_KEY": "k"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "finclaw_cli", "run", "-m", MODEL, "--base-url", server.url, "--no-plugins", "hello",
            env=environment, cwd=tmp_path, stdout=DEVNULL, stdin=DEVNULL,
        )  # fmt: skip
        assert await process.wait() == 0
        server.released.set()
        await running
    assert rows(tmp_path / "home", "SELECT id FROM takers WHERE rank = 0") == [("interactive",)]


def _of_large(server: ModelServer) -> int:
    return sum(count for prompt, count in server.asked.items() if prompt.startswith("large"))
