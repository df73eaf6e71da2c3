"""What has been spent since a moment; read from an index alone."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from decimal import Decimal

from finclaw_cli.usage.money import joined, sums_of
from finclaw_cli.usage.rows import milliseconds

_SPENT = (
    f"SELECT {sums_of('cost')}, money_sum(cost_text) FILTER (WHERE cost_text IS NOT NULL) "  # noqa: S608
    "FROM requests WHERE at >= ?"
)


def spent(connection: sqlite3.Connection, since: datetime) -> Decimal:
    """What requests have cost from that moment on, in USD, as far as they have a price.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    return joined(*connection.execute(_SPENT, (milliseconds(since),)).fetchone())


def has_requests(connection: sqlite3.Connection) -> bool:
    """Whether any request was written down.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM requests)").fetchone()[0])
