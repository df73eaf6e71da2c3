"""A server that is in the settings and trusted, and runs that call its tools."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from finclaw_cli import Agent
from finclaw_cli.core.events.agent import AgentToolCall, Event
from finclaw_mcp.commands import mcp

SERVER = Path(__file__).parent / "plain_server.py"
Ran = Callable[..., list[Event]]


class Servers:
    """The command `finclaw mcp`, and the server of the tests."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(mcp, arguments)

    def add(self, fault: str = "", **settings: str) -> None:
        """Have the settings name the server, with these lines in its table."""
        lines = {"command": repr(sys.executable), "args": repr([str(SERVER), *([fault] if fault else [])]), **settings}
        text = "\n".join(f"{name} = {value}" for name, value in lines.items())
        (self.home / "config.toml").write_text(f"[mcp.servers.plain]\n{text}\n")

    def trust(self, fault: str = "", **settings: str) -> None:
        """The same, and trust the server as it is."""
        self.add(fault, **settings)
        found = self("trust", "plain", "--yes")
        assert found.exit_code == 0, found.output

    def replace(self, fault: str, **settings: str) -> None:
        """Trust the server as it is without a fault, and have it behave otherwise from then on."""
        mark = self.home / "fault"
        self.trust("fault of file", **settings, env=f'{{ FAULT_FILE = "{mark}" }}')
        mark.write_text(fault)


def finclaw(servers: Servers, *arguments: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    environment = {**os.environ, "FINCLAW_HOME": str(servers.home)}
    command = [sys.executable, *python, "-m", "finclaw_cli", *arguments]
    return subprocess.run(
        command, env=environment, cwd=servers.home, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Servers:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("FINCLAW_HOME", str(home))
    return Servers(home)


@pytest.fixture
def run(servers: Servers) -> Ran:
    """Play a run whose model calls these tools one after another, by name or with an input; some are approved."""

    def play(*calls: str | tuple[str, dict[str, Any]], approve: tuple[str, ...] = (), **options: Any) -> list[Event]:
        pairs = [(each, {}) if isinstance(each, str) else each for each in calls]
        turns = [{"tool_calls": [{"name": name, "input": given}]} for name, given in pairs]
        script = servers.home / "script.json"
        script.write_text(json.dumps({"turns": [*turns, {"text": "done"}]}))
        tools = ["plain__echo", "plain__die", "plain__order"]
        named = tomllib.loads((servers.home / "config.toml").read_text())["mcp"]  # an agent reads no settings file
        settings = {"home": servers.home, "tools": tools, "approve": list(approve), "mcp": named, **options}
        return asyncio.run(_events(Agent(model=f"scripted:{script}", **settings)))

    return play


async def _events(agent: Agent) -> list[Event]:
    async with agent:
        return [event async for event in agent.stream("x")]


def ends(events: list[Event]) -> list[tuple[str, str]]:
    """The status and the result of each call."""
    calls = (event for event in events if isinstance(event, AgentToolCall) and event.result is not None)
    return [(event.status, str(event.result)) for event in calls]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Check that no process of a server is left."""
    yield
    assert _processes() == []


def _processes() -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if os.fsencode(SERVER) in command and parent == str(os.getpid()):
            found.append(str(folder))
    return found
