"""The queue of requests that wait for money: first come, first served.

A run that makes one request after the other would have its money again before any other run looks. A place in the queue
has to be renewed, so that one whose process is stopped, or gone, holds up the others for a moment only.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from finclaw_cli.usage.rows import milliseconds

RENEWED_WITHIN = timedelta(seconds=3)
# Also made where it is needed: a ledger of an earlier version has none.
TABLE = """
CREATE TABLE IF NOT EXISTS waiting (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    until INTEGER NOT NULL
)
"""


def is_first(connection: sqlite3.Connection, place: int | None, now: datetime) -> bool:
    """Whether no request waits that came before the one with this place; one that has none yet comes last.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    connection.execute(TABLE)
    connection.execute("DELETE FROM waiting WHERE until <= ?", (milliseconds(now),))
    (first,) = connection.execute("SELECT min(id) FROM waiting").fetchone()
    return first is None or first == place


def wait(connection: sqlite3.Connection, place: int | None, now: datetime) -> int:
    """Renew a place in the queue, or take the last one; which it is.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    until = milliseconds(now + RENEWED_WITHIN)
    if place is not None and connection.execute("UPDATE waiting SET until = ? WHERE id = ?", (until, place)).rowcount:
        return place
    return connection.execute("INSERT INTO waiting (until) VALUES (?)", (until,)).lastrowid or 0


def leave(connection: sqlite3.Connection, place: int | None) -> None:
    """Give up a place in the queue.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    connection.execute("DELETE FROM waiting WHERE id = ?", (place,))
