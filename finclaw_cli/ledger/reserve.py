"""Budgets across processes: what a request costs with a short answer is set aside before it is made.

Spending and what is set aside are added up in the same change that sets more aside, so that however many processes ask
at once, together they never get more than the limit. What a process has set aside is free again when it dies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from finclaw_cli.core.budget_events import BudgetScope
from finclaw_cli.core.money import total
from finclaw_cli.core.ports import SetAside, Standing
from finclaw_cli.core.record import record
from finclaw_cli.ledger.processes import Process
from finclaw_cli.ledger.rows import milliseconds
from finclaw_cli.ledger.spending import spent
from finclaw_cli.ledger.store import Ledger

# Where nobody can tell whether a process lives, this is how long it is believed to; longer than any request takes.
LONGEST = timedelta(hours=1)


@record(kw_only=True)
class Limit:
    """So much may be spent from a moment on, in USD."""

    scope: BudgetScope
    amount: Decimal
    since: datetime


def reserve(
    ledger: Ledger, amount: Decimal, limits: Sequence[Limit], now: datetime, longest: timedelta = LONGEST
) -> SetAside | Standing:
    """Set an amount aside; how the limit stands that leaves less than it, where one does.

    Args:
        ledger: where it is set aside.
        amount: what is needed, in USD.
        limits: all of them have to hold.
        now: the moment.
        longest: after this it is free again in any case.

    Raises:
        LedgerFailed: the ledger cannot be read or written.
    """
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"not an amount that can be set aside: {amount}")
    with ledger.transaction() as connection:
        _forget_the_dead(connection, now)
        standings = tuple(_standing(connection, limit) for limit in limits)
        for standing in standings:
            if amount > standing.left_usd:
                return standing
        return SetAside(id=_set_aside(connection, amount, now + longest), standings=standings)


def give_back(ledger: Ledger, money: SetAside) -> None:
    """Free what was set aside; what the request came to is in the ledger by now.

    Raises:
        LedgerFailed: the ledger cannot be written; it stays set aside.
    """
    with ledger.transaction() as connection:
        connection.execute("DELETE FROM reservations WHERE id = ?", (money.id,))


def _standing(connection: sqlite3.Connection, limit: Limit) -> Standing:
    return Standing(
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


def _forget_the_dead(connection: sqlite3.Connection, now: datetime) -> None:
    connection.execute("DELETE FROM reservations WHERE ends_at <= ?", (milliseconds(now),))
    noted = connection.execute("SELECT DISTINCT place, pid, started FROM reservations").fetchall()
    for dead in (process for process in noted if Process(*process).is_dead()):
        connection.execute("DELETE FROM reservations WHERE place = ? AND pid = ? AND started = ?", dead)
