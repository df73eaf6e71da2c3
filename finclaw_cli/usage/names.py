"""Which sessions and runs the ledger knows: sessions can be removed, their rows stay."""

from __future__ import annotations

import sqlite3
from typing import Literal

Named = Literal["session", "run"]

_COLUMNS: dict[Named, str] = {"session": "session_id", "run": "run_id"}


def named(connection: sqlite3.Connection, kind: Named, beginning: str, most: int) -> list[str]:
    """The names that begin like this, in their order, at most so many; only the very name where there is one.

    Raises:
        sqlite3.Error: the ledger cannot be read.
    """
    found = _names(connection, kind, "{column} = :name", beginning, 1)
    return found or _names(connection, kind, "substr({column}, 1, length(:name)) = :name", beginning, most)


def last_named(connection: sqlite3.Connection, kind: Named, most: int) -> list[str]:
    """The names that were written last, at most so many.

    Raises:
        sqlite3.Error: the ledger cannot be read.
    """
    column = _COLUMNS[kind]
    statement = f"SELECT {column} FROM requests GROUP BY 1 ORDER BY max(at) DESC LIMIT ?"  # noqa: S608 - a name of ours
    return [name for (name,) in connection.execute(statement, (most,))]


def _names(connection: sqlite3.Connection, kind: Named, condition: str, name: str, most: int) -> list[str]:
    column = _COLUMNS[kind]
    each = " UNION ".join(
        f"SELECT {column} FROM {table} WHERE {condition.format(column=column)}"  # noqa: S608 - names of ours
        for table in ("requests", "tool_calls")
    )
    return [found for (found,) in connection.execute(f"{each} ORDER BY 1 LIMIT :most", {"name": name, "most": most})]
