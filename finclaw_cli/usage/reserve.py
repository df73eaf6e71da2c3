"""Budgets across processes: what a request can cost is set aside before it is made.

Spending and what is set aside are added up in the same transaction that sets more aside, so that however many processes
ask at once, together they never get more than the limit. What a process has set aside is free again when it dies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from finclaw_cli.core.budget import AmountRange, BudgetStatus, Reservation
from finclaw_cli.core.events.budget import BudgetScope
from finclaw_cli.core.money import total
from finclaw_cli.core.record import record
from finclaw_cli.usage import waiting
from finclaw_cli.usage.processes import Process
from finclaw_cli.usage.rows import milliseconds
from finclaw_cli.usage.spending import spent
from finclaw_cli.usage.store import Ledger

# How long a process is taken to live of which that cannot be found out here: one on another machine, in another
# container, or on a system that does not say when its processes began.
LONGEST = timedelta(hours=1)
_ANY_TIME = 2**62


@record(kw_only=True)
class Limit:
    """So much may be spent from a moment on, in USD."""

    scope: BudgetScope
    amount: Decimal
    since: datetime


@record(kw_only=True)
class Waiting:
    """There is too little money at this moment."""

    standing: BudgetStatus
    """How the limit stands that leaves least."""
    place: int | None
    """The place in the queue; None where waiting cannot help."""


def reserve(
    ledger: Ledger,
    wanted: AmountRange,
    limits: Sequence[Limit],
    now: datetime,
    *,
    place: int | None = None,
    longest: timedelta = LONGEST,
    book_dead: Callable[[], None] = lambda: None,
) -> Reservation | Waiting:
    """Set aside as much as is wanted and left, unless it is too little, or others have waited for longer.

    Too little is less than `enough_usd`; or than `least_usd`, where the limit would not leave more if nothing else were
    set aside.

    Args:
        ledger: where it is set aside.
        wanted: the money that the request can use.
        limits: all of them have to hold; one at least.
        now: the moment.
        place: the place in the queue that this request has.
        longest: how long this process is taken to run by one that cannot find it out.
        book_dead: writes what processes that died have spent, before what they had set aside is free.

    Raises:
        LedgerFailed: the ledger cannot be read or written.
    """
    _check(wanted)
    _forget_the_dead(ledger, now, book_dead)
    with ledger.transaction() as connection:
        statuses = tuple(_standing(connection, limit) for limit in limits)
        tightest = min(statuses, key=lambda standing: standing.left_usd)
        amount = min(wanted.most_usd, tightest.left_usd)
        if amount >= _least(wanted, tightest) and waiting.is_first(connection, place, now):
            waiting.leave(connection, place)
            return Reservation(id=_set_aside(connection, amount, now + longest), amount_usd=amount, statuses=statuses)
        if wanted.least_usd > tightest.unspent_usd:
            waiting.leave(connection, place)
            return Waiting(standing=tightest, place=None)
        return Waiting(standing=tightest, place=waiting.wait(connection, place, now))


def _check(wanted: AmountRange) -> None:
    amounts = (wanted.least_usd, wanted.enough_usd, wanted.most_usd)
    if not all(amount.is_finite() for amount in amounts) or not 0 <= amounts[0] <= amounts[1] <= amounts[2]:
        raise ValueError(f"not amounts that can be set aside: {', '.join(map(str, amounts))}")


def _least(wanted: AmountRange, tightest: BudgetStatus) -> Decimal:
    return max(wanted.least_usd, min(wanted.enough_usd, tightest.unspent_usd))


def release(ledger: Ledger, money: Reservation) -> None:
    """Free what was set aside; what the request came to is in the ledger by now.

    Raises:
        LedgerFailed: the ledger cannot be written; it stays set aside.
    """
    with ledger.transaction() as connection:
        connection.execute("DELETE FROM reservations WHERE id = ?", (money.id,))


def _standing(connection: sqlite3.Connection, limit: Limit) -> BudgetStatus:
    return BudgetStatus(
        scope=limit.scope,
        limit_usd=limit.amount,
        spent_usd=spent(connection, limit.since),
        reserved_usd=_reserved(connection),
    )


def _reserved(connection: sqlite3.Connection) -> Decimal:
    return total(Decimal(amount) for (amount,) in connection.execute("SELECT amount FROM reservations"))


def _set_aside(connection: sqlite3.Connection, amount: Decimal, until: datetime) -> int:
    this = Process.this()
    written = connection.execute(
        "INSERT INTO reservations (amount, ends_at, place, pid, started) VALUES (?, ?, ?, ?, ?)",
        (str(amount), milliseconds(until), this.place, this.pid, this.started),
    )
    return written.lastrowid or 0


def _forget_the_dead(ledger: Ledger, now: datetime, book_dead: Callable[[], None]) -> None:
    with ledger.transaction() as connection:
        dead = tuple(_dead(connection, now))
    if not dead:
        return
    book_dead()
    with ledger.transaction() as connection:
        connection.executemany(
            "DELETE FROM reservations WHERE place = ? AND pid = ? AND started = ? AND ends_at <= ?", dead
        )


def _dead(connection: sqlite3.Connection, now: datetime) -> Iterator[tuple[str, int, str, int]]:
    """The processes that are no more, or may be; with the time up to which what they set aside is given up."""
    nobody_knows = milliseconds(now)
    rows = connection.execute("SELECT place, pid, started, MIN(ends_at) FROM reservations GROUP BY place, pid, started")
    for place, pid, started, first_end in rows.fetchall():
        process = Process(place, pid, started)
        if process.is_alive():
            continue
        until = _ANY_TIME if process.is_dead() else nobody_knows
        if first_end <= until:
            yield place, pid, started, until
