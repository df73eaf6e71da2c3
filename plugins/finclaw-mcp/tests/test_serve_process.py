"""`finclaw mcp serve` as a process: stdout has messages alone, and the end of stdin or a signal ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from conftest import Servers
from served import ARGUMENTS, ECHO, ORDER, Desk

OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "raw", "version": "1"},
}


class Raw:
    """A client that writes and reads lines."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})}
        self.write(json.dumps(message))

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, params: dict[str, Any], number: int) -> Any:
        self.send(method, params, number)
        found = self.read()
        assert found["id"] == number
        return found.get("result", found.get("error"))

    def left(self) -> tuple[int, str]:
        """The exit code, and what else was written, once stdin has ended."""
        rest, _ = self.process.communicate(timeout=30)
        return self.process.returncode, rest


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


@contextmanager
def served(desk: Desk) -> Iterator[Raw]:
    command = [sys.executable, "-m", "finclaw_cli", "mcp", "serve", "-t", ECHO, "-t", ORDER]
    environment = {**os.environ, "FINCLAW_HOME": str(desk.home)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=desk.home, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            raw = Raw(process)
            raw.ask("initialize", OPENING, 1)
            raw.send("notifications/initialized", {})
            yield raw
        finally:
            process.kill()


def test_lines_that_are_no_messages_are_passed_over_and_the_end_of_stdin_ends_it(desk: Desk):
    with served(desk) as raw:
        raw.write("{no json")
        raw.write("")
        tools = raw.ask("tools/list", {}, 2)["tools"]
        assert [tool["name"] for tool in tools] == [ECHO, ORDER]
        assert raw.left() == (0, "")


def test_the_end_of_stdin_while_the_user_is_asked_ends_it_without_an_order(desk: Desk):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        assert raw.read()["method"] == "elicitation/create"
        assert raw.left()[0] == 0
    assert desk.orders == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_user_is_asked_ends_it_without_an_order(desk: Desk, number: signal.Signals):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        asked = raw.read()
        raw.process.send_signal(number)
        assert raw.process.wait(30) == 0
        assert asked["method"] == "elicitation/create"
    assert desk.orders == []


def test_an_answer_under_another_id_is_no_consent(desk: Desk):
    with served(desk) as raw:
        raw.send("tools/call", {"name": ORDER, "arguments": ARGUMENTS}, 2)
        asked = raw.read()
        yes = {"jsonrpc": "2.0", "result": {"action": "accept", "content": {"approve": True}}}
        raw.write(json.dumps({**yes, "id": asked["id"] + 1}))
        assert raw.ask("ping", {}, 3) == {}
        assert desk.orders == []
        raw.write(json.dumps({**yes, "id": asked["id"]}))
        assert raw.read()["result"]["isError"] is False
    assert desk.orders == [ARGUMENTS]
