"""A batch: each prompt is a run, made once, whose end survives its process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.lines import BadLines
from finclaw_cli.batch.queue import BatchItem
from finclaw_cli.core import exits
from finclaw_cli.errors import UsageError
from tests.batch.model_server import ModelServer


async def all_of(batch: Batch, *, ordered: bool = False) -> list[BatchItem]:
    async with batch:
        return [item async for item in batch.results(ordered=ordered)]


def text(item: BatchItem) -> object:
    assert item.result is not None
    return item.result["text"]


async def test_each_prompt_is_a_run_in_a_session_of_its_own(options: AgentOptions, tmp_path: Path):
    items = await all_of(Batch(["a", "b"], **options), ordered=True)
    assert [(item.line, item.state, text(item), item.attempts) for item in items] == [
        (1, "ok", "re: a", 1),
        (2, "ok", "re: b", 1),
    ]
    for item in items:
        assert (tmp_path / "home" / "sessions" / f"{item.session}.jsonl").exists()


async def test_an_item_costs_what_its_requests_cost(options: AgentOptions):
    (item,) = await all_of(Batch(["a"], **options))
    assert item.result is not None
    assert str(item.cost_usd) == item.result["cost_usd"] == "0.11"


async def test_made_again_a_batch_has_its_results_and_runs_nothing(options: AgentOptions, server: ModelServer):
    first = await all_of(Batch(["a", "b"], **options), ordered=True)
    assert await all_of(Batch(["b", "a"], **options), ordered=True) == first
    assert server.asked == {"a": 1, "b": 1}


async def test_no_more_requests_are_under_way_than_allowed(options: AgentOptions, server: ModelServer):
    batch = Batch([f"hold {number}" for number in range(12)], concurrency=3, **options)
    async with asyncio.TaskGroup() as group:
        group.create_task(all_of(batch))
        await server.until_under_way(3)
        server.released.set()
    assert server.most_under_way == 3


async def test_an_item_has_options_of_its_own(options: AgentOptions):
    prompt = {"id": "x", "prompt": "a", "schema": {"type": "object"}}
    (item,) = await all_of(Batch([prompt], **options))
    assert (item.name, item.state, item.exit_code) == ("x", "failed", exits.INVALID_ANSWER)


async def test_items_of_one_session_continue_it_in_the_order_of_their_lines(options: AgentOptions, tmp_path: Path):
    await all_of(Batch([{"prompt": "a", "session": "s"}, {"prompt": "b", "session": "s"}], **options))
    lines = (tmp_path / "home" / "sessions" / "s.jsonl").read_text().splitlines()
    messages = [data["data"]["content"] for line in lines if (data := json.loads(line))["type"] == "message"]
    assert messages[0] == "a"
    assert messages[2] == "b"


async def test_an_interrupted_item_is_taken_up_by_the_same_batch(options: AgentOptions, server: ModelServer):
    async with Batch(["hold"], **options) as batch:
        running = asyncio.create_task(batch.run())
        await server.arrived.wait()
        batch.interrupt()
        assert (await running).states["waiting"] == 1
    server.released.set()
    (item,) = await all_of(Batch(["hold"], **options))
    assert (item.state, item.attempts, text(item)) == ("ok", 2, "re: hold")


async def test_closing_the_results_ends_what_is_under_way(options: AgentOptions, server: ModelServer):
    async with Batch(["a", "hold"], **options) as batch:
        results: AsyncGenerator[BatchItem, None] = batch.results()
        async with aclosing(results):
            assert (await anext(results)).line == 1
        status = await batch.status()
    assert status is not None
    assert (status.states["ok"], status.states["waiting"]) == (1, 1)


async def test_two_batches_at_once_share_the_items(options: AgentOptions, server: ModelServer):
    prompts = [str(number) for number in range(20)]
    server.delay_s = 0.005
    found = await asyncio.gather(  # noqa: TID251 - both have to end
        all_of(Batch(prompts, concurrency=2, **options)), all_of(Batch(prompts, concurrency=2, **options))
    )
    assert [len(items) for items in found] == [20, 20]
    assert set(server.asked.values()) == {1}


async def test_a_failed_item_names_its_error(options: AgentOptions, server: ModelServer):
    server.refusals["status 400"] = 1
    (item,) = await all_of(Batch(["status 400"], **options))
    assert (item.state, item.exit_code) == ("failed", exits.PROVIDER)


async def test_a_refused_key_stops_the_batch_and_its_items_wait(options: AgentOptions, server: ModelServer):
    server.refusals["status 401"] = 1
    async with Batch(["status 401", *map(str, range(20))], concurrency=1, **options) as batch:
        status = await batch.run()
    assert batch.stop is not None
    assert (batch.stop.exit_code, status.states["waiting"]) == (exits.CREDENTIALS, 21)


async def test_bad_lines_are_named_before_anything_runs(options: AgentOptions, server: ModelServer):
    lines = [b'{"prompt":"a"}', b"{", b'{"prompt":"b","x":1}']
    with pytest.raises(BadLines, match=r"(?s)line 2: .*line 3: unknown key 'x'"):
        Batch(lines, **options)
    batch = Batch(lines, skip_bad_lines=True, **options)
    assert [bad.line for bad in batch.bad_lines] == [2, 3]
    assert len(await all_of(batch)) == 1


@pytest.mark.parametrize("wrong", [{"session": "s"}, {"concurrency": 0}, {"max_cost": "-1"}, {"save": False}])
def test_wrong_options_are_refused(options: AgentOptions, wrong: dict[str, object]):
    with pytest.raises(UsageError):
        Batch(["a"], **{**options, **wrong})  # type: ignore[arg-type]


def test_a_batch_without_prompts_is_refused(options: AgentOptions):
    with pytest.raises(UsageError, match="no items"):
        Batch([], **options)


async def test_a_tool_that_is_unknown_is_an_error_before_anything_runs(options: AgentOptions):
    with pytest.raises(UsageError):
        await all_of(Batch(["a", {"prompt": "b", "tools": ["no_such_tool"]}], **options))


async def test_more_requests_than_a_single_run_would_make_are_under_way(options: AgentOptions, server: ModelServer):
    async with Batch([f"hold {number}" for number in range(40)], concurrency=40, **options) as batch:
        running = asyncio.create_task(batch.run())
        await server.until_under_way(40)
        server.released.set()
        assert (await running).states["ok"] == 40
