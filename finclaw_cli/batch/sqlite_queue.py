"""The queue of batches in `batch.sqlite`, for one machine."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TypeVar

from finclaw_cli.batch import changes
from finclaw_cli.batch.queue import BatchItem, BatchStatus, Claim, Fault, NewItem, Outcome, QueueFailed, State
from finclaw_cli.batch.schema import ENDED, FILE, ITEMS, STATUSES, item_of, status_of, units
from finclaw_cli.batch.sqlite_buckets import SqliteBuckets
from finclaw_cli.batch.sqlite_rounds import SqliteRounds
from finclaw_cli.batch.sqlite_thread import SqliteThread, Work
from finclaw_cli.batch.workers import Worker, this_machine
from finclaw_cli.core import budget

Result = TypeVar("Result")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class SqliteQueue:
    """A `BatchQueue` in a data folder.

    Args:
        home: the data folder.
        machine: names the machine whose locks this process sees.
        now_ms: the time, in milliseconds since the epoch.
        fault: called at each boundary of each change: `claim:begin` before it, `claim:written` before it is committed,
            `commit` after that.
    """

    def __init__(
        self,
        home: Path,
        *,
        machine: str | None = None,
        now_ms: Callable[[], int] = _now_ms,
        fault: Fault = lambda _: None,
    ) -> None:
        self._now_ms = now_ms
        self._fault = fault
        self._worker = Worker(home, this_machine() if machine is None else machine, now_ms)
        self._thread = SqliteThread(lambda: FILE.opened(home), lambda: FILE.reported(home), lambda: fault("commit"))
        self.buckets = SqliteBuckets(self._thread, now_ms)
        """The rate limits of the servers that are asked."""
        self.rounds = SqliteRounds(self._change, now_ms)
        """The rounds in which providers are asked at half the price."""

    async def submit(self, batch: str, items: Sequence[NewItem], max_cost_usd: Decimal | None) -> None:
        most = None if max_cost_usd is None else units(max_cost_usd)
        await self._change("submit", lambda made: changes.submit(made, batch, items, most, self._now_ms()))

    async def claim(self, batch: str, most: int) -> Sequence[Claim]:
        return await self._change("claim", lambda made: changes.claim(made, self._worker, batch, most))

    async def heartbeat(self) -> None:
        await self._change("heartbeat", self._worker.extend)

    async def begin(self, claim: Claim, session: str, run_id: str) -> None:
        await self._change("begin", lambda made: changes.begin(made, self._worker.id, claim, session, run_id))

    async def finish(self, claim: Claim, outcome: Outcome) -> None:
        await self._change("finish", lambda made: changes.finish(made, self._worker.id, claim, outcome))

    async def release(self, claim: Claim) -> None:
        await self._change("release", lambda made: changes.release(made, self._worker.id, claim))

    async def reserve(self, claim: Claim, wanted: budget.AmountRange) -> Decimal | budget.BudgetStatus:
        return await self._change("reserve", lambda made: changes.reserve(made, self._worker.id, claim, wanted))

    async def settle(self, claim: Claim, reserved_usd: Decimal, cost_usd: Decimal | None) -> None:
        await self._change("settle", lambda made: changes.settle(made, claim, reserved_usd, cost_usd))

    async def recover(self, claim: Claim, cost_usd: Decimal) -> None:
        await self._change("recover", lambda made: changes.recover(made, self._worker.id, claim, cost_usd))

    async def status(self, batch: str) -> BatchStatus | None:
        rows = await self._rows(STATUSES, batch)
        return status_of(rows[0]) if rows else None

    async def batches(self) -> Sequence[BatchStatus]:
        return [status_of(row) for row in await self._rows(STATUSES, None)]

    async def ended(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        return [item_of(row) for row in await self._rows(ENDED, batch, after, most)]

    async def items(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        return [item_of(row) for row in await self._rows(ITEMS, batch, after, most)]

    async def retry(self, batch: str, states: Sequence[State], names: Sequence[str] = ()) -> int:
        return await self._change("retry", lambda made: changes.retry(made, batch, states, names))

    async def cancel(self, batch: str) -> int:
        return await self._change("cancel", lambda made: changes.cancel(made, batch))

    async def remove(self, batches: Sequence[str]) -> str | None:
        return await self._change("remove", lambda made: changes.remove(made, self._worker, batches))

    async def aclose(self) -> None:
        if self._worker.has_joined:
            with suppress(QueueFailed):
                await self._thread.change(self._worker.resign)
        await self._thread.aclose()
        self._worker.leave()

    async def _change(self, name: str, work: Work[Result], *, is_synced: bool = False) -> Result:
        return await self._thread.change(partial(self._faulty, name, work), is_synced=is_synced)

    async def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        return await self._change("read", lambda made: made.execute(query, values).fetchall())

    def _faulty(self, name: str, work: Work[Result], connection: sqlite3.Connection) -> Result:
        self._fault(f"{name}:begin")
        result = work(connection)
        self._fault(f"{name}:written")
        return result
