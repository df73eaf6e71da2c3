"""The processes that work on batches: each holds a lock, so that a dead one on this machine is known at once."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from finclaw_cli.batch.queue import LEASE_S
from finclaw_cli.batch.sql import Connection
from finclaw_cli.core.files import private_folder
from finclaw_cli.core.held_locks import held_lock, release_lock
from finclaw_cli.settings.paths import BATCH_WORKERS


def this_machine() -> str:
    """The machine since its start: its locks are known here."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()


class Worker:
    """This process among the workers of a data folder; its row and its lock are made with the first claim.

    Args:
        home: the data folder.
        machine: where locks of this process can be seen.
        now_ms: the time, in milliseconds since the epoch.
    """

    def __init__(self, home: Path, machine: str, now_ms: Callable[[], int]) -> None:
        self.id = secrets.token_hex(8)
        self._folder = home / BATCH_WORKERS
        self._machine = machine
        self._now_ms = now_ms
        self._lock: int | None = None

    def join(self, connection: Connection) -> None:
        """Hold the lock, and have a row."""
        if self._lock is None:
            private_folder(self._folder)
            self._lock = held_lock(self._place(self.id))
        row = (self.id, self._machine, self._lease())
        connection.execute("INSERT INTO workers (id, machine, lease) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING", row)

    def extend(self, connection: Connection) -> None:
        """Extend the lease."""
        connection.execute("UPDATE workers SET lease = ? WHERE id = ?", (self._lease(), self.id))

    def dead(self, connection: Connection) -> Iterator[str]:
        """The other workers that have died, or whose lease is over where that cannot be known."""
        others = connection.execute("SELECT id, machine, lease FROM workers WHERE id != ?", (self.id,)).fetchall()
        for other, machine, lease in others:
            is_dead = self._is_unlocked(other) if machine == self._machine else None
            if is_dead or (is_dead is None and lease < self._now_ms()):
                yield other

    @property
    def has_joined(self) -> bool:
        """Whether it has a row and a lock."""
        return self._lock is not None

    def resign(self, connection: Connection) -> None:
        """Remove the row, unless this worker still has items; they are taken back by the next claim of another one."""
        connection.execute(
            "DELETE FROM workers WHERE id = :id AND NOT EXISTS (SELECT 1 FROM items WHERE worker = :id)",
            {"id": self.id},
        )
        if connection.execute("SELECT 1 FROM workers WHERE id = ?", (self.id,)).fetchone() is None:
            self.forget(self.id)

    def leave(self) -> None:
        """Release the lock."""
        lock, self._lock = self._lock, None
        if lock is not None:
            release_lock(lock)

    def forget(self, other: str) -> None:
        """Remove the lock's file of a dead worker, whose row is gone."""
        with suppress(OSError):
            os.unlink(self._place(other))  # noqa: PTH108 - no lock of that name is ever made again

    def _lease(self) -> int:
        return self._now_ms() + int(LEASE_S * 1000)

    def _place(self, worker: str) -> Path:
        return self._folder / f"{worker}.lock"

    def _is_unlocked(self, other: str) -> bool | None:
        """Whether the lock of a worker is free; None where the file system cannot lock."""
        try:
            lock = held_lock(self._place(other))
        except OSError:
            return None
        if lock is None:
            return False
        release_lock(lock)
        return True
