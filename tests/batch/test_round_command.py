"""`finclaw batch --economy` as a process: what it prints, Ctrl-C, and cancelling at the provider."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core import exits
from finclaw_cli.testing.batch_apis import BatchApis

Command = Callable[..., Coroutine[Any, Any, Process]]
LINE = b'{"id": "a", "prompt": "a"}\n'


@pytest.fixture
def start(tmp_path: Path, apis: BatchApis) -> Command:
    """Starts `finclaw batch` with a model of the fake APIs."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(
        f'model = "anthropic:m"\nbase_url = "{apis.url}"\ntools = ["none"]\n[plugins]\nonly = []\n'
        '[models."anthropic:m"]\ninput_usd = 1000\noutput_usd = 1000\n'
    )

    async def start(*arguments: str) -> Process:
        environment = {**os.environ, "FINCLAW_HOME": str(home), "ANTHROPIC_API_KEY": "k"}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "finclaw_cli", "batch", *arguments,
            cwd=tmp_path, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip

    return start


async def test_economy_without_a_value_asks_in_rounds_and_names_what_to_expect(start: Command, apis: BatchApis):
    process = await start("-", "--economy")
    out, errors = await process.communicate(LINE)
    item = json.loads(out)
    assert (process.returncode, item["state"], item["cost_usd"]) == (exits.OK, "ok", "0.055")
    assert "each turn of an item waits for a batch of its provider" in errors.decode()
    assert len(apis.batches) == 1


async def test_another_value_is_an_error(start: Command):
    process = await start("-", "--economy=cheap")
    _, errors = await process.communicate(LINE)
    assert process.returncode == exits.USAGE
    assert "economy: 'cheap' is none of batch, flex, fallback" in errors.decode()


async def test_cancel_ends_what_ctrl_c_has_left_at_the_provider(start: Command, apis: BatchApis):
    apis.is_held, looked = True, asyncio.Event()
    apis.reached = lambda boundary: looked.set() if boundary == "state" else None
    process = await start("-", "--economy")
    running = asyncio.create_task(process.communicate(LINE))
    await looked.wait()
    process.send_signal(signal.SIGINT)
    await running
    assert process.returncode == -signal.SIGINT
    assert not apis.batches[0].is_cancelled
    listed, _ = await (await start("list", "--json")).communicate()
    (batch,) = json.loads(listed)
    shown, _ = await (await start("status")).communicate()
    assert f"round: 1 request to anthropic:m, {apis.batches[0].created:%Y-%m-%d %H:%M} UTC" in shown.decode()
    _, refused = await (await start("rm", batch["id"])).communicate()
    assert "has requests in rounds, whose answers would be paid and lost" in refused.decode()
    out, _ = await (await start("cancel", batch["id"], "--json")).communicate()
    printed = json.loads(out)
    assert (printed["cancelled"], printed["requests_cancelled"], printed["rounds_not_cancelled"]) == (1, 1, [])
    assert apis.batches[0].is_cancelled
    assert await (await start("rm", batch["id"])).wait() == exits.OK
