"""The queue of batches in `batch.sqlite`, for one machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from finclaw_cli.batch.queue import Fault
from finclaw_cli.batch.sql_queue import SqlQueue
from finclaw_cli.batch.sqlite_database import SqliteDatabase
from finclaw_cli.batch.workers import Worker, this_machine


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class SqliteQueue(SqlQueue):
    """A `BatchQueue` in a data folder.

    Args:
        home: the data folder.
        machine: names the machine whose locks this process sees.
        now_ms: the time, in milliseconds since the epoch.
        fault: see `SqlQueue`.
    """

    def __init__(
        self,
        home: Path,
        *,
        machine: str | None = None,
        now_ms: Callable[[], int] = _now_ms,
        fault: Fault = lambda _: None,
    ) -> None:
        worker = Worker(home, this_machine() if machine is None else machine, now_ms)
        super().__init__(SqliteDatabase(home), worker, now_ms, fault)
