"""The tickets of a lane: files in a folder, each locked by one run for as long as it waits or has its place.

The lock is one of the system's (`flock`): a process that dies gives its tickets back at once. Tickets are numbered in
the order in which the runs came. A file becomes a ticket by its name, after it was locked: a ticket whose lock is free
is one of a process that died.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.files import private_folder
from finclaw_cli.core.held_locks import held_lock, is_held_here, release_lock
from finclaw_cli.core.record import record

LOCK = "lane.lock"
_NEW = "new"
_SUFFIX = ".ticket"
_LONGEST_NOTE = 1_000


@record(kw_only=True)
class TicketNote:
    """What a ticket has about its run; a field is None where it cannot be read."""

    has_place: bool
    pid: int | None = None
    host: str | None = None
    since: str | None = None
    """When the run came."""
    session: str | None = None


class Ticket:
    """The place of one run in a lane."""

    def __init__(self, path: Path, fd: int, before: Iterable[Path], session: str) -> None:
        self._path = path
        self._fd = fd
        self._before = list(before)
        self._note = {"pid": os.getpid(), "host": os.uname().nodename, "since": _now(), "session": session}
        os.ftruncate(fd, 0)  # what a process left that died while it made one
        self._write_note(has_place=False)

    @property
    def ahead(self) -> int:
        """How many runs were before this one when that was looked at last."""
        return len(self._before)

    def is_next(self, max_running: int) -> bool:
        """Whether fewer than `max_running` of the runs that came before this one are left."""
        left = 0
        for path in tuple(self._before):  # those that run come first: few are looked at
            if not _is_held(path):
                self._before.remove(path)
                continue
            left += 1
            if left == max_running:
                return False
        return True

    def admit(self) -> None:
        """Note that the run has its place."""
        self._write_note(has_place=True)

    def close(self) -> None:
        """Give the place back."""
        if is_held_here(self._fd):  # pragma: no branch - but in a forked process, which has closed it
            with suppress(OSError):
                self._path.unlink()
            release_lock(self._fd)

    def _write_note(self, *, has_place: bool) -> None:
        os.pwrite(self._fd, json.dumps({"place": int(has_place), **self._note}).encode(), 0)  # of the same length


class LaneFolder:
    """The folder of one agent's lane."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Lock the lane for a moment, in which tickets are counted and added; False where another process does.

        Raises:
            OSError: the folder cannot be made or written, or its file system cannot lock.
        """
        private_folder(self.path)
        fd = held_lock(self.path / LOCK)
        try:
            yield fd is not None
        finally:
            if fd is not None:
                release_lock(fd)

    def tickets(self) -> list[Path]:
        """The tickets whose runs are there, in their order; those of dead processes are removed. The lane is locked."""
        found = _tickets(self.path)
        held = [path for path in found if _is_held(path)]
        for path in set(found).difference(held):
            path.unlink(missing_ok=True)
        return held

    def add(self, before: list[Path], session: str) -> Ticket:
        """A ticket after all others. The lane is locked."""
        number = _number(before[-1]) + 1 if before else 1
        new, path = self.path / _NEW, self.path / f"{number:012}{_SUFFIX}"
        fd = held_lock(new)
        if fd is None:
            raise BlockingIOError(f"{new} is locked")
        try:
            ticket = Ticket(path, fd, before, session)
            new.replace(path)
        except BaseException:
            release_lock(fd)
            raise
        return ticket


def ticket_notes(folder: Path) -> list[TicketNote]:
    """The notes of the runs in a lane, in their order. Nothing is changed.

    Raises:
        OSError: the folder cannot be read.
    """
    return [_read_note(path) for path in _tickets(folder) if _is_held(path)]


def _read_note(path: Path) -> TicketNote:
    try:
        with path.open("rb") as file:
            content = json.loads(file.read(_LONGEST_NOTE))
        return TicketNote(
            has_place=bool(content["place"]),
            pid=int(content["pid"]),
            host=str(content["host"]),
            since=str(content["since"]),
            session=str(content["session"]),
        )
    except (OSError, ValueError, KeyError, TypeError):  # it was given back meanwhile, or is not ours
        return TicketNote(has_place=False)


def _tickets(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix == _SUFFIX and path.stem.isdecimal())


def _number(ticket: Path) -> int:
    return int(ticket.stem)


def _is_held(ticket: Path) -> bool:
    """Whether the process of a ticket lives and has not given it back; one that cannot be opened is taken to be."""
    try:
        fd = os.open(ticket, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: two that look do not see each other
    except OSError:
        return True
    finally:
        os.close(fd)
    return False


def _now() -> str:
    return timestamp(datetime.now(UTC))
