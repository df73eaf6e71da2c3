"""Every place where a run that is being recorded can be cut off, in one sequence, and every way of cutting it there.

A boundary is one write to a transcript, or one sync of it: between two of them nothing that survives the process
changes, except by tools, which run between the sync of an intent and the write of an outcome. The product knows nothing
of this: the process that is to fail replaces its own `os.write` and `os.fdatasync` before it begins.
"""

from __future__ import annotations

import errno
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

Way = Literal["killed before", "killed after", "torn", "disk full", "short write", "sync fails"]
WAYS: tuple[Way, ...] = get_args(Way)
OF_SYNC: frozenset[Way] = frozenset({"killed before", "killed after", "sync fails"})
OF_WRITE: frozenset[Way] = frozenset(WAYS) - {"sync fails"}


@dataclass(frozen=True)
class Fault:
    """What goes wrong, and at which boundary of the process, counted from 0.

    Tools that run side by side come to their boundaries in either order: where this one is no place for what is to go
    wrong, it goes wrong at the next that is.
    """

    at: int
    way: Way


@dataclass
class Boundaries:
    """Counts the boundaries of this process, writes down what each is, and lets one of them fail."""

    log: Path
    fault: Fault | None
    count: int = 0
    failed: bool = False

    def install(self) -> None:
        """From now on transcripts are written through here."""
        write, sync = os.write, os.fdatasync

        def faulty_write(fd: int, data: bytes) -> int:
            if not _is_transcript(fd):
                return write(fd, data)
            return self._written(write, fd, data, self._next("write"))

        def faulty_sync(fd: int) -> None:
            if not _is_transcript(fd):
                return sync(fd)
            return self._synced(sync, fd, self._next("sync"))

        os.write = faulty_write  # type: ignore[assignment]
        os.fdatasync = faulty_sync  # type: ignore[assignment]

    def _next(self, what: str) -> Way | None:
        with self.log.open("a") as log:
            log.write(f"{what}\n")
        self.count += 1
        if self.failed or self.fault is None or self.count <= self.fault.at or self.fault.way not in _ways(what):
            return None
        self.failed = True
        return self.fault.way

    def _written(self, write, fd: int, data: bytes, way: Way | None) -> int:
        match way:
            case "killed before":
                _die()
            case "torn":
                # At a place of its own for each boundary: near both ends, and anywhere between.
                write(fd, data[: (self.count * 7919) % len(data) or 1])
                _die()
            case "disk full":
                write(fd, data[: len(data) // 3])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            case "short write":
                return write(fd, data[: len(data) // 2])
        written = write(fd, data)
        if way == "killed after":
            _die()
        return written

    @staticmethod
    def _synced(sync, fd: int, way: Way | None) -> None:
        if way == "killed before":
            _die()
        if way == "sync fails":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        sync(fd)
        if way == "killed after":
            _die()


def faults(boundaries: list[str]) -> list[Fault]:
    """Every way at every boundary, of a run that had these."""
    return [Fault(at, way) for at, what in enumerate(boundaries) for way in WAYS if way in _ways(what)]


def _ways(what: str) -> frozenset[Way]:
    return OF_SYNC if what == "sync" else OF_WRITE


def _is_transcript(fd: int) -> bool:
    try:
        return Path(f"/proc/self/fd/{fd}").readlink().suffix == ".jsonl"
    except OSError:
        return False


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()
