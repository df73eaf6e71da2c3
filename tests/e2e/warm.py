"""The real command in a process of its own, forked from one that has imported what every run imports.

A run costs a twentieth of a second in place of half a second, which is what makes a suite of thousands of them
affordable. What depends on a start from nothing (imports, signals in the first moments, memory, workers that import
the main module anew) starts one: `Finclaw.cold`, `Finclaw.start_cold`, `Finclaw.shell`.
"""

from __future__ import annotations

import os
import pickle
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.e2e.warm_server import Before, Command

# A fork copies a table of all pages: with pages of 2 MiB, where Linux has them, it takes a third of the time.
HUGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
START = "import sys; sys.path[:] = {path!r}; from tests.e2e.warm_server import serve; serve({fd}, {modules!r})"


@dataclass(frozen=True)
class _Server:
    """A process that forks commands."""

    process: subprocess.Popen[bytes]
    asking: socket.socket
    modules: frozenset[str]

    @classmethod
    def started(cls, modules: frozenset[str]) -> Self:
        ours, theirs = socket.socketpair()
        statement = START.format(path=sys.path, fd=theirs.fileno(), modules=sorted(modules))
        process = subprocess.Popen(
            [sys.executable, "-c", statement], pass_fds=[theirs.fileno()], env={**os.environ, **HUGE_PAGES}
        )
        theirs.close()
        return cls(process, ours, modules)

    def stop(self) -> None:
        self.asking.close()
        self.process.wait()


_running: list[_Server] = []


def preload(*modules: str) -> None:
    """Have commands forked from a process that has imported these, and what earlier callers asked for."""
    if not _running:
        _running.append(_Server.started(frozenset(modules)))
    elif not _running[0].modules.issuperset(modules):
        _running[0].stop()
        _running[0] = _Server.started(_running[0].modules.union(modules))


class WarmProcess(subprocess.Popen[bytes]):
    """A command that was forked from the server, which is its parent and reports its end."""

    def __init__(self, command: Command, **streams: Any) -> None:
        preload()
        self._command = command
        self._report = -1
        super().__init__(["finclaw", *command.arguments], **streams)

    def _execute_child(self, *given: Any) -> None:
        """Start it, in the place of the fork of `Popen`; the descriptors of its streams are the arguments from ten on."""
        p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite = given[10:16]
        streams = [fd if fd != -1 else number for number, fd in enumerate((p2cread, c2pwrite, errwrite))]
        self._report, theirs = os.pipe()
        with tempfile.TemporaryFile() as asked:
            asked.write(pickle.dumps(self._command))
            asked.seek(0)
            socket.send_fds(_running[0].asking, [b"x"], [asked.fileno(), theirs, *streams])
        os.close(theirs)
        self.pid = self._reported()
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)

    def _reported(self) -> int:
        return int(b"".join(iter(lambda: os.read(self._report, 1).strip(), b"")))

    def _internal_poll(self, **_given: Any) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self._wait(0)
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if self.returncode is None:
            if not select.select([self._report], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = self._reported()
            os.close(self._report)
        return self.returncode


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

    Its streams are files, so that nothing has to be read while it runs. `before` is called in the process before the
    command begins.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        given.write(stdin or b"")
        given.seek(0)
        source = subprocess.DEVNULL if stdin is None else given
        command = Command(tuple(arguments), dict(env), cwd, before)
        process = WarmProcess(command, stdin=source, stdout=out, stderr=errors)
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"it does not end: {_whole(errors).decode()}") from None
        return code, _whole(out), _whole(errors)


def _whole(file: Any) -> bytes:
    file.seek(0)
    content: bytes = file.read()
    return content
