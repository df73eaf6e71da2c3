"""The command on a terminal of its own, read to its end."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import termios
from collections.abc import Mapping
from typing import Any

from tests.e2e.harness import COMMAND, Finclaw
from tests.e2e.warm import WarmProcess
from tests.e2e.warm_server import Command

ROWS = 24


def on_terminal(finclaw: Finclaw, *arguments: str, columns: int | None = None, **env: str) -> tuple[int, bytes]:
    """Run with stdout and stderr on a pty; the exit code and every byte that reached it.

    `columns` is the width of the terminal itself, for tests in which no variable states it.
    """
    leader, follower = pty.openpty()
    if columns is not None:
        termios.tcsetwinsize(follower, (ROWS, columns))
    command = Command(arguments, {**finclaw.env(), **env}, finclaw.cwd)
    process = WarmProcess(command, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower)
    os.close(follower)
    seen = bytearray()
    try:
        while data := os.read(leader, 65_536):
            seen += data
    except OSError:  # an error on Linux when the last writer has gone
        pass
    finally:
        os.close(leader)
    return process.wait(), bytes(seen)


def start_on_terminal(
    finclaw: Finclaw,
    follower: int,
    *arguments: str,
    env: Mapping[str, str],
    shell: tuple[str, ...] = (),
    **streams: Any,
) -> subprocess.Popen[bytes]:
    """Start the command with this controlling terminal; `shell` begins the command that starts it."""
    env = {**finclaw.env(), "TERM": "xterm-256color", **env}
    if not shell:
        terminal = os.ttyname(follower)
        return WarmProcess(Command(arguments, env, finclaw.cwd, new_session=True, terminal=terminal), **streams)
    return subprocess.Popen(
        [*shell, *COMMAND, *arguments],
        env=env,
        cwd=finclaw.cwd,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(follower, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no thread runs here
        **streams,
    )
