"""The settings of other programs, as docs/how-to/mcp.md shows them: each starts a server that answers."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Servers
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from served import ECHO, Desk
from typer.main import get_command

from finclaw_mcp.commands import mcp

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "mcp.md"
FILE = re.compile(r'^```(json|toml) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TEXTS = {title: text for _, title, text in FILE.findall(PAGE.read_text())}
FILES = {title: (tomllib.loads if title.endswith("toml") else json.loads)(text) for title, text in TEXTS.items()}
IMPORTED = [title for title in FILES if "zed" not in title]
TABLES = ("mcpServers", "servers", "context_servers", "mcp_servers")


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


def entry(title: str) -> dict[str, Any]:
    """The one server of a file."""
    (servers,) = (FILES[title][table] for table in TABLES if table in FILES[title])
    (name,) = servers
    assert name == "finclaw"
    found: dict[str, Any] = servers[name]
    return found


@pytest.mark.parametrize("title", FILES)
async def test_a_client_with_these_settings_lists_the_tools(desk: Desk, title: str):
    command, arguments = entry(title)["command"], entry(title)["args"]
    assert (Path(command).name, arguments[:2]) == ("finclaw", ["mcp", "serve"])
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "finclaw_cli", *arguments[:2], "-t", ECHO],
        env={**os.environ, "FINCLAW_HOME": str(desk.home)},
        cwd=desk.home,
    )
    async with Client(started) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [ECHO]


@pytest.mark.parametrize("title", FILES)
def test_its_options_are_those_of_the_command(title: str):
    command = get_command(mcp).commands["serve"]  # type: ignore[attr-defined]
    known = {name for option in command.params for name in option.opts}
    assert {word for word in entry(title)["args"] if word.startswith("-")} <= known


@pytest.mark.parametrize("title", IMPORTED)
def test_finclaw_finds_the_server_in_the_file(servers: Servers, tmp_path: Path, title: str):
    path = tmp_path / Path(title).name
    path.write_text(TEXTS[title])
    found = servers("import", str(path))
    assert (found.exit_code, "[mcp.servers.finclaw]" in found.stdout) == (0, True), found.output
