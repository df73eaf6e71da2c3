"""One writer a session, across processes: a lock of the system's on a file beside the transcript, and one on itself.

The first can be waited for, and tells who has it; its file stays, because whoever unlinked it would let a second one
in. The second is what keeps that one from writing if somebody unlinks it all the same. Readers need no lock. A holder
that dies, however, frees both at once. On local file systems only: where the system has no such lock, that is an error,
not a guess.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.errors import SessionBusy

TIMEOUT_S = 5.0
_LONGEST_NOTE = 1_000


@contextmanager
def session_lock(transcript: Path, *, timeout_s: float = TIMEOUT_S) -> Iterator[None]:
    """Hold a session for writing.

    Raises:
        SessionBusy: another process has held it all the while; the message names it.
        OSError: the file system cannot lock.
    """
    import filelock

    place = transcript.with_suffix(".lock")
    lock = filelock.FileLock(
        place,
        timeout=timeout_s,
        mode=0o600,
        thread_local=False,
        fallback_to_soft=False,
        preserve_lock_file=True,
        on_acquired=_note,
    )
    try:
        lock.acquire()
    except filelock.Timeout:
        raise _busy(transcript) from None
    try:
        yield
    finally:
        lock.release()


def hold_file(fd: int, transcript: Path) -> None:
    """Hold the transcript itself, for as long as its descriptor is open, here or in a process forked meanwhile.

    Raises:
        SessionBusy: another writer holds it, or has put another file in its place.
        OSError: the file system cannot lock.
    """
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _busy(transcript) from None
    if os.fstat(fd).st_ino != transcript.stat().st_ino:
        raise _busy(transcript)


def _busy(transcript: Path) -> SessionBusy:
    return SessionBusy(
        f"the session {transcript.stem} is being written{_holder(transcript.with_suffix('.lock'))}",
        hint="Wait for it, or use another session.",
    )


def _note(fd: int) -> None:
    """Write down who holds it, for the message to those who wait."""
    note = {"pid": os.getpid(), "host": socket.gethostname(), "since": timestamp(datetime.now(UTC))}
    os.ftruncate(fd, 0)
    os.pwrite(fd, json.dumps(note).encode(), 0)


def _holder(place: Path) -> str:
    """By whom and since when, as far as it can be told; what the file says is nobody's promise."""
    try:
        with place.open("rb") as file:
            note = json.loads(file.read(_LONGEST_NOTE))
        return f" by process {int(note['pid'])} on {str(note['host'])[:80]!r} since {str(note['since'])[:30]}"
    except (OSError, ValueError, KeyError, TypeError):
        return " by another process"
