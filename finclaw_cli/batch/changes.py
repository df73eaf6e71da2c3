"""The changes of the queue's tables, each within one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from decimal import Decimal

from finclaw_cli.batch.queue import DEADLY, FINAL, MOST_DEATHS, Claim, LeaseLost, NewItem, Outcome, State
from finclaw_cli.batch.schema import amount, units
from finclaw_cli.batch.workers import Worker
from finclaw_cli.core.budget import AmountRange, BudgetStatus
from finclaw_cli.core.json_text import dump_line

CANCELLED = Outcome(state="cancelled", exit_code=None, reason="the batch was cancelled")
_CLAIMABLE = """
SELECT id, item, line, input, attempts, fence, session, run_id, is_retry FROM items
WHERE batch = :batch AND state = 'waiting' AND (own_session IS NULL OR NOT EXISTS (
    SELECT 1 FROM items other WHERE other.batch = items.batch AND other.own_session = items.own_session
    AND other.state IN ('waiting', 'running') AND other.line < items.line))
ORDER BY line LIMIT :most
"""
_AGAIN = (
    "UPDATE items SET state = 'waiting', is_retry = 1, deaths = 0, place = NULL, exit_code = NULL, reason = NULL, "
    "result = NULL"
)
_FREE = "worker = NULL, has_begun = 0, held = 0"
_OF_WORKER = "WHERE batch = ? AND line = ? AND fence = ? AND worker = ? AND state = 'running'"


def submit(connection: sqlite3.Connection, batch: str, items: Sequence[NewItem], most: int | None, now_ms: int) -> None:
    """Add a batch and its items, or set the limit of one that is there."""
    known = connection.execute("UPDATE batches SET most = ? WHERE id = ?", (most, batch)).rowcount
    if known:
        return
    connection.execute("INSERT INTO batches (id, created, most) VALUES (?, ?, ?)", (batch, now_ms, most))
    connection.executemany(
        "INSERT INTO items (batch, line, item, name, input, own_session, state) VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
        ((batch, each.line, each.id, each.name, each.input, each.session) for each in items),
    )


def claim(connection: sqlite3.Connection, worker: Worker, batch: str, most: int) -> list[Claim]:
    """Take back what dead workers had, and claim what waits."""
    worker.join(connection)
    for other in worker.dead(connection):
        _take_back(connection, other)
        worker.forget(other)
    (is_cancelled,) = connection.execute("SELECT cancelled FROM batches WHERE id = ?", (batch,)).fetchone() or (1,)
    if is_cancelled:
        return []
    rows = connection.execute(_CLAIMABLE, {"batch": batch, "most": most}).fetchall()
    connection.executemany(
        "UPDATE items SET state = 'running', attempts = attempts + 1, fence = fence + 1, worker = ? WHERE id = ?",
        ((worker.id, number) for number, *_ in rows),
    )
    return [
        Claim(
            batch=batch, item=item, line=line, input=given, attempt=attempts + 1, fence=fence + 1, session=session,
            run_id=run_id, is_retry=bool(is_retry),
        )
        for _, item, line, given, attempts, fence, session, run_id, is_retry in rows
    ]  # fmt: skip


def _take_back(connection: sqlite3.Connection, worker: str) -> None:
    """Let the items of a dead worker wait again; what was reserved for them counts as spent."""
    rows = connection.execute(
        "SELECT items.id, batch, deaths + has_begun, items.held, cancelled FROM items "
        "JOIN batches ON batches.id = batch WHERE worker = ?",
        (worker,),
    ).fetchall()
    for number, batch, deaths, held, cancelled in rows:
        _spend(connection, batch, held, held)
        connection.execute(
            f"UPDATE items SET deaths = ?, cost = cost + held, fence = fence + 1, {_FREE} WHERE id = ?",  # noqa: S608
            (deaths, number),
        )
        if deaths >= MOST_DEATHS:
            _end(connection, number, batch, Outcome(state="failed", exit_code=None, reason=DEADLY))
        elif cancelled:
            _end(connection, number, batch, CANCELLED)
        else:
            connection.execute("UPDATE items SET state = 'waiting' WHERE id = ?", (number,))
    connection.execute("DELETE FROM workers WHERE id = ?", (worker,))


def begin(connection: sqlite3.Connection, worker: str, claimed: Claim, session: str, run_id: str) -> None:
    """Write down the run that is about to begin."""
    changed = connection.execute(
        f"UPDATE items SET has_begun = 1, is_retry = 0, session = ?, run_id = ? {_OF_WORKER}",  # noqa: S608
        (session, run_id, *_owner(claimed, worker)),
    )
    _check(changed, claimed)


def finish(connection: sqlite3.Connection, worker: str, claimed: Claim, outcome: Outcome) -> None:
    """Write down how an item ended."""
    _end(connection, _freed(connection, worker, claimed), claimed.batch, outcome)


def release(connection: sqlite3.Connection, worker: str, claimed: Claim) -> None:
    """Let an item wait again; of a cancelled batch it is cancelled."""
    number = _freed(connection, worker, claimed)
    (cancelled,) = connection.execute("SELECT cancelled FROM batches WHERE id = ?", (claimed.batch,)).fetchone()
    if cancelled:
        _end(connection, number, claimed.batch, CANCELLED)
    else:
        connection.execute("UPDATE items SET state = 'waiting' WHERE id = ?", (number,))


def _freed(connection: sqlite3.Connection, worker: str, claimed: Claim) -> int:
    """Take an item from its worker, with what is reserved for it; its number."""
    row = connection.execute(f"SELECT id, held FROM items {_OF_WORKER}", _owner(claimed, worker)).fetchone()  # noqa: S608
    if row is None:
        raise _lost(claimed)
    number, held = row
    if held:
        _spend(connection, claimed.batch, held, 0)
    connection.execute(f"UPDATE items SET {_FREE} WHERE id = ?", (number,))  # noqa: S608
    return int(number)


def _end(connection: sqlite3.Connection, number: int, batch: str, outcome: Outcome) -> None:
    result = None if outcome.result is None else dump_line(outcome.result)
    connection.execute("UPDATE batches SET ends = ends + 1 WHERE id = ?", (batch,))
    connection.execute(
        "UPDATE items SET state = ?, exit_code = ?, reason = ?, result = ?, "
        "place = (SELECT ends FROM batches WHERE id = items.batch) WHERE id = ?",
        (outcome.state, outcome.exit_code, outcome.reason, result, number),
    )


def reserve(connection: sqlite3.Connection, worker: str, claimed: Claim, wanted: AmountRange) -> Decimal | BudgetStatus:
    """Reserve what the limit leaves; the batch's status where that is too little."""
    most, spent, held = connection.execute(
        "SELECT most, spent, held FROM batches WHERE id = ?", (claimed.batch,)
    ).fetchone()
    money, least = units(wanted.most_usd), units(wanted.least_usd)
    if most is not None:
        money, least = min(money, most - spent - held), max(least, min(units(wanted.enough_usd), most - spent))
    if money < least:
        return BudgetStatus(scope="batch", limit_usd=amount(most), spent_usd=amount(spent), reserved_usd=amount(held))
    held_now = connection.execute(
        "UPDATE batches SET held = held + :money WHERE id = :batch AND (most IS NULL OR spent + held + :money <= most)",
        {"money": money, "batch": claimed.batch},
    )
    changed = connection.execute(
        f"UPDATE items SET held = held + ? {_OF_WORKER}",  # noqa: S608
        (money, *_owner(claimed, worker)),
    )
    _check(held_now, claimed)
    _check(changed, claimed)
    return amount(money)


