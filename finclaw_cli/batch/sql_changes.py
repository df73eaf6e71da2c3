"""The changes of the queue's tables, each within one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Protocol

from finclaw_cli.batch.queue import DEADLY, FINAL, MOST_DEATHS, Claim, LeaseLost, NewItem, Outcome, State
from finclaw_cli.batch.schema import amount, units
from finclaw_cli.batch.sql import Connection, places
from finclaw_cli.core.budget import AmountRange, BudgetStatus
from finclaw_cli.core.json_text import dump_line

CANCELLED = Outcome(state="cancelled", exit_code=None, reason="the batch was cancelled")
_CLAIMABLE = """
SELECT id, item, line, input, attempts, fence, session, run_id, is_retry, lost FROM items
WHERE batch = :batch AND state = 'waiting' AND (own_session IS NULL OR NOT EXISTS (
    SELECT 1 FROM items other WHERE other.batch = items.batch AND other.own_session = items.own_session
    AND other.state IN ('waiting', 'running') AND other.line < items.line))
ORDER BY line LIMIT :most
"""
_AGAIN = """
UPDATE items SET state = 'waiting', is_retry = 1, deaths = 0, place = NULL, exit_code = NULL, reason = NULL,
    result = NULL
WHERE batch = ?
"""
_FREE = "UPDATE items SET worker = NULL, has_begun = 0, held = 0 WHERE id = ?"
_WAIT = "UPDATE items SET state = 'waiting' WHERE id = ?"
_OWN = "SELECT id, held FROM items WHERE batch = ? AND line = ? AND fence = ? AND worker = ? AND state = 'running'"


class Member(Protocol):
    """This process among the workers; the methods with a connection are called within transactions."""

    @property
    def id(self) -> str: ...

    @property
    def has_joined(self) -> bool:
        """Whether it is a worker."""
        ...

    def join(self, connection: Connection) -> None:
        """Become a worker; called with each claim."""
        ...

    def extend(self, connection: Connection) -> None:
        """Extend the lease."""
        ...

    def dead(self, connection: Connection) -> Iterable[str]:
        """The other workers that have died, or whose lease is over where that cannot be known."""
        ...

    def forget(self, other: str) -> None:
        """A dead worker's row is gone."""
        ...

    def resign(self, connection: Connection) -> None:
        """Be no worker any more; items that it still has are taken back by the next claim of another one."""
        ...

    def leave(self) -> None:
        """Let go of what it holds, after its last transaction."""
        ...


def submit(connection: Connection, batch: str, items: Sequence[NewItem], most: int | None, now_ms: int) -> None:
    """Add a batch and its items, or set the limit of one that is there."""
    known = connection.execute("UPDATE batches SET most = ? WHERE id = ?", (most, batch)).rowcount
    if known:
        return
    connection.execute("INSERT INTO batches (id, created, most) VALUES (?, ?, ?)", (batch, now_ms, most))
    connection.executemany(
        "INSERT INTO items (batch, line, item, name, input, own_session, state) VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
        ((batch, each.line, each.id, each.name, each.input, each.session) for each in items),
    )


def claim(connection: Connection, worker: Member, batch: str, most: int) -> list[Claim]:
    """Take back what dead workers had, and claim what waits."""
    worker.join(connection)
    take_back(connection, worker)
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
            run_id=run_id, is_retry=bool(is_retry), lost_usd=amount(lost),
        )
        for _, item, line, given, attempts, fence, session, run_id, is_retry, lost in rows
    ]  # fmt: skip


def take_back(connection: Connection, worker: Member) -> None:
    """Let the items of dead workers wait again; what was reserved for them counts as spent."""
    for other in worker.dead(connection):
        _take_back(connection, other)
        worker.forget(other)


def _take_back(connection: Connection, worker: str) -> None:
    rows = connection.execute(
        "SELECT items.id, batch, deaths + has_begun, items.held, cancelled FROM items "
        "JOIN batches ON batches.id = batch WHERE worker = ?",
        (worker,),
    ).fetchall()
    for number, batch, deaths, held, cancelled in rows:
        _spend(connection, batch, held, held)
        connection.execute(
            "UPDATE items SET deaths = ?, cost = cost + held, lost = lost + held, fence = fence + 1 WHERE id = ?",
            (deaths, number),
        )
        connection.execute(_FREE, (number,))
        if deaths >= MOST_DEATHS:
            _end(connection, number, batch, Outcome(state="failed", exit_code=None, reason=DEADLY))
        elif cancelled:
            _end(connection, number, batch, CANCELLED)
        else:
            connection.execute(_WAIT, (number,))
    connection.execute("DELETE FROM workers WHERE id = ?", (worker,))


def begin(connection: Connection, worker: str, claimed: Claim, session: str, run_id: str) -> None:
    """Write down the run that is about to begin."""
    number, _ = _own(connection, worker, claimed)
    connection.execute(
        "UPDATE items SET has_begun = 1, is_retry = 0, session = ?, run_id = ?, begun_at_cost = cost, lost = 0 "
        "WHERE id = ?",
        (session, run_id, number),
    )


def finish(connection: Connection, worker: str, claimed: Claim, outcome: Outcome) -> None:
    """Write down how an item ended."""
    _end(connection, _freed(connection, worker, claimed), claimed.batch, outcome)


def release(connection: Connection, worker: str, claimed: Claim) -> None:
    """Let an item wait again; of a cancelled batch it is cancelled."""
    number = _freed(connection, worker, claimed)
    (cancelled,) = connection.execute("SELECT cancelled FROM batches WHERE id = ?", (claimed.batch,)).fetchone()
    if cancelled:
        _end(connection, number, claimed.batch, CANCELLED)
    else:
        connection.execute(_WAIT, (number,))


