"""The queue's file, `batch.sqlite`, as the thread of a queue uses it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from finclaw_cli.batch.schema import FILE
from finclaw_cli.batch.sql import Work


class SqliteDatabase:
    """The file in a data folder, opened with the first transaction.

    Args:
        home: the data folder.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._connection: sqlite3.Connection | None = None

    def transact(self, work: Sequence[Work[Any]], *, is_synced: bool) -> list[Any]:
        if self._connection is None:
            self._connection = FILE.opened(self._home)
        with FILE.reported(self._home):
            return _transacted(self._connection, work, is_synced=is_synced)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _transacted(connection: sqlite3.Connection, work: Sequence[Work[Any]], *, is_synced: bool) -> list[Any]:
    connection.execute(f"PRAGMA synchronous = {'FULL' if is_synced else 'NORMAL'}")
    connection.execute("BEGIN IMMEDIATE")
    try:
        results = [each(connection) for each in work]
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it
            connection.execute("ROLLBACK")
        raise
    return results
