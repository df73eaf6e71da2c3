"""The real command in a process of its own, forked from one that has imported what every run imports.

A run costs a twentieth of a second in place of half a second, which is what makes a suite of thousands of them
affordable. What depends on a start from nothing (imports, signals in the first moments, streams that are pipes or
terminals) starts one: `Finclaw.start`, `Finclaw.shell`, `Finclaw.cold`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Self

from tests.e2e.warm_server import Before, Command, Streams

START = "import sys; sys.path[:] = {path!r}; from tests.e2e.warm_server import serve; serve({fd}, {modules!r})"


@dataclass(frozen=True)
class _Server:
    """A process that forks one command after another."""

    process: subprocess.Popen[bytes]
    connection: Connection
    modules: frozenset[str]

    @classmethod
    def started(cls, modules: frozenset[str]) -> Self:
        ours, theirs = Pipe()
        statement = START.format(path=sys.path, fd=theirs.fileno(), modules=sorted(modules))
        process = subprocess.Popen([sys.executable, "-c", statement], pass_fds=[theirs.fileno()])
        theirs.close()
        return cls(process, ours, modules)

    def run(self, command: Command, timeout_s: float) -> int:
        self.connection.send(command)
        pid = self.connection.recv()
        if not self.connection.poll(timeout_s):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self.connection.recv()
            raise AssertionError(f"it does not end: {command.streams.stderr.read_bytes().decode()}")
        code: int = self.connection.recv()
        return code

    def stop(self) -> None:
        self.connection.close()
        self.process.wait()


_running: list[_Server] = []


def preload(*modules: str) -> None:
    """Have runs forked from a process that has imported these, and what earlier callers asked for."""
    if not _running:
        _running.append(_Server.started(frozenset(modules)))
    elif not _running[0].modules.issuperset(modules):
        _running[0].stop()
        _running[0] = _Server.started(_running[0].modules.union(modules))


def run_warm(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    timeout_s: float,
    stdin: bytes | None = None,
    before: Before | None = None,
) -> tuple[int, bytes, bytes]:
    """Run the command to its end: its exit code (negative for a signal), stdout and stderr.

    `before` is called in the process before the command begins.
    """
    preload()
    with tempfile.TemporaryDirectory() as folder:
        streams = Streams(*(Path(folder) / name for name in ("stdin", "stdout", "stderr")))
        if stdin is None:
            streams.stdin.symlink_to(os.devnull)
        else:
            streams.stdin.write_bytes(stdin)
        code = _running[0].run(Command(tuple(arguments), dict(env), cwd, streams, before), timeout_s)
        return code, streams.stdout.read_bytes(), streams.stderr.read_bytes()
