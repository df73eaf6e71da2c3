"""What a worker does with batches, in the process of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Unpack

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.queue import BatchStatus
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import PostgresDatabase
from finclaw_cli.cluster.process import WorkerProcess
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.schema import VERSION
from finclaw_cli.cluster.submitted import SubmittedBatch
from finclaw_cli.cluster.transcripts import ClusterTranscripts
from finclaw_cli.core import exits
from finclaw_cli.sdk import tool
from tests.batch.model_server import ModelServer
from tests.batch.queues import new_items
from tests.cluster.postgres import PostgresServer

MODEL = "openai-chat:m"


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FINCLAW_HOME", str(tmp_path / "worker"))
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.fixture
async def queue(address: DatabaseAddress) -> AsyncIterator[PostgresQueue]:
    made = PostgresQueue(address)
    yield made
    await made.aclose()


@asynccontextmanager
async def working(
    address: DatabaseAddress, url: str, notice: Callable[[str], None] = print, **own: Unpack[AgentOptions]
) -> AsyncIterator[None]:
    prices = {MODEL: {"input_usd": "1", "output_usd": "1"}}
    options: Any = {"base_url": url, "tools": ["none"], "no_plugins": True, "models": prices, **own}
    process = WorkerProcess(address, 4, notice, **options)
    task = asyncio.create_task(process.run())
    try:
        yield
    finally:
        process.stop()
        await task


def submitted(queue: PostgresQueue, home: Path, *prompts: Any, **options: Any) -> SubmittedBatch:
    return SubmittedBatch(queue, prompts, home=home, **{"model": MODEL, **options})


async def test_items_of_one_session_are_one_conversation(
    queue: PostgresQueue, address: DatabaseAddress, server: ModelServer, home: Path
) -> None:
    lines = [{"prompt": "one", "session": "s"}, {"prompt": "two", "session": "s"}]
    async with working(address, server.url):
        status = await submitted(queue, home, *lines).run()
    assert status.states["ok"] == 2
    transcripts = ClusterTranscripts(PostgresDatabase(address), "none", home)
    kept = await transcripts.content(status.id, "s")
    await transcripts.aclose()
    assert kept.count(b'"type":"agent.result"') == 2
    assert kept.count(b'"type":"session"') == 1


async def test_a_batch_without_money_is_stopped_and_goes_on_with_more(
    queue: PostgresQueue, address: DatabaseAddress, server: ModelServer, home: Path
) -> None:
    async with working(address, server.url):
        poor = submitted(queue, home, "a", max_cost="0.0000001")
        status: BatchStatus = await poor.run()
        assert status.states["waiting"] == 1
        assert poor.stop is not None
        assert poor.stop.exit_code == exits.BUDGET
        assert (await submitted(queue, home, "a", max_cost="1").run()).states["ok"] == 1


async def test_what_a_worker_lacks_is_named_and_another_one_runs_it(
    queue: PostgresQueue, address: DatabaseAddress, server: ModelServer, home: Path
) -> None:
    named: asyncio.Queue[str] = asyncio.Queue()
    batch = submitted(queue, home, "a", notice=named.put_nowait)
    async with working(address, server.url, tools=["no-such-tool"]):
        running = asyncio.create_task(batch.run())
        while "no-such-tool" not in await named.get():
            pass
    async with working(address, server.url):
        assert (await running).states["ok"] == 1


async def test_without_a_rule_a_call_that_needs_an_approval_is_denied(
    queue: PostgresQueue, address: DatabaseAddress, server: ModelServer, home: Path
) -> None:
    @tool(transactional=True)
    def pay(order: str) -> str:
        """Pay."""
        raise AssertionError("it was not approved")

    async with working(address, server.url, tools=[pay]):
        assert (await submitted(queue, home, "pay 1").run()).states["denied"] == 1


async def test_batches_of_another_version_are_counted_and_left_alone(
    queue: PostgresQueue, postgres: PostgresServer, address: DatabaseAddress, server: ModelServer
) -> None:
    await queue.submit_to_workers("b", new_items(2), None, {})
    with closing(postgres.connected("finclaw")) as made:
        made.execute("UPDATE finclaw.batches SET version = %s", (VERSION + 1,))
    log: asyncio.Queue[str] = asyncio.Queue()
    async with working(address, server.url, log.put_nowait):
        while "items wait" not in (line := await log.get()):
            pass
    assert line == f"2 items wait for workers of version {VERSION + 1}; this one runs others"
    assert not server.asked
