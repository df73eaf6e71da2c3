"""What `finclaw batch list`, `status`, `results`, `retry` and `cancel` do and print."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast

from finclaw_cli.batch.queue import FINAL, BatchQueue, BatchStatus, State
from finclaw_cli.batch.report import item_json, status_json
from finclaw_cli.batch.results import AT_ONCE
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from finclaw_cli.cli.batch.progress import ended, spent, states
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.money import usd
from finclaw_cli.output.console import counted, echo, echo_table
from finclaw_cli.settings.paths import check_home, home

Result = TypeVar("Result")


def print_batches(*, as_json: bool) -> None:
    """Print all batches."""
    found = _with_queue(lambda queue: queue.batches())
    if as_json:
        print_json([status_json(status) for status in found])
    elif found:
        header = ("batch", "created", "items", "ended", "cost", "states")
        echo_table(header, [_row(status) for status in found])
    else:
        echo("There are no batches.")


def print_status(batch: str, *, as_json: bool) -> None:
    """Print the state of one batch."""
    status = _with_queue(lambda queue: _found(queue, batch))
    if as_json:
        print_json(status_json(status))
        return
    limit = "none" if status.max_cost_usd is None else usd(status.max_cost_usd)
    cancelled = ", cancelled" if status.is_cancelled else ""
    echo(f"{status.id}: {counted(status.items, 'item')}, {ended(status):,} ended{cancelled}")
    echo(f"{states(status)}")
    echo(f"{spent(status)}, {usd(status.held_usd)} reserved; limit: {limit}")


def print_results(batch: str, *, ordered: bool) -> None:
    """Print the items that have ended, one a line."""

    async def write(queue: BatchQueue) -> None:
        found, after = await _found(queue, batch), 0
        read = queue.items if ordered else queue.ended
        while items := await read(found.id, after, AT_ONCE):
            for item in items:
                if item.state in FINAL:
                    echo(dump_line(item_json(item)))
            after = items[-1].line if ordered else items[-1].place or after

    _with_queue(write)


def retry_items(batch: str, items: Sequence[str], chosen: Sequence[str], *, as_json: bool) -> None:
    """Let items wait again."""
    if unknown := [state for state in chosen if state not in FINAL]:
        raise UsageError(f"--state {unknown[0]}: items end as {', '.join(FINAL)}")

    async def change(queue: BatchQueue) -> tuple[BatchStatus, int]:
        found = await _found(queue, batch)
        return found, await queue.retry(found.id, cast("Sequence[State]", chosen), items)

    found, count = _with_queue(change)
    if as_json:
        print_json({"id": found.id, "waiting_again": count})
    else:
        echo(f"{found.id}: {counted(count, 'item')} wait again; the command that ran the batch takes them up")


def cancel_batch(batch: str, *, as_json: bool) -> None:
    """Cancel what waits, and let what runs be ended."""

    async def change(queue: BatchQueue) -> tuple[BatchStatus, int]:
        found = await _found(queue, batch)
        return found, await queue.cancel(found.id)

    found, count = _with_queue(change)
    running = found.states["running"]
    if as_json:
        print_json({"id": found.id, "cancelled": count, "running": running})
    else:
        ending = f"; {counted(running, 'run')} under way will be ended" if running else ""
        echo(f"{found.id}: {counted(count, 'item')} cancelled{ending}")


def _row(status: BatchStatus) -> tuple[str, ...]:
    created = f"{status.created:%Y-%m-%d %H:%M} UTC"
    return status.id, created, f"{status.items:,}", f"{ended(status):,}", spent(status), states(status)


async def _found(queue: BatchQueue, name: str) -> BatchStatus:
    """The batch that an id, or a prefix of one, means."""
    found = [status for status in await queue.batches() if status.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    raise UsageError(
        f"{name!r} begins the ids of {len(found)} batches" if found else f"no batch {name!r}",
        hint="`finclaw batch list` shows which there are.",
        code="unknown_batch",
    )


def _with_queue(work: Callable[[BatchQueue], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        queue = SqliteQueue(home())
        try:
            return await work(queue)
        finally:
            await queue.aclose()

    check_home()
    return asyncio.run(run())
