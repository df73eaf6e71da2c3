"""A batch and its items as JSON, and the exit code of a batch."""

from __future__ import annotations

from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.batch.queue import BatchItem, BatchStatus
from finclaw_cli.core import exits
from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.json_text import JsonObject, jsonable


def item_json(item: BatchItem) -> JsonObject:
    """An item that has ended, as a line of results has it; `result` is that of `agent.result`."""
    return {
        "id": item.name,
        "line": item.line,
        "state": item.state,
        "attempts": item.attempts,
        "session": item.session,
        "cost_usd": jsonable(item.cost_usd),
        "exit_code": item.exit_code,
        "reason": item.reason,
        "result": item.result,
    }


def status_json(status: BatchStatus) -> JsonObject:
    """The state of a batch; amounts are texts, in USD."""
    return {
        "id": status.id,
        "created": timestamp(status.created),
        "items": status.items,
        "states": {str(state): count for state, count in status.states.items()},
        "spent_usd": jsonable(status.spent_usd),
        "reserved_usd": jsonable(status.held_usd),
        "max_cost_usd": jsonable(status.max_cost_usd),
        "unpriced_items": status.unpriced,
        "cancelled": status.is_cancelled,
    }


def exit_code(status: BatchStatus, stop: BatchStop | None) -> int:
    """What stopped the batch; else whether items need a human, or have failed."""
    if stop is not None:
        return stop.exit_code
    states = status.states
    if states["unknown"] or states["denied"]:
        return exits.NEEDS_HUMAN
    return exits.ITEMS_FAILED if states["failed"] or states["cancelled"] else exits.OK
