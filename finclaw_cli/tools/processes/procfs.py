"""Processes by /proc: parents and children, and which are alive. Without /proc there are none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from finclaw_cli.core.record import record

PROC = "/proc"
READ_BYTES = 65_536
GONE = frozenset({"Z", "X", "x"})
# The fields of /proc/PID/stat, counted from the one behind the program's name.
STATE, PARENT, GROUP, SESSION, START = 0, 1, 2, 3, 19


@record
class Process:
    """A living process. Its number may be given to another one later; number and start together may not."""

    pid: int
    parent: int
    group: int
    session: int
    start: int
    """In clock ticks since the system started."""

    @property
    def is_alive(self) -> bool:
        now = look(self.pid)
        return now is not None and now.start == self.start


def look(pid: int) -> Process | None:
    """The living process of that number; a zombie is none, it only waits to be asked how it ended."""
    text = _read(f"{PROC}/{pid}/stat")
    fields = text.rpartition(b")")[2].split()  # a program may have any name
    if len(fields) <= START or fields[STATE].decode() in GONE:
        return None
    return Process(pid, int(fields[PARENT]), int(fields[GROUP]), int(fields[SESSION]), int(fields[START]))


def children_of_thread(tid: int) -> list[Process]:
    """The living children that one thread of ours has started (its first thread: also those we adopted)."""
    return list(_alive(_numbers(f"{PROC}/self/task/{tid}/children")))


def descendants(pid: int) -> list[Process]:
    """The living children of a process, theirs, and so on."""
    found: dict[int, Process] = {}
    waiting = [pid]
    while waiting:
        for process in _children(waiting.pop()):
            if process.pid not in found:  # pragma: no branch - but for a process that moves between two looks
                found[process.pid] = process
                waiting.append(process.pid)
    return list(found.values())


def everybody() -> list[Process]:
    """Every living process that can be seen."""
    with suppress(OSError):
        return list(_alive(int(name) for name in os.listdir(PROC) if name.isdecimal()))  # noqa: PTH208 - pure text
    return []  # pragma: no cover - another system than Linux


def _children(pid: int) -> Iterator[Process]:
    with suppress(OSError):
        for tid in os.listdir(f"{PROC}/{pid}/task"):  # noqa: PTH208 - pure text
            yield from _alive(_numbers(f"{PROC}/{pid}/task/{tid}/children"))


def _alive(pids: Iterable[int]) -> Iterator[Process]:
    return (process for pid in pids if (process := look(pid)) is not None)


def _numbers(path: str) -> list[int]:
    return [int(number) for number in _read(path).split()]


def _read(path: str) -> bytes:
    """A small file of /proc, as cheaply as can be; nothing where it is gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, READ_BYTES)
    except OSError:  # pragma: no cover - the process ended meanwhile
        return b""
    finally:
        os.close(fd)
