"""The events of a session's lock in a process that goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from tests.e2e.harness import Finclaw, install_module
from tests.e2e.talking import talking

HOOK = {"FINCLAW_PLUGINS": "acme-hook"}
LISTENER = """
import json, os
from pathlib import Path
from finclaw_cli.sdk import hookimpl
from finclaw_cli.transcript.lock import is_held

@hookimpl
def finclaw_event(run_id, event):
    home = Path(os.environ["FINCLAW_HOME"])
    if event.type == "session.lock":
        line = [event.step, event.pid == os.getpid(), is_held(home / "sessions" / "s.jsonl"), run_id]
        with (home / "seen").open("a") as file:
            file.write(json.dumps(line) + "\\n")
"""
PROGRAM = """
import asyncio, sys
from finclaw_cli import Agent

async def main():
    async with Agent.from_settings(model=sys.argv[1], session="s") as agent:
        first = await agent.run("x")
        await agent.run("y")
    assert first.status == "completed"

asyncio.run(main())
"""


def listening(own: Finclaw, plugins: Path) -> Finclaw:
    """The command with a trusted plugin that keeps the events of locks."""
    plugins.mkdir()
    install_module(plugins, "acme-hook", LISTENER)
    finclaw = replace(own, plugins=plugins, variables=HOOK)
    assert finclaw("plugins", "trust", "acme-hook").code == 0
    return finclaw


def lock_events(own: Finclaw) -> list[list[object]]:
    """The step of each, whether its process is the one that emitted it, and whether the session was held then."""
    return [json.loads(line)[:3] for line in (own.home / "seen").read_text().splitlines()]


def test_a_session_that_an_agent_gives_back_is_released(own: Finclaw, tmp_path: Path) -> None:
    finclaw = listening(own, tmp_path / "plugins")
    command = [sys.executable, "-c", PROGRAM, finclaw.script({"text": "one"}, {"text": "two"})]
    done = subprocess.run(command, env=finclaw.env(), cwd=finclaw.cwd, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert lock_events(own) == [["acquired", True, True], ["released", True, False]]
    shown = [line["type"] for line in own("replay", "-o", "ndjson", "--events", "all", "s").lines]
    assert (shown[-1], shown.count("session.lock")) == ("agent.result", 1)


def test_a_session_is_released_when_a_conversation_at_a_terminal_is_left(own: Finclaw, tmp_path: Path) -> None:
    finclaw = listening(own, tmp_path / "plugins")
    with talking(finclaw, "--session", "s", "-m", finclaw.script({"text": "Fine."})) as it:
        it.ask(b"One?", b"Fine.")
        assert it.leave() == 0
    assert lock_events(own) == [["acquired", True, True], ["released", True, False]]


def test_a_run_whose_process_ends_emits_no_release(own: Finclaw, tmp_path: Path) -> None:
    finclaw = listening(own, tmp_path / "plugins")
    assert finclaw("run", "--session", "s", "-m", finclaw.script({"text": "Fine."}), "One?").code == 0
    assert lock_events(own) == [["acquired", True, True]]
