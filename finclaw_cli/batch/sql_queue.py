"""A queue of batches in the tables of a database, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial

from finclaw_cli.batch import sql_changes
from finclaw_cli.batch.queue import BatchItem, BatchStatus, Claim, Fault, NewItem, Outcome, QueueFailed, State
from finclaw_cli.batch.schema import ALL_STATUSES, ENDED, ITEMS, STATUS, item_of, statuses_of, units
from finclaw_cli.batch.sql import Connection, Database, Result, Work
from finclaw_cli.batch.sql_buckets import SqlBuckets
from finclaw_cli.batch.sql_changes import Member
from finclaw_cli.batch.sql_rounds import SqlRounds
from finclaw_cli.batch.sql_thread import SqlThread
from finclaw_cli.core import budget


class SqlQueue:
    """A `BatchQueue` in a database.

    Args:
        database: where the tables are.
        member: this process among the workers.
        now_ms: the time, in milliseconds since the epoch; called within transactions.
        fault: called at each boundary of each change: `claim:begin` before it, `claim:written` before it is committed,
            `commit` after that.
    """

    def __init__(
        self, database: Database, member: Member, now_ms: Callable[[], int], fault: Fault = lambda _: None
    ) -> None:
        self._now_ms = now_ms
        self._fault = fault
        self._member = member
        self._thread = SqlThread(database, lambda: fault("commit"))
        self.buckets = SqlBuckets(self._thread, now_ms)
        """The rate limits of the servers that are asked."""
        self.rounds = SqlRounds(self._change, now_ms)
        """The rounds in which providers are asked at half the price."""

    async def submit(self, batch: str, items: Sequence[NewItem], max_cost_usd: Decimal | None) -> None:
        most = None if max_cost_usd is None else units(max_cost_usd)
        await self._change("submit", lambda made: sql_changes.submit(made, batch, items, most, self._now_ms()))

    async def claim(self, batch: str, most: int) -> Sequence[Claim]:
        return await self._change("claim", lambda made: sql_changes.claim(made, self._member, batch, most))

    async def heartbeat(self) -> None:
        await self._change("heartbeat", self._member.extend)

    async def begin(self, claim: Claim, session: str, run_id: str) -> None:
        await self._change("begin", lambda made: sql_changes.begin(made, self._member.id, claim, session, run_id))

    async def finish(self, claim: Claim, outcome: Outcome) -> None:
        await self._change("finish", lambda made: sql_changes.finish(made, self._member.id, claim, outcome))

    async def release(self, claim: Claim) -> None:
        await self._change("release", lambda made: sql_changes.release(made, self._member.id, claim))

    async def reserve(self, claim: Claim, wanted: budget.AmountRange) -> Decimal | budget.BudgetStatus:
        return await self._change("reserve", lambda made: sql_changes.reserve(made, self._member.id, claim, wanted))

    async def settle(self, claim: Claim, reserved_usd: Decimal, cost_usd: Decimal | None) -> None:
        await self._change("settle", lambda made: sql_changes.settle(made, claim, reserved_usd, cost_usd))

    async def recover(self, claim: Claim, cost_usd: Decimal) -> None:
        await self._change("recover", lambda made: sql_changes.recover(made, self._member.id, claim, cost_usd))

    async def status(self, batch: str) -> BatchStatus | None:
        found = statuses_of(await self._rows(STATUS, batch))
        return found[0] if found else None

    async def is_cancelled(self, batch: str) -> bool:
        return bool(await self._rows("SELECT 1 FROM batches WHERE id = ? AND cancelled = 1", batch))

    async def batches(self) -> Sequence[BatchStatus]:
        return statuses_of(await self._rows(ALL_STATUSES))

    async def ended(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        return [item_of(row) for row in await self._rows(ENDED, batch, after, most)]

    async def items(self, batch: str, after: int, most: int) -> Sequence[BatchItem]:
        return [item_of(row) for row in await self._rows(ITEMS, batch, after, most)]

    async def retry(self, batch: str, states: Sequence[State], names: Sequence[str] = ()) -> int:
        return await self._change("retry", lambda made: sql_changes.retry(made, batch, states, names))

    async def cancel(self, batch: str) -> int:
        return await self._change("cancel", lambda made: sql_changes.cancel(made, batch))

    async def remove(self, batches: Sequence[str]) -> str | None:
        return await self._change("remove", lambda made: sql_changes.remove(made, self._member, batches))

    async def aclose(self) -> None:
        if self._member.has_joined:
            with suppress(QueueFailed):
                await self._thread.change(self._member.resign)
        await self._thread.aclose()
        self._member.leave()

    async def _change(self, name: str, work: Work[Result], *, is_synced: bool = False) -> Result:
        return await self._thread.change(partial(self._faulty, name, work), is_synced=is_synced)

    async def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        return await self._change("read", lambda made: made.execute(query, values).fetchall())

    def _faulty(self, name: str, work: Work[Result], connection: Connection) -> Result:
        self._fault(f"{name}:begin")
        result = work(connection)
        self._fault(f"{name}:written")
        return result
