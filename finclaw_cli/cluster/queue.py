"""The queue of batches in PostgreSQL, for any number of machines."""

from __future__ import annotations

from collections.abc import Callable

from finclaw_cli.batch.queue import Fault
from finclaw_cli.batch.sql_queue import SqlQueue
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import PATIENCE_S, PostgresDatabase
from finclaw_cli.cluster.member import ClusterMember


class PostgresQueue(SqlQueue):
    """A `BatchQueue` in PostgreSQL.

    Args:
        address: of the database.
        host: the machine.
        patience_s: how long a database that does not answer is asked again.
        notice: called with a line when it stops to answer, and when it answers again.
        fault: see `SqlQueue`.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        *,
        host: str | None = None,
        patience_s: float = PATIENCE_S,
        notice: Callable[[str], None] = lambda _: None,
        fault: Fault = lambda _: None,
    ) -> None:
        self.address = address
        """Of the database."""
        self.member = ClusterMember(host)
        """This process among the workers."""
        self._database = PostgresDatabase(address, self.member.id, patience_s=patience_s, notice=notice)
        super().__init__(self._database, self.member, self._database.now_ms, fault)
