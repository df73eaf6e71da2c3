"""`finclaw batch` as a process: results on stdout, progress on stderr, exit codes, signals."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core import exits
from tests.batch.model_server import ModelServer

Command = Callable[..., Coroutine[Any, Any, Process]]


@pytest.fixture
def start(tmp_path: Path, server: ModelServer) -> Command:
    """Starts `finclaw batch` in a folder of its own, with a model of the server."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(
        f'model = "openai-chat:m"\nbase_url = "{server.url}"\ntools = ["none"]\n[plugins]\nonly = []\n'
        '[models."openai-chat:m"]\ninput_usd = 1\noutput_usd = 1\n'
    )

    async def start(*arguments: str, file_bytes: int = -1) -> Process:
        def limit() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

        environment = {**os.environ, "FINCLAW_HOME": str(home), "OPENAI_API_KEY": "k"}
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "finclaw_cli", "batch", *arguments,
            cwd=tmp_path, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE, preexec_fn=limit,
        )  # fmt: skip

    return start


async def ended(process: Process, stdin: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    out, err = await process.communicate(stdin)
    assert process.returncode is not None
    return process.returncode, [json.loads(line) for line in out.splitlines() if line.startswith(b"{")], err.decode()


def lines(*prompts: str) -> bytes:
    return b"".join(json.dumps({"id": prompt, "prompt": prompt}).encode() + b"\n" for prompt in prompts)


async def test_results_are_lines_of_json_and_the_last_line_of_stderr_sums_up(start: Command):
    code, results, err = await ended(await start("-", "--ordered"), lines("a", "b"))
    assert code == exits.OK
    assert [(item["id"], item["state"], item["result"]["text"]) for item in results] == [
        ("a", "ok", "re: a"),
        ("b", "ok", "re: b"),
    ]
    assert err.splitlines()[-1].endswith("2 ok; 0.00022 USD spent")


async def test_a_failed_item_has_its_own_exit_code(start: Command, server: ModelServer):
    server.refusals["status 400"] = 1
    code, _, _ = await ended(await start("-", "-q"), lines("a", "status 400"))
    assert code == exits.ITEMS_FAILED


async def test_bad_lines_run_nothing(start: Command, server: ModelServer):
    code, results, err = await ended(await start("-"), lines("a") + b"{}\n")
    assert (code, results, server.asked.total()) == (exits.USAGE, [], 0)
    assert "line 2: there is no prompt" in err


async def test_options_of_a_skipped_line_keep_no_other_line_from_running(start: Command):
    wrong = b'{"prompt": "b", "max_turns": "many"}\n'
    code, (item,), err = await ended(await start("-", "--skip-bad-lines"), lines("a") + wrong)
    assert (code, item["state"]) == (exits.OK, "ok")
    assert "left out: line 2" in err


async def test_what_ctrl_c_interrupts_is_taken_up_by_the_same_command(
    start: Command, server: ModelServer, tmp_path: Path
):
    (tmp_path / "in.ndjson").write_bytes(lines("hold"))
    process = await start("in.ndjson", "--quiet")
    await server.arrived.wait()
    process.send_signal(signal.SIGINT)
    code, results, _ = await ended(process)
    assert (code, results) == (-signal.SIGINT, [])
    server.released.set()
    code, (item,), _ = await ended(await start("run", "in.ndjson", "--quiet"))
    assert (code, item["state"], item["attempts"]) == (exits.OK, "ok", 2)


async def test_a_budget_ends_the_batch_before_it_is_broken(start: Command, server: ModelServer):
    code, results, err = await ended(await start("-", "--max-cost", "0.004"), lines("a", "b"))
    assert (code, results) == (exits.BUDGET, [])
    assert "2 waiting" in err
    assert server.asked.total() == 0


async def test_a_batch_is_listed_shown_tried_again_and_cancelled(start: Command, server: ModelServer):
    server.refusals["status 400"] = 1
    await ended(await start("-"), lines("a", "status 400"))
    listed = await start("list", "--json")
    out, _ = await listed.communicate()
    (batch,) = json.loads(out)
    assert (batch["items"], batch["states"]["ok"], batch["states"]["failed"]) == (2, 1, 1)
    _, results, _ = await ended(await start("results", batch["id"][:6]))
    assert {item["id"] for item in results} == {"a", "status 400"}
    await ended(await start("retry", batch["id"]))
    out, _ = await (await start("cancel", batch["id"], "--json")).communicate()
    assert json.loads(out)["cancelled"] == 1
    out, _ = await (await start("status", batch["id"])).communicate()
    assert b"1 ok, 1 cancelled" in out


async def test_items_that_failed_are_run_again_by_the_same_command(start: Command, server: ModelServer):
    server.refusals["status 400"] = 1
    code, _, _ = await ended(await start("-", "-q"), lines("status 400"))
    assert code == exits.ITEMS_FAILED
    code, (item,), _ = await ended(await start("-", "-q", "--retry", "failed"), lines("status 400"))
    assert (code, item["state"]) == (exits.OK, "ok")


async def test_without_an_id_the_newest_batch_is_meant(start: Command):
    await ended(await start("-", "-q"), lines("a"))
    _, (item,), _ = await ended(await start("results"))
    assert item["id"] == "a"


async def test_a_batch_is_removed_and_its_answers_stay_in_the_sessions(start: Command, server: ModelServer):
    await ended(await start("-", "-q"), lines("a"))
    out, _ = await (await start("list", "--json")).communicate()
    (batch,) = json.loads(out)
    out, _ = await (await start("rm", batch["id"], "--json")).communicate()
    assert json.loads(out) == {"removed": [batch["id"]]}
    out, _ = await (await start("list", "--json")).communicate()
    assert json.loads(out) == []
    _, (item,), _ = await ended(await start("-", "-q"), lines("a"))
    assert (item["state"], server.asked["a"]) == ("ok", 1)


async def test_an_unknown_batch_is_an_error(start: Command):
    code, _, err = await ended(await start("status", "zzz"))
    assert code == exits.USAGE
    assert "no batch 'zzz'" in err


async def test_a_full_disk_ends_the_batch_which_the_same_command_takes_up(start: Command, tmp_path: Path):
    (tmp_path / "in.ndjson").write_bytes(lines(*map(str, range(100))))
    limited = await start("in.ndjson", "-q", "-j", "2", file_bytes=100_000)
    code, results, err = await ended(limited)
    assert code == exits.UNEXPECTED
    assert "nothing is done twice" in err
    assert len(results) < 100
    code, results, _ = await ended(await start("in.ndjson", "-q"))
    assert (code, len(results)) == (exits.OK, 100)
    assert not any((tmp_path / "home" / "batch-workers").iterdir())
