"""Files that this process holds locked by their descriptors, of which a process that it forks keeps none.

A copy would hold the lock after this process has died.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_held: set[int] = set()


def _forget() -> None:
    while _held:  # pragma: no cover - in a forked process, which tests/faults ends
        os.close(_held.pop())


os.register_at_fork(after_in_child=_forget)


def held_lock(path: Path) -> int | None:
    """The descriptor of a file, which is made if need be, locked; None where another process has locked it.

    Raises:
        OSError: it cannot be opened or made, or its file system cannot lock.
    """
    fd = os.open(path, _FLAGS, 0o600)
    _held.add(fd)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        release_lock(fd)
        if isinstance(error, BlockingIOError):
            return None
        raise
    return fd


def is_held_here(fd: int) -> bool:
    """Whether this very process holds the lock: one that was forked from its holder does not."""
    return fd in _held


def release_lock(fd: int) -> None:
    """Unlock and close the file."""
    _held.remove(fd)
    with suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_UN)  # also what a program that is being started has of it
    os.close(fd)
