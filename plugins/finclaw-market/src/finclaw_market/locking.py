"""The lock of a folder: one tool at a time looks at a file there and replaces it, of all threads and processes.

It is the folder's own (`flock`), which finclaw-workspace takes as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

from finclaw_cli.sdk import no_data

PATIENCE_S, LOOK_AGAIN_S = 5.0, 0.005


@contextmanager
def folder_locked(folder: int) -> Iterator[None]:
    """Hold the lock of an open folder; on a file system that locks no folders there is none to hold.

    Raises:
        ToolError: BUSY: another call holds it for too long.
    """
    deadline = time.monotonic() + PATIENCE_S
    while not _taken(folder):
        if time.monotonic() >= deadline:
            raise no_data("another call keeps the folder locked; try again", code="BUSY")
        time.sleep(LOOK_AGAIN_S)
    try:
        yield
    finally:
        with suppress(OSError):
            flock(folder, LOCK_UN)


def _taken(folder: int) -> bool:
    try:
        flock(folder, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
