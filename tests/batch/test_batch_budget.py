"""The money of a batch: what is spent is never above its limit, whatever is under way."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import BatchStatus
from finclaw_cli.core import exits
from finclaw_cli.errors import UsageError
from tests.batch.model_server import ModelServer

PROMPTS = [str(number) for number in range(40)]
SMALL = {"max_output_tokens": 20, "system": "x"}


async def run(options: AgentOptions, **more: object) -> tuple[BatchStatus, Batch]:
    async with Batch(PROMPTS, concurrency=8, **{**options, **SMALL, **more}) as batch:  # type: ignore[arg-type]
        return await batch.run(), batch


async def test_a_batch_ends_before_its_limit_is_broken_and_goes_on_with_a_higher_one(
    options: AgentOptions, server: ModelServer
):
    status, batch = await run(options, max_cost="3")
    assert batch.stop is not None
    assert batch.stop.exit_code == exits.BUDGET
    assert 0 < status.spent_usd <= Decimal(3)
    assert (status.states["ok"] + status.states["waiting"], status.held_usd) == (40, 0)
    status, batch = await run(options, max_cost="100")
    assert (status.states["ok"], batch.stop) == (40, None)
    assert status.spent_usd == Decimal("0.11") * 40
    assert set(server.asked.values()) == {1}


async def test_the_budgets_of_the_settings_hold_as_well(options: AgentOptions):
    status, batch = await run(options, max_cost="100", budget={"daily": "3"})
    assert batch.stop is not None
    assert batch.stop.exit_code == exits.BUDGET
    assert 0 < status.spent_usd <= Decimal(3)
    assert status.held_usd == 0


async def test_a_limit_needs_a_price(options: AgentOptions, server: ModelServer):
    with pytest.raises(UsageError, match="price"):
        await run({**options, "models": {}}, max_cost="1")
    assert not server.asked
