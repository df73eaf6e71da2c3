"""What is kept of runs in rounds: transcripts that replay and verify, and usage that names the tier."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.testing.batch_apis import BatchApis
from tests.batch.paying_rounds import approve, interrupted, pay, run


async def command(home: Path, *arguments: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "finclaw_cli", *arguments,
        env={**os.environ, "FINCLAW_HOME": str(home)}, cwd=home, stdout=PIPE, stderr=STDOUT,
    )  # fmt: skip
    out, _ = await process.communicate()
    return process.returncode, out.decode()


async def test_a_run_in_rounds_verifies(round_options: AgentOptions, tmp_path: Path):
    (item,) = await run(["pay 1"], {**round_options, "tools": [pay], "approver": approve})
    assert item.state == "ok"
    code, printed = await command(tmp_path / "home", "replay", "--verify", str(item.session))
    assert code == 0, printed


async def test_a_run_that_was_ended_while_it_waited_verifies_with_the_one_that_went_on(
    round_options: AgentOptions, apis: BatchApis, tmp_path: Path
):
    await interrupted(["a"], round_options, apis)
    (item,) = await run(["a"], round_options)
    code, printed = await command(tmp_path / "home", "replay", "--verify", str(item.session))
    assert code == 0, printed


@pytest.mark.parametrize("economy", ["batch", "flex"])
async def test_usage_names_the_tier_and_costs_half(openai: AgentOptions, tmp_path: Path, economy: str):
    (item,) = await run(["a"], openai, economy)  # type: ignore[arg-type]
    _, printed = await command(tmp_path / "home", "cost", "--by", "tier", "--format", "json")
    (row,) = json.loads(printed)["rows"]
    assert (row["tier"], row["cost_usd"]) == (economy, str(item.cost_usd))
