"""What the transcript of an item decides, where the queue does not know how its run ended."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from finclaw_cli import Agent
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import BatchItem
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from tests.batch.kills import pay
from tests.batch.model_server import ModelServer


async def run(prompts: list[object], options: AgentOptions) -> list[BatchItem]:
    async with Batch(prompts, **options) as batch:  # type: ignore[arg-type]
        return [item async for item in batch.results(ordered=True)]


async def again(batch: str, home: Path, *states: str) -> None:
    queue = SqliteQueue(home)
    await queue.retry(batch, states)  # type: ignore[arg-type]
    await queue.aclose()


def lose_queue(home: Path) -> None:
    """Remove the queue, as if the power had failed before it was on the disk."""
    for path in home.glob("batch.sqlite*"):
        path.unlink()


async def test_an_answer_in_the_transcript_is_taken_over(options: AgentOptions, server: ModelServer, tmp_path: Path):
    (first,) = await run(["a"], options)
    lose_queue(tmp_path / "home")
    (item,) = await run(["a"], options)
    assert (item.state, item.result) == ("ok", first.result)
    assert server.asked["a"] == 1


async def test_a_question_without_an_answer_goes_on(options: AgentOptions, server: ModelServer, tmp_path: Path):
    async with Batch(["hold"], **options) as batch:
        running = asyncio.create_task(batch.run())
        await server.until_under_way(1)
        batch.interrupt()
        await running
    lose_queue(tmp_path / "home")
    server.released.set()
    (item,) = await run(["hold"], options)
    assert (item.state, item.session) == ("ok", f"batch-{batch.id}-1")


async def test_an_answered_item_that_is_tried_again_is_asked_in_a_new_session(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    prompts: list[object] = [{"prompt": "a", "schema": "price:number"}]
    (first,) = await run(prompts, options)
    batch = Batch(prompts, **options)  # type: ignore[arg-type]
    await batch.aclose()
    await again(batch.id, tmp_path / "home", "failed")
    asked = server.asked.total()
    (item,) = await run(prompts, options)
    assert (first.state, item.state, item.attempts) == ("failed", "failed", 2)
    assert item.session == f"{first.session}.2"
    assert server.asked.total() == 2 * asked


async def test_an_answer_that_is_not_as_it_has_to_be_is_taken_over(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    prompts: list[object] = [{"prompt": "a", "schema": "price:number"}]
    (first,) = await run(prompts, options)
    asked = server.asked.total()
    lose_queue(tmp_path / "home")
    (item,) = await run(prompts, options)
    assert (item.exit_code, server.asked.total()) == (first.exit_code, asked)


async def test_an_item_that_failed_without_an_answer_goes_on_in_its_session(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    server.refusals["status 400"] = 1
    async with Batch(["status 400"], **options) as batch:
        await batch.run()
    await again(batch.id, tmp_path / "home", "failed")
    (item,) = await run(["status 400"], options)
    assert (item.state, item.session, item.attempts) == ("ok", f"batch-{batch.id}-1", 2)


async def test_a_denied_call_makes_its_item_denied(options: AgentOptions, tmp_path: Path):
    (item,) = await run(["pay 1"], {**options, "tools": [pay]})
    assert item.state == "denied"
    assert not (tmp_path / "home" / "paid").exists()


async def test_an_item_whose_session_went_on_without_an_answer_is_failed(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    prompts: list[object] = [{"prompt": "hold", "session": "s"}]
    async with Batch(prompts, **options) as batch:  # type: ignore[arg-type]
        running = asyncio.create_task(batch.run())
        await server.until_under_way(1)
        batch.interrupt()
        await running
    server.released.set()
    async with Agent(session="s", home=tmp_path / "home", **options) as agent:
        await agent.run("something else")
    (item,) = await run(prompts, options)
    assert item.state == "failed"
    assert "went on with other questions" in (item.reason or "")


async def test_an_item_waits_for_a_session_that_is_in_use(options: AgentOptions, server: ModelServer, tmp_path: Path):
    prompts: list[object] = [{"prompt": "a", "session": "s"}]
    async with Agent(session="s", home=tmp_path / "home", **options) as agent, asyncio.TaskGroup() as group:
        running = group.create_task(run(prompts, options))
        await agent.run("b")
        assert server.asked["a"] == 0
        await agent.aclose()
        (item,) = await running
    assert item.state == "ok"


async def test_what_a_killed_process_had_reserved_is_settled_by_the_transcript(
    options: AgentOptions, server: ModelServer, tmp_path: Path
):
    (first,) = await run(["a"], {**options, "max_cost": "100"})
    _die_before_settling(tmp_path / "home", first)
    async with Batch(["a"], **{**options, "max_cost": "100"}) as batch:
        status = await batch.run()
    assert first.cost_usd is not None
    assert status.spent_usd == first.cost_usd * server.asked["a"]


def _die_before_settling(home: Path, item: BatchItem) -> None:
    """Leave the files as a process does that was killed when its request had ended."""
    transcript = home / "sessions" / f"{item.session}.jsonl"
    lines = transcript.read_bytes().splitlines(keepends=True)
    spent_at = next(at for at, line in enumerate(lines) if b'"budget.spent"' in line)
    transcript.write_bytes(b"".join(lines[: spent_at + 1]))
    held = 40 * 10**12
    with closing(sqlite3.connect(home / "batch.sqlite")) as connection, connection:
        connection.execute("INSERT INTO workers VALUES ('gone', 'elsewhere', 0)")
        connection.execute("UPDATE items SET state = 'running', worker = 'gone', cost = 0, held = ?", (held,))
        connection.execute("UPDATE items SET place = NULL, result = NULL, exit_code = NULL, has_begun = 1")
        connection.execute("UPDATE batches SET spent = 0, held = ?", (held,))
