"""Several agents in one process: keys, data folders, policies, usage and secrets stay apart."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from finclaw_cli import Agent, RunResult
from tests.agent.scripts import Scripts
from tests.e2e.dialects import Anthropic
from tests.e2e.harness import Finclaw, install_module
from tests.wire.server import VectorServer

pytestmark = pytest.mark.asyncio
PRINTS = '''
import os
from finclaw_cli.sdk import hookimpl, tool

os.write(1, b"imported\\n")

@tool
def printing() -> str:
    """Print at import."""
    return "done"

@hookimpl
def finclaw_tools():
    return [printing]
'''
KEYS = ("sk-ant-first-0123456789", "sk-ant-second-987654321")


async def ask(url: str, key: str, home: Path, prompt: str) -> RunResult:
    async with Agent(
        model=Anthropic().model,
        base_url=url,
        keys={"ANTHROPIC_API_KEY": key},
        home=home,
        tools=["none"],
        no_plugins=True,
    ) as agent:
        return await agent.run(prompt)


def contents(home: Path) -> str:
    return "\n".join(path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file())


async def test_each_sends_its_own_key_to_its_own_server(tmp_path: Path):
    first, second = (VectorServer(Anthropic().text(f"I am {name}.")) for name in ("one", "two"))
    async with first, second:
        answers = await _both(tmp_path, first.url, second.url, "x")
    assert [answer.text for answer in answers] == ["I am one.", "I am two."]
    for server, own, other in ((first, *KEYS), (second, *reversed(KEYS))):
        sent = str([request.headers for request in server.requests])
        assert own in sent
        assert other not in sent


async def test_each_masks_its_own_key_and_knows_no_other(tmp_path: Path):
    text = f"Keys: {KEYS[0]} {KEYS[1]}"
    first, second = VectorServer(Anthropic().text(text)), VectorServer(Anthropic().text(text))
    async with first, second:
        answers = await _both(tmp_path, first.url, second.url, "x")
    assert [answer.text for answer in answers] == [f"Keys: [REDACTED:key] {KEYS[1]}", f"Keys: {KEYS[0]} [REDACTED:key]"]
    for name, own in zip(("one", "two"), KEYS, strict=True):
        assert own not in contents(tmp_path / name)


async def test_usage_is_kept_in_the_data_folder_of_each(tmp_path: Path):
    first, second = VectorServer(Anthropic().text("a")), VectorServer(Anthropic().text("b"))
    async with first, second:
        answers = await _both(tmp_path, first.url, second.url, "x")
    for name, answer in zip(("one", "two"), answers, strict=True):
        assert [path.stem for path in (tmp_path / name / "sessions").glob("*.jsonl")] == [answer.session_id]
        with sqlite3.connect(tmp_path / name / "ledger.db") as ledger:
            tables = [row[0] for row in ledger.execute("select name from sqlite_master where type = 'table'")]
            rows = json.dumps([ledger.execute(f"select * from {table}").fetchall() for table in tables], default=str)
        ledger.close()
        assert answer.session_id in rows
        assert next(each.session_id for each in answers if each is not answer) not in rows


async def test_the_policy_of_one_data_folder_does_not_hold_in_another(script: Scripts, tmp_path: Path):
    def look() -> str:
        """Look."""
        return "seen"

    model = script({"tool_calls": [{"name": "look", "input": {}}]}, {"text": "ok"})
    for name in ("one", "two"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "one" / "policy.toml").write_text('[[rule]]\nscope = "tool"\npattern = "look"\nverdict = "deny"\n')
    agents = [Agent(model=model, tools=[look], home=tmp_path / name, no_plugins=True) for name in ("one", "two")]
    denied = [(await agent.run("x")).denied for agent in agents]
    for agent in agents:
        await agent.aclose()
    assert denied == [("look",), ()]


async def test_the_project_of_each_is_its_working_directory(tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name / ".finclaw" / "prompt").mkdir(parents=True)
        (tmp_path / name / ".finclaw" / "prompt" / "own.md").write_text(f"Project {name}.")
        async with (
            VectorServer(Anthropic().text("ok")) as server,
            Agent(
                model=Anthropic().model,
                base_url=server.url,
                keys={"ANTHROPIC_API_KEY": KEYS[0]},
                workspace=tmp_path / name,
                tools=["none"],
                no_plugins=True,
            ) as agent,
        ):
            await agent.run("x")
        sent = str(server.bodies)
        assert [project for project in ("one", "two") if f"Project {project}." in sent] == [name]


async def _both(folder: Path, first: str, second: str, prompt: str) -> list[RunResult]:
    async with asyncio.TaskGroup() as group:
        one = group.create_task(ask(first, KEYS[0], folder / "one", prompt))
        two = group.create_task(ask(second, KEYS[1], folder / "two", prompt))
    return [one.result(), two.result()]


async def test_the_import_of_a_plugin_leaves_stdout_to_the_program(
    script: Scripts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    install_module(plugins, "acme-prints", PRINTS)
    command = Finclaw(tmp_path / "home", plugins, tmp_path)
    assert command("plugins", "trust", "acme-prints", env={"FINCLAW_PLUGINS": "acme-prints"}).code == 0
    monkeypatch.syspath_prepend(plugins)
    agent = Agent(
        model=script({"tool_calls": [{"name": "printing", "input": {}}]}, {"text": "ok"}),
        plugins={"only": ["acme-prints"]},
        approve=["printing"],
        tools=["printing"],
    )
    result = await agent.run("x")
    await agent.aclose()
    assert (result.tool_calls, result.text) == ({"completed": 1}, "ok")
    assert capfd.readouterr() == ("imported\n", "")
