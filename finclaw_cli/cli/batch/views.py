"""What `finclaw batch list`, `status`, `results`, `retry` and `rm` do and print."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast

from finclaw_cli.batch.queue import FINAL, BatchQueue, BatchStatus, State
from finclaw_cli.batch.report import item_json, status_json
from finclaw_cli.batch.results import Results
from finclaw_cli.batch.rounds_port import Round
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from finclaw_cli.cli.batch.cluster_options import ClusterOptions
from finclaw_cli.cli.batch.progress import ended, spent, states
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.core.money import usd
from finclaw_cli.output.console import counted, echo, echo_table
from finclaw_cli.settings.paths import check_home, home

Result = TypeVar("Result")


def print_batches(cluster: ClusterOptions | None, *, as_json: bool) -> None:
    """Print all batches."""
    found = with_queue(cluster, lambda queue: queue.batches())
    if as_json:
        print_json([status_json(status) for status in found])
    elif found:
        header = ("batch", "created", "items", "ended", "cost", "states")
        echo_table(header, [_row(status) for status in found])
    else:
        echo("There are no batches.")


def print_status(cluster: ClusterOptions | None, batch: str | None, *, as_json: bool) -> None:
    """Print the state of one batch, or of the newest."""

    async def look(queue: BatchQueue) -> tuple[BatchStatus, Sequence[Round], Any]:
        found = await found_batch(queue, batch)
        return found, await queue.rounds.under_way(found.id), await _notes(queue, found.id, cluster)

    status, rounds, notes = with_queue(cluster, look)
    if as_json:
        of_cluster = {} if notes is None else {"cluster": notes.json}
        print_json({**status_json(status), "rounds": [jsonable(each) for each in rounds], **of_cluster})
        return
    limit = "none" if status.max_cost_usd is None else usd(status.max_cost_usd)
    cancelled = ", cancelled" if status.is_cancelled else ""
    echo(f"{status.id}: {counted(status.items, 'item')}, {ended(status):,} ended{cancelled}")
    echo(f"{states(status)}")
    echo(f"{spent(status)}, {usd(status.held_usd)} reserved; limit: {limit}")
    for each in rounds:
        sent = f"{each.since:%Y-%m-%d %H:%M} UTC, {each.remote or 'not known whether it was made'}"
        echo(f"round: {counted(each.requests, 'request')} to {each.model}, {sent}")
    if notes is not None:
        for line in [*(notes.lines if not status.is_finished else ()), *notes.late]:
            echo(str(line))


async def _notes(queue: Any, batch: str, cluster: ClusterOptions | None) -> Any:
    """What a batch of a cluster waits for."""
    if cluster is None:
        return None
    from finclaw_cli.cluster.notes import notes_on

    return await notes_on(queue, batch)


def print_results(cluster: ClusterOptions | None, batch: str | None, *, ordered: bool) -> None:
    """Print the items of one batch, or of the newest, that have ended, one a line."""

    async def write(queue: BatchQueue) -> None:
        found = await found_batch(queue, batch)
        async for item in Results(found.id, queue, ordered=ordered).so_far():
            echo(dump_line(item_json(item)))

    with_queue(cluster, write)


def retry_items(
    cluster: ClusterOptions | None, batch: str, items: Sequence[str], chosen: Sequence[str], *, as_json: bool
) -> None:
    """Let items wait again."""
    if unknown := [state for state in chosen if state not in FINAL]:
        raise UsageError(f"--state {unknown[0]}: items end as {', '.join(FINAL)}")

    async def change(queue: BatchQueue) -> tuple[BatchStatus, int]:
        found = await found_batch(queue, batch)
        return found, await queue.retry(found.id, cast("Sequence[State]", chosen), items)

    found, count = with_queue(cluster, change)
    if as_json:
        print_json({"id": found.id, "waiting_again": count})
    else:
        echo(f"{found.id}: {counted(count, 'item')} wait again; the command that ran the batch takes them up")


def remove_batches(cluster: ClusterOptions | None, batches: Sequence[str], *, as_json: bool) -> None:
    """Remove batches; all that are named, or none."""

    async def change(queue: BatchQueue) -> list[str]:
        found = [await _removable(queue, batch) for batch in batches]
        if (running := await queue.remove(found)) is not None:
            raise UsageError(
                f"items of the batch {running} are running", hint=f"End them first: finclaw batch cancel {running}"
            )
        return found

    removed = with_queue(cluster, change)
    if as_json:
        print_json({"removed": list(removed)})
    else:
        echo(f"Removed: {', '.join(removed)}; the sessions of the runs stay.")


async def _removable(queue: BatchQueue, name: str) -> str:
    """The id of a batch that no provider is still answering, unless it was cancelled."""
    found = await found_batch(queue, name)
    if ended(found) < found.items and await queue.rounds.under_way(found.id):
        raise UsageError(
            f"the batch {found.id} has requests in rounds, whose answers would be paid and lost",
            hint=f"End them first: finclaw batch cancel {found.id}",
            code="rounds_under_way",
        )
    return found.id


def _row(status: BatchStatus) -> tuple[str, ...]:
    created = f"{status.created:%Y-%m-%d %H:%M} UTC"
    return status.id, created, f"{status.items:,}", f"{ended(status):,}", spent(status), states(status)


async def found_batch(queue: BatchQueue, name: str | None) -> BatchStatus:
    """The batch that an id, or a prefix of one, means; the newest for None."""
    batches = await queue.batches()
    if name is None and batches:
        return batches[0]
    if name is None:
        raise UsageError("there are no batches", code="unknown_batch")
    found = [status for status in batches if status.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    raise UsageError(
        f"{name!r} begins the ids of {len(found)} batches" if found else f"no batch {name!r}",
        hint="`finclaw batch list` shows which there are.",
        code="unknown_batch",
    )


def with_queue(cluster: ClusterOptions | None, work: Callable[[BatchQueue], Awaitable[Result]]) -> Result:
    """Do some work with the queue of a cluster, or for None with that of the data folder."""

    async def run() -> Result:
        queue = _queue_of(cluster)
        try:
            return await work(queue)
        finally:
            await queue.aclose()

    return asyncio.run(run())


def _queue_of(cluster: ClusterOptions | None) -> BatchQueue:
    """The queue of a cluster, or for None that of the data folder.

    Raises:
        FinclawError: the address, the database or the data folder cannot be used.
    """
    if cluster is None:
        check_home()
        return SqliteQueue(home())
    from finclaw_cli.cluster.address import require_extra

    require_extra()
    from finclaw_cli.cluster.opening import cluster_queue

    return cluster_queue(cluster.database_url_file, is_insecure=cluster.insecure_database)
