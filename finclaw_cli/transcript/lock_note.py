"""The note in the file of a session's lock: which process holds it, for those that wait and for the next holder."""

from __future__ import annotations

import json
import os
import socket
import time
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.record import record

LONGEST_NOTE = 1_000
_PROC = Path("/proc")
_STARTED = 19  # of the fields that come after the name, in ticks since the machine was started


@record(kw_only=True)
class Holder:
    """A process that holds a session. A note may be wrong, and one of an earlier version has no `started`."""

    pid: int
    host: str
    since: str
    """When it got the lock."""
    started: str | None = None
    """When the process was started, where the system has that: numbers of processes are used again."""

    @classmethod
    def this(cls) -> Holder:
        """This process, from now on."""
        now = timestamp(datetime.now(UTC))
        return cls(pid=os.getpid(), host=socket.gethostname(), since=now, started=_started(os.getpid()))

    @classmethod
    def of(cls, note: bytes) -> Holder | None:
        """The holder by its note; None where it cannot be read."""
        try:
            content = json.loads(note)
            started = content.get("started")
            return cls(
                pid=int(content["pid"]),
                host=str(content["host"])[:80],
                since=str(content["since"])[:30],
                started=str(started)[:30] if started is not None else None,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def note(self) -> bytes:
        """The note of this holder."""
        return json.dumps({"pid": self.pid, "host": self.host, "since": self.since, "started": self.started}).encode()

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host!r} since {self.since}"


@lru_cache(maxsize=1)
def _started(pid: int) -> str | None:
    """The time at which a process was started; None where there is no Linux."""
    try:
        ticks = int((_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[_STARTED])
    except OSError:
        return None
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return timestamp(datetime.fromtimestamp(time.time() - age_s, UTC))
