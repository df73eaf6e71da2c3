"""From the command line of `finclaw worker` to the end of its process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.open_files import FILES_A_RUN, allow_open_files
from finclaw_cli.cli.own_stdout import own_stdout
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.terminal.signals import SignalHandling, StopScope
from finclaw_cli.cluster.address import DatabaseAddress, database_address
from finclaw_cli.cluster.status import WorkerStatus
from finclaw_cli.core import exits
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import jsonable
from finclaw_cli.core.record import record
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import notice
from finclaw_cli.output.pace import duration
from finclaw_cli.settings.load import load_settings


@record(kw_only=True)
class Wanted:
    """The command line."""

    concurrency: int
    database_url_file: Path | None
    insecure_database: bool
    migrate: bool
    grant: tuple[str, ...]
    list_workers: bool
    as_json: bool


def work(wanted: Wanted) -> None:
    """Migrate, list, or work until a signal comes.

    Raises:
        UsageError: an option has no usable value, the extra is missing, or the tables are of another version.
        QueueFailed: the database cannot be used.
    """
    if wanted.grant and not wanted.migrate:
        raise UsageError("--grant goes with --migrate")
    load_settings()  # a mistake in them is reported at once, and their keys are masked
    address = database_address(wanted.database_url_file, is_insecure=wanted.insecure_database)
    if wanted.migrate:
        _migrate(address, wanted.grant)
    elif wanted.list_workers:
        _list(address, as_json=wanted.as_json)
    else:
        _work_until_stopped(address, wanted.concurrency)


def _migrate(address: DatabaseAddress, roles: tuple[str, ...]) -> None:
    from finclaw_cli.cluster.migration import migrate
    from finclaw_cli.cluster.schema import VERSION

    before = migrate(address, roles)
    now = f"of version {VERSION}" + (f", before of version {before}" if before not in {0, VERSION} else "")
    may_use = f"; {', '.join(roles)} may use them" if roles else ""
    echo(f"{address.name}: the tables are {now}{may_use}")


def _list(address: DatabaseAddress, *, as_json: bool) -> None:
    from finclaw_cli.cluster.migration import require_version
    from finclaw_cli.cluster.queue import PostgresQueue

    async def read() -> Sequence[WorkerStatus]:
        queue = PostgresQueue(address)
        try:
            return await queue.workers()
        finally:
            await queue.aclose()

    require_version(address)
    found = asyncio.run(read())
    if as_json:
        print_json([jsonable(each) for each in found])
    elif found:
        header = ("worker", "finclaw", "version", "up", "items", "state")
        echo_table(header, [_row(each) for each in found])
    else:
        echo("There are no workers.")


def _row(worker: WorkerStatus) -> tuple[str, ...]:
    state = "runs" if worker.is_alive else "has died"
    return worker.id, worker.finclaw, str(worker.version), duration(worker.up_s), f"{worker.items:,}", state


def _work_until_stopped(address: DatabaseAddress, concurrency: int) -> NoReturn:
    from finclaw_cli.cluster.migration import require_version
    from finclaw_cli.cluster.process import WorkerProcess

    require_version(address)
    allow_open_files("--concurrency", concurrency, FILES_A_RUN)
    own_stdout()
    runner = plugin_runner()
    process = WorkerProcess(address, concurrency, lambda line: notice(f"finclaw: {line}"))
    SignalHandling(StopScope(process.stop)).attach(runner.get_loop())
    runner.run(process.run())
    leave(exits.OK)
