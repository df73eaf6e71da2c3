"""Running the command where somebody can be asked: on a controlling terminal, or over stdio."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from tests.e2e.harness import PATIENCE_S, Finclaw, checked_lines
from tests.e2e.terminals import start_on_terminal


def in_own_home(finclaw: Finclaw, folder: Path) -> Finclaw:
    """The same command with a data folder of its own, in which the kit is trusted."""
    home = folder / "own-home"
    home.mkdir(mode=0o700)
    shutil.copy(finclaw.home / "trust.json", home)
    shutil.copytree(finclaw.home / "cache", home / "cache")
    return replace(finclaw, home=home)


def payments(finclaw: Finclaw) -> list[str]:
    """What the transactional tool of the kit has done."""
    mark = finclaw.home / "paid"
    return mark.read_text().splitlines() if mark.exists() else []


@dataclass
class OnTerminal:
    """A command whose controlling terminal is a pty; stdin and stdout may be something else."""

    process: subprocess.Popen[bytes]
    leader: int
    seen: bytearray = field(default_factory=bytearray)

    def until(self, text: bytes) -> bytes:
        """Read the terminal until it shows this."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            assert self._read(deadline), bytes(self.seen)
        return bytes(self.seen)

    def then(self, text: bytes) -> bytes:
        """The same for what was not shown yet."""
        del self.seen[:]
        return self.until(text)

    def type(self, keys: bytes) -> None:
        os.write(self.leader, keys)

    def end(self) -> int:
        """Wait for the command, reading what it still shows; the exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(time.monotonic() + 0.05)
        while self._read(0):
            pass
        return self.process.wait(0)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self.leader], [], [], max(deadline - time.monotonic(), 0))
        if ready:
            self.seen += os.read(self.leader, 65_536)
        return bool(ready)


@contextmanager
def on_controlling_terminal(
    finclaw: Finclaw,
    *arguments: str,
    stdin: int | None = subprocess.DEVNULL,
    output: int = subprocess.DEVNULL,
    to_terminal: bool = False,
    shell: tuple[str, ...] = (),
    **env: str,
) -> Iterator[OnTerminal]:
    """Start the command; its output goes where its questions go (`to_terminal`), or elsewhere.

    `shell` begins the command that starts it.
    """
    leader, follower = pty.openpty()
    output = follower if to_terminal else output
    streams = {"stdin": stdin, "stdout": output, "stderr": output}
    process = start_on_terminal(finclaw, follower, *arguments, env=env, shell=shell, **streams)
    try:
        yield OnTerminal(process, leader)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
        os.close(follower)  # only now: a terminal that nobody has open reads as one that hung up


class OverStdio:
    """A command that is asked and answered in NDJSON, as a program would."""

    def __init__(self, finclaw: Finclaw, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self._process = finclaw.start(
            "run", "-o", "ndjson", "--approval", "stdio", *arguments, env=env, stdin=subprocess.PIPE
        )
        self._raw = b""

    def next(self, kind: str) -> dict[str, Any]:
        """The next line of that type."""
        assert self._process.stdout is not None
        for raw in self._process.stdout:
            self._raw += raw
            line: dict[str, Any] = json.loads(raw)
            if line["type"] == kind:
                return line
        raise AssertionError(f"no {kind}: {self._raw.decode()}")

    def say(self, line: Mapping[str, Any] | str) -> None:
        assert self._process.stdin is not None
        text = line if isinstance(line, str) else json.dumps(line)
        self._process.stdin.write(text.encode() + b"\n")
        self._process.stdin.flush()

    def answer(self, request: Mapping[str, Any], decision: str, **more: Any) -> None:
        self.say({"type": "approval", "id": request["id"], "decision": decision, **more})

    def warnings(self, count: int | None = None) -> list[str]:
        """The next warnings on stderr, or all that are left."""
        assert self._process.stderr is not None
        warnings = (line.decode() for line in self._process.stderr if line.startswith(b"finclaw: warning: "))
        return list(islice(warnings, count))

    def hang_up(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def end(self) -> dict[str, Any]:
        """The result; every line is checked, and the exit code must agree."""
        assert self._process.stdout is not None
        self._raw += self._process.stdout.read()
        lines = checked_lines(self._raw)
        assert lines[-1]["type"] == "agent.result"
        assert lines[-1]["exit_code"] == self._process.wait(PATIENCE_S)
        return lines[-1]
