"""One writer a session, across processes: a lock of the system's on a file beside the transcript, and one on itself.

The first can be waited for, and names its holder; its file stays, because unlinking it would let a second one
in. The second is what keeps that one from writing if it is unlinked all the same. Readers need no lock. A holder
that dies frees both at once.

Where the system has no such lock (some network file systems), a marker file takes its place, with the holder's process,
its start and its machine: one that died on this machine is noticed; one on another is never guessed to be dead, since
two writers would be worse than a file that has to be removed by hand.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from finclaw_cli.core.errors import SessionBusy
from finclaw_cli.core.held_locks import held_lock, is_held_here, release_lock
from finclaw_cli.transcript.lock_note import LONGEST_NOTE, Holder

TIMEOUT_S = 5.0
_SETTLED = b', "settled": true}'
_NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP})


@dataclass(slots=True)
class Held:
    """How a session's lock was come by."""

    waited_s: float = 0.0
    holder: Holder = field(default_factory=Holder.this)
    """This process."""
    stale: Holder | None = None
    """The holder before that died with the lock; None where there was none."""
    by_marker: Path | None = None
    """The marker file, where the file system cannot lock."""
    note: bytes = field(default=b"", repr=False)


@contextmanager
def session_lock(transcript: Path, *, timeout_s: float = TIMEOUT_S) -> Iterator[Held]:
    """Hold a session for writing.

    Raises:
        SessionBusy: another process has held it all the while; the message names it.
        OSError: the lock's file cannot be written.
    """
    held = Held()
    began = time.monotonic()
    try:
        with _locked(transcript, timeout_s, held):
            held.waited_s = time.monotonic() - began
            yield held
    except OSError as error:
        if error.errno not in _NO_LOCKS or held.note:
            raise
        with _marked(transcript, timeout_s, held):
            yield held


@contextmanager
def _locked(transcript: Path, timeout_s: float, held: Held) -> Iterator[None]:
    place = transcript.with_suffix(".lock")

    def acquired(fd: int) -> None:
        held.stale = Holder.of(os.pread(fd, LONGEST_NOTE, 0))
        held.holder = Holder.this()
        held.note = held.holder.note()
        os.ftruncate(fd, 0)
        os.pwrite(fd, held.note, 0)

    if (fd := _free(place)) is not None:
        try:
            acquired(fd)
            yield
        finally:
            if is_held_here(fd):  # pragma: no branch - but in a forked process, which has closed it
                _release(place, held.note)
                release_lock(fd)
        return
    with _waited_for(transcript, place, timeout_s, acquired):
        try:
            yield
        finally:
            _release(place, held.note)


def _free(place: Path) -> int | None:
    """The lock's file, locked, where it is free; all else is for the library, whose import takes its time."""
    try:
        fd = held_lock(place)
    except OSError:
        return None
    if fd is not None and os.fstat(fd).st_nlink == 0:  # removed between the two: it would exclude no one
        release_lock(fd)
        return None
    return fd


@contextmanager
def _waited_for(transcript: Path, place: Path, timeout_s: float, acquired: Callable[[int], None]) -> Iterator[None]:
    import filelock

    lock = filelock.FileLock(
        place,
        timeout=timeout_s,
        mode=0o600,
        thread_local=False,
        fallback_to_soft=False,
        preserve_lock_file=True,
        on_acquired=acquired,
    )
    try:
        lock.acquire()
    except filelock.Timeout:
        raise _busy(transcript) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _marked(transcript: Path, timeout_s: float, held: Held) -> Iterator[None]:
    import filelock

    held.by_marker = transcript.with_suffix(".held")
    lock = filelock.SoftFileLock(held.by_marker, timeout=timeout_s, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise SessionBusy(
            f"the session {transcript.stem} is being written: {held.by_marker} exists",
            hint="Wait for it, or remove that file if its writer is gone: this file system cannot tell.",
        ) from None
    try:
        yield
    finally:
        lock.release()


def _release(place: Path, note: bytes) -> None:
    """Take our note off the lock: one that stays means that its holder died."""
    with suppress(OSError), place.open("r+b") as file:
        if file.read(LONGEST_NOTE) == note:
            file.truncate(0)


def recover_dead(folder: Path, recover: Callable[[Path], None]) -> None:
    """Call `recover` with each transcript whose writer died, once a death, unless it was opened since.

    No lock is held meanwhile.
    """
    for place in sorted(folder.glob("*.lock")):
        note = _note_of_dead(place)
        if note and not _is_settled(note):
            recover(place.with_suffix(".jsonl"))
            _note_of_dead(place, settled=note)


def _note_of_dead(place: Path, *, settled: bytes = b"") -> bytes:
    """What a holder that died left; nothing where the lock is held or was given back. The note `settled` is marked."""
    with suppress(OSError), place.open("r+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        note = file.read(LONGEST_NOTE) or b""
        if note and note == settled:
            file.seek(0)
            file.write(note.rstrip(b"}") + _SETTLED)
        return note
    return b""


def _is_settled(note: bytes) -> bool:
    return note.endswith(_SETTLED)


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
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    if os.fstat(fd).st_ino != transcript.stat().st_ino:
        raise _busy(transcript)


def _busy(transcript: Path) -> SessionBusy:
    holder = holder_of(transcript)
    return SessionBusy(
        f"the session {transcript.stem} is being written by {holder or 'another process'}",
        hint="Wait for it, or use another session.",
    )


def is_held(transcript: Path) -> bool:
    """Whether a process writes the session, or may do so where the file system cannot lock. Nothing is changed."""
    if transcript.with_suffix(".held").exists():
        return True
    place = transcript.with_suffix(".lock")
    if not _note_of(place):  # a lock that was given back: who wants it now shall find it free
        return False
    try:
        with place.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # without locks a marker is what counts
        return False
    return False


def holder_of(transcript: Path) -> Holder | None:
    """The process in the note of a session that is held; None where it is not named."""
    return Holder.of(_note_of(transcript.with_suffix(".lock")))


def _note_of(place: Path) -> bytes:
    try:
        with place.open("rb") as file:
            return file.read(LONGEST_NOTE)
    except OSError:
        return b""
