"""The command on a terminal of its own, read to its end."""

from __future__ import annotations

import os
import pty
import subprocess
import termios

from tests.e2e.harness import COMMAND, Finclaw

ROWS = 24


def on_terminal(finclaw: Finclaw, *arguments: str, columns: int | None = None, **env: str) -> tuple[int, bytes]:
    """Run with stdout and stderr on a pty; the exit code and every byte that reached it.

    `columns` is the width of the terminal itself, where it matters that nobody says it in a variable.
    """
    leader, follower = pty.openpty()
    if columns is not None:
        termios.tcsetwinsize(follower, (ROWS, columns))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        env={**finclaw.env(), **env},
        cwd=finclaw.cwd,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    seen = bytearray()
    try:
        while data := os.read(leader, 65_536):
            seen += data
    except OSError:  # Linux says so when the last writer has gone
        pass
    finally:
        os.close(leader)
    return process.wait(), bytes(seen)
