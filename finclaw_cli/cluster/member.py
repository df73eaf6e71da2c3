"""This process among the workers of a cluster: a row with a lease, by the clock of the database."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable
from typing import Final

from finclaw_cli import __version__
from finclaw_cli.batch.sql import Connection
from finclaw_cli.cluster.schema import VERSION

LEASE_S: Final = 30.0
"""How long a worker keeps its items without a heartbeat."""
_JOIN: Final = (
    "INSERT INTO workers (id, host, pid, version, finclaw, since, lease) "
    "VALUES (?, ?, ?, ?, ?, now_ms(), now_ms() + ?) ON CONFLICT (id) DO UPDATE SET lease = excluded.lease"
)
_DEAD: Final = "SELECT id FROM workers WHERE id != ? AND (has_left = 1 OR lease < now_ms())"


class ClusterMember:
    """A `Member` whose id is new at each start.

    Args:
        host: the machine.
        lease_s: how long it keeps its items without a heartbeat.
    """

    def __init__(self, host: str | None = None, lease_s: float = LEASE_S) -> None:
        self.lease_s = lease_s
        """How long it keeps its items without a heartbeat."""
        self._host = host or socket.gethostname()
        self.id = f"{self._host}-{secrets.token_hex(4)}"
        self.has_joined = False
        """Whether it is a worker."""

    def join(self, connection: Connection) -> None:
        """Have a row, with a lease from now on; the one of a worker that was taken for dead is made again."""
        lease_ms = int(self.lease_s * 1000)
        connection.execute(_JOIN, (self.id, self._host, os.getpid(), VERSION, __version__, lease_ms))
        self.has_joined = True

    def extend(self, connection: Connection) -> None:
        """Extend the lease."""
        self.join(connection)

    def dead(self, connection: Connection) -> Iterable[str]:
        """The other workers that have left, or whose lease is over."""
        return [other for (other,) in connection.execute(_DEAD, (self.id,)).fetchall()]

    def forget(self, other: str) -> None:
        """Nothing is kept of others here."""

    def resign(self, connection: Connection) -> None:
        """Remove the row, unless this worker still has items: they are taken back by the next claim of another one."""
        connection.execute("UPDATE workers SET has_left = 1 WHERE id = ?", (self.id,))
        connection.execute(
            "DELETE FROM workers WHERE id = :id AND NOT EXISTS (SELECT 1 FROM items WHERE worker = :id)",
            {"id": self.id},
        )

    def leave(self) -> None:
        """Nothing is held."""
