"""`finclaw run --connect`: a run of a server, shown as if the process had made it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from tests.agent.scripts import Scripts
from tests.e2e.asking import OverStdio, on_controlling_terminal
from tests.e2e.conftest import finclaw
from tests.e2e.harness import Finclaw, Ran, checked_lines
from tests.e2e.in_process import surroundings
from tests.serve.clients import Served, serving

__all__ = ["finclaw"]
pytestmark = pytest.mark.asyncio
KEY = b"\x1c"
PAY = {"tool_calls": [{"name": "pay", "input": {"to": "Bo", "amount": 12.5}}]}
ENDLESS = {"text": "x" * 100_000, "delta_chars": 1, "delay_s": 0.001}


@pytest.fixture
async def connected(finclaw: Finclaw) -> AsyncIterator[tuple[Served, Finclaw]]:
    """A server with the plugin of the tests, and the command with its token."""
    (finclaw.home / "paid").unlink(missing_ok=True)
    with surroundings(finclaw.env(), finclaw.cwd):
        async with serving() as served:
            variables = {"FINCLAW_SERVE_TOKEN": served.token, "FINCLAW_PLUGINS": ""}
            yield served, replace(finclaw, variables=variables)


async def ran(served: Served, command: Finclaw, *arguments: str, **options: object) -> Ran:
    """The command with `--connect`, run to its end."""
    return await asyncio.to_thread(command, "run", "--connect", served.address, *arguments, **options)


@pytest.mark.parametrize(
    "form", [("-o", "ndjson"), ("-o", "ndjson", "--events", "all", "--no-deltas"), (), ("-o", "json")]
)
async def test_it_prints_what_replay_prints_of_the_same_run(
    connected: tuple[Served, Finclaw], script: Scripts, form: tuple[str, ...]
):
    served, command = connected
    shown = await ran(served, command, "-m", script({"text": "All is well \N{GRINNING FACE}."}), *form, "How is it?")
    assert shown.code == 0, shown.stderr
    (run,) = await served.get("/v1/runs")
    replayed = await asyncio.to_thread(command, "replay", *form, run["run_id"])
    assert shown.stdout == replayed.stdout


async def test_the_exit_code_is_that_of_the_run(connected: tuple[Served, Finclaw], script: Scripts, tmp_path: Path):
    served, command = connected
    last = tmp_path / "last.txt"
    failed = await ran(served, command, "-m", script({"text": "no JSON"}), "--schema", "n:integer", "x")
    assert failed.code == 12
    done = await ran(served, command, "-m", script({"text": "Done."}), "--last-message", str(last), "x")
    assert (done.code, last.read_text()) == (0, "Done.")


async def test_options_files_and_stdin_go_to_the_server(
    connected: tuple[Served, Finclaw], script: Scripts, tmp_path: Path
):
    served, command = connected
    notes = tmp_path / "notes.txt"
    notes.write_text("from a file")
    options = ("--session", "talk", "--max-turns", "3", "--max-cost", "0.5", "-f", str(notes))
    shown = await ran(
        served, command, "-o", "ndjson", "-m", script({"text": "One."}), *options, "x", stdin=b"from stdin"
    )
    assert shown.result["session_id"] == "talk"
    assert shown.lines[0]["limits"]["max_turns"] == 3
    question = (await served.get("/v1/sessions/talk"))["messages"][0]["content"]
    assert "from a file" in str(question)
    assert "from stdin" in str(question)


async def test_an_approval_is_answered_over_stdin(connected: tuple[Served, Finclaw], script: Scripts):
    served, command = connected
    model = script(PAY, {"text": "Done."})

    def answered() -> dict[str, object]:
        asked = OverStdio(command, "--connect", served.address, "-m", model, "Pay.")
        asked.answer(asked.next("agent.approval_request"), "allow")
        return asked.end()

    assert (await asyncio.to_thread(answered))["exit_code"] == 0
    assert (command.home / "paid").read_text() == "Bo 12.5\n"


async def test_a_call_is_cancelled_over_stdin(connected: tuple[Served, Finclaw], script: Scripts):
    served, command = connected
    model = script({"tool_calls": [{"name": "sleepy", "input": {"seconds": 50}}]}, PAY, {"text": "Done."})

    def cancelled() -> dict[str, object]:
        asked = OverStdio(command, "--connect", served.address, "-m", model, "Wait, then pay.")
        begun = asked.next("agent.tool_call")
        while begun["status"] != "running":
            begun = asked.next("agent.tool_call")
        asked.say({"type": "cancel", "call_id": begun["call_id"]})
        asked.answer(asked.next("agent.approval_request"), "deny")
        return asked.end()

    assert (await asyncio.to_thread(cancelled))["tool_calls"] == {"cancelled": 1, "denied": 1}


async def test_the_key_of_the_terminal_cancels_the_call_that_has_run_longest(
    connected: tuple[Served, Finclaw], script: Scripts
):
    served, command = connected
    sleepy = {"name": "sleepy", "input": {"seconds": 50}}
    model = script({"tool_calls": [sleepy, sleepy]}, {"text": "Went on."})
    arguments = ("run", "--connect", served.address, "-m", model, "Wait twice.")

    def cancelled() -> tuple[int, bytes]:
        with on_controlling_terminal(command, *arguments, to_terminal=True, COLUMNS="100") as terminal:
            terminal.until(b"sleepy (")
            terminal.type(KEY)
            terminal.until(b"cancelled")
            terminal.type(KEY)
            return terminal.end(), bytes(terminal.seen)

    code, seen = await asyncio.to_thread(cancelled)
    assert (code, b"Went on." in seen) == (0, True)
    (run,) = await served.get("/v1/runs")
    assert run["result"]["tool_calls"] == {"cancelled": 2}


async def test_an_approval_is_asked_on_the_terminal(connected: tuple[Served, Finclaw], script: Scripts):
    served, command = connected
    arguments = ("run", "--connect", served.address, "-m", script(PAY, {"text": "Done."}), "Pay.")

    def answered() -> tuple[int, bytes]:
        with on_controlling_terminal(command, *arguments) as terminal:
            terminal.until(b"Run pay?")
            terminal.type(b"y")
            return terminal.end(), bytes(terminal.seen)

    code, seen = await asyncio.to_thread(answered)
    assert (code, (command.home / "paid").read_text()) == (0, "Bo 12.5\n")
    assert b"pay wants to run" in seen
    assert b"plugin:finclaw-kit" in seen
    assert b"always" not in seen


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_a_signal_cancels_the_run_of_the_server(
    connected: tuple[Served, Finclaw], script: Scripts, number: signal.Signals, code: int
):
    served, command = connected
    model = script(ENDLESS)

    def interrupted() -> tuple[int, bytes]:
        process = command.start("run", "--connect", served.address, "-o", "ndjson", "-m", model, "x")
        assert process.stdout is not None
        read = b""
        while b"agent.delta" not in read:
            read += os.read(process.stdout.fileno(), 65_536)
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
        return process.returncode, read + rest

    returned, stdout = await asyncio.to_thread(interrupted)
    assert returned == -number
    assert checked_lines(stdout)[-1]["exit_code"] == code
    (run,) = await served.get("/v1/runs")
    assert run["result"]["exit_code"] == code


async def test_a_server_that_is_lost_ends_the_run_with_a_result_line(without_plugins: Path, script: Scripts):
    async with serving() as served:
        variables = {"FINCLAW_SERVE_TOKEN": served.token, "FINCLAW_PLUGINS": ""}
        command = Finclaw(without_plugins, without_plugins, without_plugins, variables=variables)
        arguments = ("-o", "ndjson", "-m", script(ENDLESS), "x")
        running = asyncio.create_task(ran(served, command, *arguments))
        await served.begun()
        served.stop()
    shown = await running
    assert (shown.result["exit_code"], shown.result["error"]["code"]) == (143, "terminated")


@pytest.mark.parametrize(
    ("options", "code", "error"),
    [
        (("--connect", "http://127.0.0.1:1"), 4, "server_lost"),
        (("--connect", "URL/#TOKEN"), 2, "usage"),
        (("--connect", "URL", "--no-plugins"), 2, "usage"),
        (("--connect", "URL", "--max-turns", "0"), 2, "usage"),
        (("--connect", "URL", "--session", "../x"), 2, "bad_session"),
        (("--connect", "http://192.0.2.1:80"), 2, "usage"),
        (("--connect", "not an address"), 2, "usage"),
        (("--connect", "URL", "--token-file", "missing"), 2, "bad_file"),
        (("--connect", "URL", "--token-file", "OPEN"), 2, "bad_file"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
async def test_what_cannot_begin_has_a_result_line_with_the_reason(
    connected: tuple[Served, Finclaw], options: tuple[str, ...], code: int, error: str
):
    served, command = connected
    (opened := command.cwd / "open").write_text(served.token)
    opened.chmod(0o644)
    names = {"URL": served.address, "TOKEN": served.token, "OPEN": str(opened)}
    given = [reduce(lambda text, name: text.replace(name, names[name]), names, each) for each in options]
    shown = await asyncio.to_thread(command, "run", "-o", "ndjson", *given, "x")
    assert (shown.code, shown.result["error"]["code"]) == (code, error)
    assert served.token not in shown.stderr + shown.text


async def test_a_wrong_token_is_refused(connected: tuple[Served, Finclaw]):
    served, command = connected
    shown = await asyncio.to_thread(
        command, "run", "-o", "ndjson", "--connect", served.address, "x", env={"FINCLAW_SERVE_TOKEN": "x" * 40}
    )
    assert (shown.code, shown.result["error"]["code"]) == (3, "no_token")
    assert json.loads(shown.stdout.splitlines()[0])["type"] == "agent.start"
