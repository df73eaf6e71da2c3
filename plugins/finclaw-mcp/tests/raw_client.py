"""`finclaw mcp serve` as a process, with a client that writes and reads lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from served import ECHO, ERAS, ORDER, Desk

OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "raw", "version": "1"},
}
META = {
    "io.modelcontextprotocol/protocolVersion": ERAS[1],
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}
"""What each request of the newer protocol brings."""


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
        rest, errors = self.process.communicate(timeout=30)
        return self.process.returncode, rest + errors


@contextmanager
def served(desk: Desk, era: str = ERAS[0]) -> Iterator[Raw]:
    """A client whose connection is open, and can have bytes that are no UTF-8 in its lines as lone surrogates."""
    command = [sys.executable, "-m", "finclaw_cli", "mcp", "serve", "-t", ECHO, "-t", ORDER]
    environment = {**os.environ, "FINCLAW_HOME": str(desk.home)}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    text = {"encoding": "utf-8", "errors": "surrogateescape"}
    with subprocess.Popen(command, env=environment, cwd=desk.home, **pipes, **text) as process:  # type: ignore[call-overload]
        try:
            raw = Raw(process)
            if era == ERAS[0]:
                raw.ask("initialize", OPENING, 1)
                raw.send("notifications/initialized", {})
            yield raw
        finally:
            process.kill()
