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

from finclaw_cli.usage.failures import still_kept

_POLL_S = 0.01


@contextmanager
def one_at_a_time(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock beside a ledger, which is free again when its holder dies; its file stays.

    It is not a lock of `filelock`: that waits in `release` for a fork that begins, while the fork waits for the thread
    that uses the ledger (`usage.forks`), and neither would end.

    Raises:
        LedgerBusy: another process held it all the while.
        OSError: the lock's file cannot be made.
    """
    name = path.with_name(f"{path.name}.lock")
    fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if not _is_acquired(fd, time.monotonic() + timeout_s):
            raise still_kept(path, timeout_s)
        try:
            yield
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)  # a process that was forked meanwhile has a copy of the descriptor
    finally:
        os.close(fd)


def _is_acquired(fd: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
        else:
            return True
