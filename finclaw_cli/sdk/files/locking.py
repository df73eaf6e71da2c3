"""The lock of a folder, held by one call at a time: of all threads, and of all processes on this machine.

It is the `flock` of the folder itself, so that it needs no file and is released when its holder dies. It covers the
reading of a file, the check that it is unchanged, and the rename.
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

from finclaw_cli.sdk.files.names import shown
from finclaw_cli.sdk.files.refusal import Refused
from finclaw_cli.sdk.files.root import Target

PATIENCE_S, LOOK_AGAIN_S = 5.0, 0.005
# The errors of file systems that cannot lock folders, such as network file systems.
_CANNOT = frozenset(
    {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EISDIR}
)
# The lock of this process's threads, for those file systems.
_here = threading.Lock()


@contextmanager
def locked(target: Target, is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Hold the lock of a target's folder while its file is read and replaced.

    Raises:
        Refused: another call holds it for too long, or this one was cancelled.
    """
    if target.folder is None:
        yield
        return
    release = _acquired(target.folder, target, is_cancelled)
    try:
        yield
    finally:
        release()


def _acquired(folder: int, target: Target, is_cancelled: Callable[[], bool]) -> Callable[[], object]:
    """Wait for the lock; return the function that releases it."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        if (release := _tried(folder)) is not None:
            return release
        if is_cancelled():
            raise Refused("CANCELLED", "the call was cancelled; nothing was written.")
        if time.monotonic() >= deadline:
            raise Refused("BUSY", f"another call keeps the folder of {shown(target.parts)} locked. Try again.")
        time.sleep(LOOK_AGAIN_S)


def _tried(folder: int) -> Callable[[], object] | None:
    try:
        flock(folder, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return None
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
        return _here.release if _here.acquire(blocking=False) else None
    return lambda: flock(folder, LOCK_UN)
