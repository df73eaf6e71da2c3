"""`finclaw mcp import`: servers that other programs' settings name."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Servers


@pytest.fixture
def given(tmp_path: Path) -> Any:
    def write(content: object, name: str = "mcp.json") -> str:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


@pytest.mark.parametrize("table", ["mcpServers", "servers"])
def test_servers_of_json_are_shown_and_nothing_is_written(servers: Servers, given: Any, table: str):
    found = servers("import", given({table: {"My Files": {"command": "npx", "args": ["-y", "x"]}}}))
    assert tomllib.loads(found.stdout) == {"mcp": {"servers": {"my_files": {"command": "npx", "args": ["-y", "x"]}}}}
    assert not (servers.home / "config.toml").exists()


def test_servers_of_codex_are_written(servers: Servers, given: Any):
    text = '[mcp_servers.docs]\ncommand = "docs"\nstartup_timeout_sec = 20\nrequired = true\n'
    found = servers("import", given(text, "config.toml"), "--write")
    written = tomllib.loads((servers.home / "config.toml").read_text())
    assert written["mcp"]["servers"] == {"docs": {"command": "docs", "startup_timeout_sec": 20}}
    assert "left out: 'docs': the key 'required'" in found.stderr


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("${env:TOKEN}", "${TOKEN}"), ("${input:api-key}", "${API_KEY}"), ("${TOKEN:-x}", "${TOKEN:-x}")],
)
def test_references_to_variables_become_finclaws(servers: Servers, given: Any, theirs: str, ours: str):
    found = servers("import", given({"mcpServers": {"a": {"command": "x", "env": {"A": theirs}}}}))
    assert tomllib.loads(found.stdout)["mcp"]["servers"]["a"]["env"] == {"A": ours}


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        ({"type": "http", "url": "http://example.org/mcp"}, "https://HOST/PATH"),
        ({"command": 5}, "command: "),
        ("npx", "it is no table"),
        ({"command": "x", "args": "y"}, "args: "),
        ({}, "either a command or a url"),
    ],
)
def test_what_cannot_be_an_entry_is_named_with_its_reason(servers: Servers, given: Any, server: object, reason: str):
    found = servers("import", given({"mcpServers": {"a": server, "b": {"command": "x"}}}), "--write")
    assert reason in found.stderr
    assert list(tomllib.loads((servers.home / "config.toml").read_text())["mcp"]["servers"]) == ["b"]


def test_a_server_at_an_address_keeps_its_headers(servers: Servers, given: Any):
    server = {"type": "http", "url": "https://example.org/mcp", "headers": {"X-Key": "${env:KEY}"}}
    found = servers("import", given({"mcpServers": {"a": server}}))
    entry = {"url": "https://example.org/mcp", "http_headers": {"X-Key": "${KEY}"}}
    assert tomllib.loads(found.stdout)["mcp"]["servers"] == {"a": entry}


def test_a_server_of_a_name_that_is_there_is_not_replaced(servers: Servers, given: Any):
    servers.add()
    found = servers("import", given({"mcpServers": {"Plain": {"command": "other"}}}), "--write")
    assert "there is a server plain already" in found.stderr
    assert "other" not in (servers.home / "config.toml").read_text()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "it is not JSON"),
        ({"other": {}}, "it names no servers"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "names no"),
    ],
)
def test_a_file_of_another_kind_is_one_clear_error(servers: Servers, given: Any, content: object, reason: str):
    found = servers("import", given(content))
    assert (found.exit_code, reason in found.stderr) == (2, True), found.stderr
