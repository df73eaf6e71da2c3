"""What a cluster has: batches to run, and workers."""

from __future__ import annotations

from decimal import Decimal

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record


@record(kw_only=True)
class BatchToRun:
    """A batch that workers may run."""

    id: str
    setup: JsonObject
    """Its options, and those of its items."""
    max_cost_usd: Decimal | None


@record(kw_only=True)
class WorkerStatus:
    """A worker as the database has it."""

    id: str
    version: int
    """Of the batches that it runs."""
    finclaw: str
    """The version of the program."""
    up_s: int
    is_alive: bool
    """Whether its lease holds."""
    items: int
    """How many it runs."""
