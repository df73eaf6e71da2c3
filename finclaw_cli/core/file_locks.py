"""Locks between processes, and between the threads of one, around a file that is read, changed and written again."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 10.0
LOOK_AGAIN_S = 0.01


@contextmanager
def locked(path: Path, timeout_s: float = PATIENCE_S) -> Iterator[None]:
    """Hold the lock of a file: a file beside it, which stays. It is free again when its holder dies.

    Raises:
        TimeoutError: another process or thread has held it all the while.
        OSError: the lock's file cannot be made, or this file system has no locks.
    """
    import fcntl  # most commands change no file

    place = path.with_name(f"{path.name}.lock")
    fd = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        _wait(fd, place, timeout_s)
        try:
            yield
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)  # also what a process forked meanwhile has of it
    finally:
        os.close(fd)


def _wait(fd: int, place: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not _tried(fd):
        if time.monotonic() >= deadline:
            raise TimeoutError(errno.ETIMEDOUT, f"locked by another process for {timeout_s:g} s", str(place))
        time.sleep(LOOK_AGAIN_S)


def _tried(fd: int) -> bool:
    import fcntl

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
