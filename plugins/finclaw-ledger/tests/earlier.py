"""Books as an earlier version of the plugin wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from finclaw_ledger.store import STORE

TABLES = ("accounts", "sources", "entries", "balances", "spans")


def make_earlier(books: Path, version: int) -> None:
    """Write a file of books anew, with the tables of an earlier version and what they can hold of it."""
    with closing(sqlite3.connect(books)) as now:
        now.row_factory = sqlite3.Row
        content = {table: [dict(row) for row in now.execute(f"SELECT * FROM {table}")] for table in TABLES}
    for path in books.parent.glob(f"{books.name}*"):
        path.unlink()
    with closing(sqlite3.connect(books)) as then:
        for script in STORE.migrations[:version]:
            then.executescript(script)
        for table in TABLES:
            known = [row[1] for row in then.execute(f"PRAGMA table_info({table})")]
            for row in content[table]:
                kept = {name: value for name, value in row.items() if name in known}
                places = ", ".join("?" * len(kept))
                then.execute(f"INSERT INTO {table} ({', '.join(kept)}) VALUES ({places})", list(kept.values()))
        then.execute(f"PRAGMA user_version = {version}")
        then.commit()
