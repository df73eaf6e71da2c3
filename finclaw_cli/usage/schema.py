"""The tables of the ledger, and how its file comes to be: whole, private, and once.

The file is made aside and then put in its place under a lock: however many processes begin at once, none ever sees a
part of it, and none has to change it before it can write.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from finclaw_cli.core.files import private_folder, written_aside
from finclaw_cli.core.sqlite_files import IrregularFile, has_content, make_private
from finclaw_cli.usage import waiting
from finclaw_cli.usage.failures import not_a_ledger, too_new
from finclaw_cli.usage.locks import one_at_a_time

VERSION = 1
APPLICATION_ID = 0x66636C77
"""`fclw`: distinguishes the usage store from any other database."""

# `odd` marks rows which need more than sums, so that reports need not look for them among all the others.
_TABLES = """
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    number INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input INTEGER,
    output INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    reasoning INTEGER,
    cache_write_1h INTEGER,
    cost INTEGER,
    cost_text TEXT,
    saved INTEGER,
    price_source TEXT NOT NULL,
    status TEXT NOT NULL,
    estimated INTEGER NOT NULL,
    odd INTEGER NOT NULL
);
CREATE UNIQUE INDEX request_key ON requests (run_id, turn, attempt, purpose, number);
CREATE INDEX request_time ON requests (at, cost, cost_text);
CREATE INDEX request_odd ON requests (at) WHERE odd = 1;
CREATE TABLE tool_calls (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    status TEXT NOT NULL,
    duration_ms INTEGER
);
CREATE UNIQUE INDEX tool_call_key ON tool_calls (run_id, turn, call_id);
CREATE INDEX tool_call_time ON tool_calls (at);
CREATE TABLE reservations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    amount TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    place TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL
);
"""


def fill(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database."""
    connection.executescript(_TABLES)
    connection.execute(waiting.TABLE)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def is_there(path: Path) -> bool:
    """Whether there is a file that is more than empty, and ours to open.

    Raises:
        LedgerFailed: something other than a file stands there.
        OSError: that is unknown.
    """
    try:
        return has_content(path)
    except IrregularFile:
        raise not_a_ledger(path, "it is not a regular file") from None


def ensure_file(path: Path, timeout_s: float) -> None:
    """Make the file if there is none; one that others can read is closed to them.

    Raises:
        LedgerFailed: it cannot be made, or something else stands in its place.
        OSError: the folder cannot be made or written.
    """
    if not is_there(path):
        private_folder(path.parent)
        with one_at_a_time(path, timeout_s):
            if not is_there(path):
                _make(path)
    else:
        make_private(path)


def _make(path: Path) -> None:
    with written_aside(path) as (_, part):
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            fill(connection)
        # SQLite would read the log of a ledger that was removed into the new one.
        for leftover in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.unlink(f"{path}{leftover}")  # noqa: PTH108 - not a name with a suffix
        part.replace(path)


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Make sure that a database is a ledger which this finclaw knows.

    Raises:
        LedgerFailed: it is not.
        sqlite3.Error: it cannot be read.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise not_a_ledger(path, "it is a database of something else")
    if version > VERSION:
        raise too_new(path, version)
