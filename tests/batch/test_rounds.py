"""Rounds over the batch APIs of both providers: what is asked, what is paid, and how questions end."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.economy import Economy
from finclaw_cli.core import exits
from finclaw_cli.errors import UsageError
from finclaw_cli.testing.batch_answers import CACHED, INPUT, OUTPUT
from finclaw_cli.testing.batch_apis import BatchApis, Boundary, Ending
from tests.batch.paying_rounds import MODELS, QUICK, approve, interrupted, options_of, pay, run

HALF_USD = Decimal(INPUT + CACHED + OUTPUT) / 1000 / 2
"""Of one answer, at 1,000 USD for a million tokens."""


async def test_all_items_are_asked_in_one_round_for_each_turn(
    round_options: AgentOptions, apis: BatchApis, tmp_path: Path
):
    items = await run(["a", "pay 1", "b", "pay 2"], {**round_options, "tools": [pay], "approver": approve})
    assert [item.state for item in items] == ["ok"] * 4
    assert [item.result["text"] for item in items if item.result] == ["re: a", "re: pay 1", "re: b", "re: pay 2"]
    assert [len(batch.entries) for batch in apis.batches] == [4, 2]
    assert sorted((tmp_path / "home" / "paid").read_text().splitlines()) == ["pay 1", "pay 2"]


async def test_an_answer_costs_half_to_the_last_digit(round_options: AgentOptions):
    (item,) = await run(["a"], round_options)
    assert item.cost_usd == HALF_USD


@pytest.mark.parametrize("ending", ["expired", "errored", "missing"])
async def test_what_a_batch_does_not_answer_is_in_the_next_round(
    round_options: AgentOptions, apis: BatchApis, ending: Ending
):
    apis.endings["b"] = deque([ending])
    items = await run(["a", "b"], round_options)
    assert [item.state for item in items] == ["ok", "ok"]
    assert [item.cost_usd for item in items] == [HALF_USD, HALF_USD]
    assert [len(batch.entries) for batch in apis.batches] == [2, 1]


@pytest.mark.parametrize("ending", ["invalid", "cancelled"])
async def test_what_is_refused_fails_its_item_alone(round_options: AgentOptions, apis: BatchApis, ending: Ending):
    apis.endings["b"] = deque([ending])
    items = await run(["a", "b"], round_options)
    assert [item.state for item in items] == ["ok", "failed"]
    assert [item.cost_usd for item in items] == [HALF_USD, 0]
    assert len(apis.batches) == 1


@pytest.mark.parametrize("boundary", ["create:before", "create:after", "state", "list", "results", "results:half"])
async def test_a_connection_that_breaks_doubles_no_batch_and_loses_no_answer(
    round_options: AgentOptions, apis: BatchApis, boundary: Boundary
):
    apis.faults[boundary] = 2
    apis.faults["create:after"] = max(apis.faults["create:after"], boundary == "list")
    items = await run(["a", "b"], round_options)
    assert [item.state for item in items] == ["ok", "ok"]
    assert [len(batch.entries) for batch in apis.batches] == [2]


async def test_a_batch_goes_on_with_the_round_that_it_has_sent(round_options: AgentOptions, apis: BatchApis):
    await interrupted(["a", "b"], round_options, apis)
    items = await run(["a", "b"], round_options)
    assert [item.state for item in items] == ["ok", "ok"]
    assert [item.cost_usd for item in items] == [HALF_USD, HALF_USD]
    assert len(apis.batches) == 1


async def test_two_processes_share_the_items_and_ask_each_question_once(anthropic: AgentOptions, apis: BatchApis):
    prompts = [str(number) for number in range(20)]
    async with asyncio.TaskGroup() as group:
        both = [group.create_task(run(prompts, anthropic)) for _ in range(2)]
    assert [[item.state for item in task.result()] for task in both] == [["ok"] * 20] * 2
    asked = [custom_id.partition("-")[2] for custom_id in apis.answered.elements()]
    assert (len(asked), len(set(asked))) == (20, 20)


async def test_a_question_that_waits_is_not_asked_at_the_full_price_as_well(anthropic: AgentOptions, apis: BatchApis):
    batch = await interrupted(["a"], anthropic, apis)
    async with Batch(["a"], **anthropic) as again:
        with pytest.raises(UsageError, match="requests in rounds"):
            await again.run()
    assert batch.id == again.id
    assert not apis.at_once


async def test_what_has_expired_twice_is_asked_at_the_full_price(round_options: AgentOptions, apis: BatchApis):
    apis.endings["b"] = deque(["expired", "expired"])
    items = await run(["a", "b"], round_options, "fallback")
    assert [item.state for item in items] == ["ok", "ok"]
    assert [item.cost_usd for item in items] == [HALF_USD, 2 * HALF_USD]
    assert (len(apis.batches), len(apis.at_once)) == (2, 1)


async def test_without_fallback_what_expires_again_and_again_fails(anthropic: AgentOptions, apis: BatchApis):
    apis.endings["b"] = deque(["expired"] * 10)
    items = await run(["a", "b"], anthropic)
    assert [item.state for item in items] == ["ok", "failed"]
    assert not apis.at_once


async def test_the_limit_of_the_whole_batch_holds_over_rounds(anthropic: AgentOptions, apis: BatchApis):
    small: AgentOptions = {**anthropic, "max_output_tokens": 20, "system": "x", "max_cost": "1"}
    prompts = [str(number) for number in range(20)]
    async with Batch(prompts, economy="batch", **small) as batch:
        batch.round_times = replace(QUICK, longest_wait_s=0.2)
        status = await batch.run()
    assert batch.stop is not None
    assert batch.stop.exit_code == exits.BUDGET
    assert HALF_USD <= status.spent_usd <= 1
    assert (status.states["ok"] + status.states["waiting"], status.held_usd) == (20, 0)
    items = await run(prompts, {**small, "max_cost": "100"})
    assert [item.cost_usd for item in items] == [HALF_USD] * 20
    assert set(apis.answered.values()) == {1}


async def test_a_key_of_another_account_stops_the_batch(anthropic: AgentOptions, apis: BatchApis):
    await interrupted(["a"], anthropic, apis)
    made, apis.batches = apis.batches, []
    async with Batch(["a"], economy="batch", **anthropic) as batch:
        batch.round_times = QUICK
        status = await batch.run()
    assert batch.stop is not None
    assert "no such batch" in batch.stop.message
    assert status.states["waiting"] == 1
    apis.batches = made
    (item,) = await run(["a"], anthropic)
    assert item.state == "ok"


async def test_flex_asks_at_once_at_half_the_price(apis: BatchApis):
    for model in MODELS[1:]:
        (item,) = await run([model], options_of(model, apis.url), "flex")
        assert (item.state, item.cost_usd) == ("ok", HALF_USD)
    assert [body["service_tier"] for body in apis.at_once] == ["flex", "flex"]
    assert not apis.batches


@pytest.mark.parametrize(("model", "economy"), [("anthropic:m", "flex"), ("demo", "batch"), ("demo", "flex")])
async def test_a_tier_that_a_provider_does_not_have_is_an_error_before_the_first_request(
    apis: BatchApis, model: str, economy: Economy
):
    with pytest.raises(UsageError, match="no tier"):
        await run(["a"], {**options_of(model, apis.url), "no_plugins": False}, economy)
    assert (apis.at_once, apis.batches) == ([], [])


async def test_a_time_limit_that_no_round_can_keep_is_an_error(anthropic: AgentOptions, apis: BatchApis):
    with pytest.raises(UsageError, match="timeout"):
        await run(["a"], {**anthropic, "timeout": 60})
    assert not apis.batches
