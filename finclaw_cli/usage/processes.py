"""Whether a process that left a note is still there; where that is unknown, it is taken to be."""

from __future__ import annotations

import os
import socket
from functools import lru_cache
from pathlib import Path

from finclaw_cli.core.record import record

_PROC = Path("/proc")
_BOOT = _PROC / "sys" / "kernel" / "random" / "boot_id"
_NAMESPACE = _PROC / "self" / "ns" / "pid"
_STATE, _STARTED = 0, 19  # of the fields that come after the name


@record
class Process:
    """A process that can be known again: numbers are used again, by others and on other machines."""

    place: str
    """The machine as it was started, and the container: where the number means this process."""
    pid: int
    started: str
    """Since when, in the system's own words; empty where it does not say."""

    @classmethod
    def this(cls) -> Process:
        """The one that asks."""
        pid = os.getpid()
        return cls(_place(), pid, _state_and_start(pid)[1])

    def is_alive(self) -> bool:
        """Whether it is certain that it runs: not another one with its number."""
        state, started = _state_and_start(self.pid)
        return self.place == _place() and bool(state) and state not in "ZX" and started == self.started

    def is_dead(self) -> bool:
        """Whether it is certain that it is no more."""
        if self.place != _place():
            return False
        state, started = _state_and_start(self.pid)
        if state:
            return state in "ZX" or started != self.started
        return not _answers(self.pid)


@lru_cache(maxsize=1)
def _place() -> str:
    try:
        return f"{_BOOT.read_text().strip()} {_NAMESPACE.readlink()}"
    except OSError:
        return socket.gethostname()


def _state_and_start(pid: int) -> tuple[str, str]:
    """The state and the start of a process, by /proc; empty where there is no Linux, or no such process."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()  # a name may have spaces and brackets in it
    return fields[_STATE], fields[_STARTED]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