def _freed(connection: Connection, worker: str, claimed: Claim) -> int:
    """Take an item from its worker, with what is reserved for it; its number."""
    number, held = _own(connection, worker, claimed)
    if held:
        _spend(connection, claimed.batch, held, 0)
    connection.execute(_FREE, (number,))
    return number


def _end(connection: Connection, number: int, batch: str, outcome: Outcome) -> None:
    result = None if outcome.result is None else dump_line(outcome.result)
    connection.execute("UPDATE batches SET ends = ends + 1 WHERE id = ?", (batch,))
    connection.execute(
        "UPDATE items SET state = ?, exit_code = ?, reason = ?, result = ?, "
        "place = (SELECT ends FROM batches WHERE id = items.batch) WHERE id = ?",
        (outcome.state, outcome.exit_code, outcome.reason, result, number),
    )


def reserve(connection: Connection, worker: str, claimed: Claim, wanted: AmountRange) -> Decimal | BudgetStatus:
    """Reserve what the limit leaves; the batch's status where that is too little."""
    number, _ = _own(connection, worker, claimed)
    most, spent, held = connection.execute(
        "SELECT most, spent, held FROM batches WHERE id = ?", (claimed.batch,)
    ).fetchone()
    money, least = units(wanted.most_usd), units(wanted.least_usd)
    if most is not None:
        money, least = min(money, most - spent - held), max(least, min(units(wanted.enough_usd), most - spent))
    if money < least:
        return BudgetStatus(scope="batch", limit_usd=amount(most), spent_usd=amount(spent), reserved_usd=amount(held))
    connection.execute("UPDATE batches SET held = held + ? WHERE id = ?", (money, claimed.batch))
    connection.execute("UPDATE items SET held = held + ? WHERE id = ?", (money, number))
    return amount(money)


def settle(connection: Connection, claimed: Claim, reserved_usd: Decimal, cost_usd: Decimal | None) -> None:
    """Add what a request has cost; a reservation that was taken back with its worker has been counted as spent."""
    reserved, cost = units(reserved_usd), units(cost_usd or Decimal(0))
    changed = connection.execute(
        "UPDATE items SET held = held - :reserved, cost = cost + :cost, unpriced = max(unpriced, :unpriced) "
        "WHERE batch = :batch AND line = :line AND (:reserved = 0 OR (fence = :fence AND held >= :reserved))",
        {
            "reserved": reserved, "cost": cost, "unpriced": int(cost_usd is None),
            "batch": claimed.batch, "line": claimed.line, "fence": claimed.fence,
        },
    )  # fmt: skip
    if changed.rowcount:
        _spend(connection, claimed.batch, reserved, cost)


def recover(connection: Connection, worker: str, claimed: Claim, cost_usd: Decimal) -> None:
    """Put what a run has cost in place of what its dead worker had settled and reserved."""
    number, _ = _own(connection, worker, claimed)
    before, counted, lost = connection.execute(
        "SELECT begun_at_cost, cost, lost FROM items WHERE id = ?", (number,)
    ).fetchone()
    if lost:
        cost = before + units(cost_usd)
        connection.execute("UPDATE items SET cost = ?, lost = 0 WHERE id = ?", (cost, number))
        _spend(connection, claimed.batch, 0, cost - counted)


def _spend(connection: Connection, batch: str, held: int, spent: int) -> None:
    connection.execute("UPDATE batches SET held = held - ?, spent = spent + ? WHERE id = ?", (held, spent, batch))


def retry(connection: Connection, batch: str, states: Sequence[State], names: Sequence[str]) -> int:
    """Let items that have ended wait again."""
    wanted = [state for state in states if state in FINAL]
    query, values = f"{_AGAIN} AND state IN ({places(wanted)})", [batch, *wanted]
    if names:
        query, values = f"{query} AND name IN ({places(names)})", [*values, *names]
    changed = connection.execute(query, values) if wanted else None
    connection.execute("UPDATE batches SET cancelled = 0 WHERE id = ?", (batch,))
    return 0 if changed is None else changed.rowcount


def cancel(connection: Connection, batch: str) -> int:
    """Cancel what waits, and mark the batch for the workers that run its items."""
    connection.execute("UPDATE batches SET cancelled = 1 WHERE id = ?", (batch,))
    rows = connection.execute("SELECT id FROM items WHERE batch = ? AND state = 'waiting'", (batch,)).fetchall()
    for (number,) in rows:
        _end(connection, number, batch, CANCELLED)
    return len(rows)


def remove(connection: Connection, worker: Member, batches: Sequence[str]) -> str | None:
    """Remove batches, unless items of one are running, whose id is returned."""
    take_back(connection, worker)
    for batch in batches:
        if connection.execute("SELECT 1 FROM items WHERE batch = ? AND state = 'running'", (batch,)).fetchone():
            return batch
    for batch in batches:
        connection.execute("DELETE FROM items WHERE batch = ?", (batch,))
        connection.execute("DELETE FROM counts WHERE batch = ?", (batch,))
        connection.execute("DELETE FROM batches WHERE id = ?", (batch,))
    return None


def _own(connection: Connection, worker: str, claimed: Claim) -> tuple[int, int]:
    """The number of a worker's item, and what is reserved for it."""
    owner = claimed.batch, claimed.line, claimed.fence, worker
    row: tuple[int, int] | None = connection.execute(_OWN, owner).fetchone()
    if row is None:
        raise LeaseLost(f"the item of line {claimed.line} belongs to another worker, or was cancelled")
    return row
