"""One process at a time, where SQLite's own locks are not enough: to make the file, and to empty its log.

SQLite before 3.51.3 can damage a database when two connections empty its log (checkpoint) at the same moment.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.ledger.failures import still_kept

_AGAIN_S = 0.01


@contextmanager
def one_at_a_time(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock beside a ledger, which is free again when its holder dies; its file stays.

    Raises:
        LedgerBusy: somebody else held it all the while.
        OSError: the lock's file cannot be made.
    """
    name = path.with_name(f"{path.name}.lock")
    fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _lock(fd, path, timeout_s)
        try:
            yield
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)  # or a process forked meanwhile would go on holding it
    finally:
        os.close(fd)


def _lock(fd: int, path: Path, timeout_s: float) -> None:
    until = time.monotonic() + timeout_s
    while True:
        try:
            return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise still_kept(path, timeout_s) from None
        time.sleep(_AGAIN_S)