def settle(connection: sqlite3.Connection, claimed: Claim, reserved_usd: Decimal, cost_usd: Decimal | None) -> None:
    """Add what a request has cost; a reservation that was taken back with its worker has been counted as spent."""
    reserved, cost = units(reserved_usd), units(cost_usd or Decimal(0))
    changed = connection.execute(
        "UPDATE items SET held = held - :reserved, cost = cost + :cost, unpriced = unpriced OR :unpriced "
        "WHERE batch = :batch AND line = :line AND (:reserved = 0 OR (fence = :fence AND held >= :reserved))",
        {
            "reserved": reserved, "cost": cost, "unpriced": cost_usd is None,
            "batch": claimed.batch, "line": claimed.line, "fence": claimed.fence,
        },
    )  # fmt: skip
    if changed.rowcount:
        _spend(connection, claimed.batch, reserved, cost)


def _spend(connection: sqlite3.Connection, batch: str, held: int, spent: int) -> None:
    connection.execute("UPDATE batches SET held = held - ?, spent = spent + ? WHERE id = ?", (held, spent, batch))


def retry(connection: sqlite3.Connection, batch: str, states: Sequence[State], names: Sequence[str]) -> int:
    """Let items that have ended wait again."""
    wanted = [state for state in states if state in FINAL]
    marks = ", ".join("?" * len(wanted))
    of_names = f"AND name IN ({', '.join('?' * len(names))})" if names else ""
    where = f"WHERE batch = ? AND state IN ({marks}) {of_names}"
    changed = connection.execute(f"{_AGAIN} {where}", (batch, *wanted, *names))
    connection.execute("UPDATE batches SET cancelled = 0 WHERE id = ?", (batch,))
    return changed.rowcount


def cancel(connection: sqlite3.Connection, batch: str) -> int:
    """Cancel what waits, and mark the batch for the workers that run its items."""
    connection.execute("UPDATE batches SET cancelled = 1 WHERE id = ?", (batch,))
    rows = connection.execute("SELECT id FROM items WHERE batch = ? AND state = 'waiting'", (batch,)).fetchall()
    for (number,) in rows:
        _end(connection, number, batch, CANCELLED)
    return len(rows)


def _owner(claimed: Claim, worker: str) -> tuple[str, int, int, str]:
    return claimed.batch, claimed.line, claimed.fence, worker


def _check(changed: sqlite3.Cursor, claimed: Claim) -> None:
    if not changed.rowcount:
        raise _lost(claimed)


def _lost(claimed: Claim) -> LeaseLost:
    return LeaseLost(f"the item of line {claimed.line} belongs to another worker, or was cancelled")
