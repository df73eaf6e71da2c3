"""The books: one SQLite file in finclaw's data folder, written by imports only. Money is exact decimal text."""

from __future__ import annotations

import sqlite3

from finclaw_cli.sdk.store import StoreFile
from finclaw_ledger.problems import MEND, StoreProblem

FILE_NAME = "books.db"
_SCHEMA = """
CREATE TABLE accounts (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, ref TEXT NOT NULL, sha256 TEXT NOT NULL, how TEXT NOT NULL, retrieved_at TEXT NOT NULL
);
CREATE TABLE entries (
    identity TEXT PRIMARY KEY CHECK (length(identity) = 64),
    account TEXT NOT NULL REFERENCES accounts, day TEXT NOT NULL CHECK (day IS date(day)),
    seq INTEGER NOT NULL, amount TEXT NOT NULL CHECK (typeof(amount) = 'text'), currency TEXT NOT NULL,
    payee TEXT NOT NULL, memo TEXT NOT NULL, category TEXT, kind TEXT NOT NULL, balance TEXT,
    symbol TEXT, quantity TEXT, price TEXT, fee TEXT,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX entries_day ON entries (day);
CREATE TABLE balances (
    account TEXT NOT NULL REFERENCES accounts, currency TEXT NOT NULL, day TEXT NOT NULL, amount TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL, PRIMARY KEY (account, currency, day)
) WITHOUT ROWID;
CREATE TABLE spans (
    account TEXT NOT NULL REFERENCES accounts, source_id INTEGER NOT NULL REFERENCES sources,
    first TEXT NOT NULL, last TEXT NOT NULL, PRIMARY KEY (account, source_id)
) WITHOUT ROWID;
"""
_REJECTED = "ALTER TABLE sources ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0"
_COUNTS = """
ALTER TABLE entries ADD COLUMN category_source INTEGER;
ALTER TABLE spans ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
"""
STORE = StoreFile(
    name=FILE_NAME,
    content="file of books",
    distribution="finclaw-ledger",
    table="entries",
    migrations=(_SCHEMA, _REJECTED, _COUNTS),
    readable_from=1,
    repair=MEND.removeprefix("it is damaged: "),
    failure=lambda error: StoreProblem(str(error)),
)
reading, writing = STORE.reading, STORE.writing


def stored_files(connection: sqlite3.Connection) -> list[tuple[int, str, str, str, int]]:
    """The files that were imported: id, name, SHA-256, when, and how many rows were left out."""
    # Books of version 1 do not count those.
    rejected = "0" if _version(connection) == 1 else "rejected"
    return connection.execute(f"SELECT id, ref, sha256, retrieved_at, {rejected} FROM sources").fetchall()  # noqa: S608


def has_counts(connection: sqlite3.Connection) -> bool:
    """Whether the books have the number of bookings of each file."""
    return _version(connection) >= STORE.version


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
