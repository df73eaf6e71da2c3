"""The queue of batches in PostgreSQL, for any number of machines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from finclaw_cli.batch import sql_changes
from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.batch.queue import Fault, NewItem, State
from finclaw_cli.batch.schema import amount, units
from finclaw_cli.batch.sql import Connection
from finclaw_cli.batch.sql_queue import SqlQueue
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import PATIENCE_S, QueueDatabase
from finclaw_cli.cluster.member import LEASE_S, ClusterMember
from finclaw_cli.cluster.schema import VERSION
from finclaw_cli.cluster.status import BatchToRun, WorkerStatus
from finclaw_cli.core.json_text import JsonObject, dump_line

_OPEN: Final = "EXISTS (SELECT 1 FROM items WHERE batch = batches.id AND state IN ('waiting', 'running'))"
_TO_RUN: Final = f"""
SELECT id, setup, most FROM batches WHERE version = ? AND cancelled = 0 AND stopped IS NULL AND {_OPEN}
AND NOT EXISTS (SELECT 1 FROM refusals WHERE batch = batches.id AND worker = ?) ORDER BY created, id
"""  # noqa: S608 - ours
_OF_OTHERS: Final = """
SELECT version, sum(items) FROM batches JOIN counts ON batch = id
WHERE version != ? AND cancelled = 0 AND state = 'waiting' GROUP BY version ORDER BY version
"""
_WORKERS: Final = """
SELECT id, version, finclaw, (now_ms() - since) / 1000, (lease - now_ms()) / 1000, has_left,
    (SELECT count(*) FROM items WHERE worker = workers.id) FROM workers ORDER BY since, id
"""
_REFUSE: Final = (
    "INSERT INTO refusals (worker, batch, reason) VALUES (?, ?, ?) "
    "ON CONFLICT (worker, batch) DO UPDATE SET reason = excluded.reason"
)


class PostgresQueue(SqlQueue):
    """A `BatchQueue` in PostgreSQL.

    Args:
        address: of the database.
        host: the machine.
        lease_s: how long this process, as a worker, keeps its items without a heartbeat.
        patience_s: how long a database that does not answer is asked again.
        notice: called with a line when it stops to answer, and when it answers again.
        fault: see `SqlQueue`.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        *,
        host: str | None = None,
        lease_s: float = LEASE_S,
        patience_s: float = PATIENCE_S,
        notice: Callable[[str], None] = lambda _: None,
        fault: Fault = lambda _: None,
    ) -> None:
        self.address = address
        """Of the database."""
        self.member = ClusterMember(host, lease_s)
        """This process among the workers."""
        self.database = QueueDatabase(address, self.member.id, patience_s=patience_s, notice=notice)
        """Makes the transactions."""
        super().__init__(self.database, self.member, self.database.now_ms, fault)

    async def submit_to_workers(
        self, batch: str, items: Sequence[NewItem], max_cost_usd: Decimal | None, setup: JsonObject
    ) -> None:
        """Add a batch that workers run; of one that is there, the limit of its cost is set, and it goes on."""
        most, text = None if max_cost_usd is None else units(max_cost_usd), dump_line(setup)

        def work(made: Connection) -> None:
            sql_changes.submit(made, batch, items, most, self._now_ms())
            change = "UPDATE batches SET version = ?, setup = ?, stopped = NULL WHERE id = ?"
            made.execute(change, (VERSION, text, batch))

        await self._change("submit", work)

    async def retry(self, batch: str, states: Sequence[State], names: Sequence[str] = ()) -> int:
        def work(made: Connection) -> int:
            made.execute("UPDATE batches SET stopped = NULL WHERE id = ?", (batch,))
            return sql_changes.retry(made, batch, states, names)

        return await self._change("retry", work)

    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return await self._rows(query, *values)

    async def join(self) -> None:
        """Become a worker."""
        await self._change("join", self.member.join)

    async def take_back(self) -> None:
        """Let the items of dead workers wait again."""
        await self._change("take_back", lambda made: sql_changes.take_back(made, self.member))

    async def to_run(self) -> Sequence[BatchToRun]:
        """The batches with items that have not ended which this worker may run, the oldest first."""
        rows: Sequence[tuple[str, str, int | None]] = await self._rows(_TO_RUN, VERSION, self.member.id)  # type: ignore[assignment]
        return [
            BatchToRun(id=batch, setup=json.loads(setup), max_cost_usd=None if most is None else amount(most))
            for batch, setup, most in rows
        ]

    async def of_other_versions(self) -> Mapping[int, int]:
        """How many items wait for workers of other versions, by these."""
        rows: Sequence[tuple[int, int]] = await self._rows(_OF_OTHERS, VERSION)  # type: ignore[assignment]
        return {version: int(count) for version, count in rows}

    async def workers(self) -> Sequence[WorkerStatus]:
        """All workers, the oldest first; those that have died are there until their items are taken back."""
        rows: Sequence[tuple[str, int, str, int, int, int, int]] = await self._rows(_WORKERS)  # type: ignore[assignment]
        return [
            WorkerStatus(
                id=worker, version=version, finclaw=finclaw, up_s=int(up_s),
                is_alive=left_s >= 0 and not has_left, items=items,
            )
            for worker, version, finclaw, up_s, left_s, has_left, items in rows
        ]  # fmt: skip

    async def version(self, batch: str) -> int:
        """The version of the workers that run a batch."""
        rows = await self._rows("SELECT version FROM batches WHERE id = ?", batch)
        return int(str(rows[0][0])) if rows else VERSION

    async def stop(self, batch: str, stop: BatchStop) -> None:
        """Let no worker run a batch, until it is submitted again."""
        about = dump_line({"exit_code": stop.exit_code, "message": stop.message, "hint": stop.hint})
        await self._rows_changed("UPDATE batches SET stopped = ? WHERE id = ?", about, batch)

    async def stopped(self, batch: str) -> BatchStop | None:
        """Why no worker runs a batch; None where workers may."""
        rows = await self._rows("SELECT stopped FROM batches WHERE id = ? AND stopped IS NOT NULL", batch)
        return BatchStop(**json.loads(str(rows[0][0]))) if rows else None

    async def refuse(self, batch: str, reason: str) -> None:
        """Write down why this worker cannot run a batch."""
        await self._rows_changed(_REFUSE, self.member.id, batch, reason)

    async def refusals(self, batch: str) -> Mapping[str, str]:
        """Why workers cannot run a batch, by their ids."""
        rows = await self._rows("SELECT worker, reason FROM refusals WHERE batch = ? ORDER BY worker", batch)
        return {str(worker): str(reason) for worker, reason in rows}

    async def sessions(self, batch: str) -> Sequence[str]:
        """The names of the sessions of a batch of which there are transcripts."""
        rows = await self._rows("SELECT DISTINCT session FROM records WHERE batch = ? ORDER BY session", batch)
        return [str(name) for (name,) in rows]

    async def _rows_changed(self, statement: str, *values: object) -> None:
        await self._change("change", lambda made: made.execute(statement, values))
