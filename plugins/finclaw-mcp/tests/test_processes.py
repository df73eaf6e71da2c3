"""The whole command: what a listing imports, and a run that is verified when its server is gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Servers, finclaw

ECHO = "plain__echo"


def test_a_listing_imports_nothing_of_the_protocol(servers: Servers):
    servers.trust()
    found = finclaw(servers, "tools", "list", python=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in found.stderr.splitlines()}
    assert ECHO in found.stdout
    assert "finclaw_cli" in imported
    assert imported.isdisjoint({"mcp", "mcp_types", "finclaw_mcp", "pydantic"})


def test_a_run_is_verified_without_its_server(servers: Servers):
    servers.trust()
    turns = [{"tool_calls": [{"name": ECHO, "input": {"text": "hello"}}]}, {"text": "It is {{plain__echo}}."}]
    (servers.home / "script.json").write_text(json.dumps({"turns": turns}))
    options = ("--session", "talk", "-m", "scripted:script.json", "-t", ECHO, "--approve", ECHO)
    assert finclaw(servers, "run", *options, "x").stdout == "It is hello.\n"
    assert servers("remove", "plain").exit_code == 0
    verified = finclaw(servers, "replay", "--verify", "talk")
    assert (verified.returncode, "as recorded: 1 run" in verified.stdout) == (0, True), verified


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_server_is_looked_at_leaves_no_process(servers: Servers, number: signal.Signals):
    servers.replace("silent list")
    environment = {**os.environ, "FINCLAW_HOME": str(servers.home)}
    command = [sys.executable, "-m", "finclaw_cli", "mcp", "test", "plain"]
    process = subprocess.Popen(command, env=environment)
    mark = servers.home / "server"
    while not (mark.is_file() and mark.read_text()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(30) == -number
    assert not Path(f"/proc/{mark.read_text()}").exists()


def test_a_variable_of_a_server_is_not_shown_whatever_its_name(servers: Servers):
    servers.add(env='{ FILES_PIN = "is 12345678" }')
    shown = finclaw(servers, "config", "show").stdout
    assert ("FILES_PIN" in shown, "12345678" in shown) == (True, False), shown
