"""The books: one SQLite file in finclaw's data folder, readable by its owner only, written by imports only.

It keeps a write-ahead log, so that readers do not wait. Money is exact decimal text, never a float.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from finclaw_ledger.problems import MEND, StoreProblem

FILE_NAME = "books.db"
SCHEMA_VERSION = 3
_BUSY_S = 20.0
_DAMAGE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_SCHEMA = (
    "CREATE TABLE accounts (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) WITHOUT ROWID",
    """CREATE TABLE sources (
    id INTEGER PRIMARY KEY, ref TEXT NOT NULL, sha256 TEXT NOT NULL, how TEXT NOT NULL, retrieved_at TEXT NOT NULL,
    rejected INTEGER NOT NULL DEFAULT 0
)""",
    """CREATE TABLE entries (
    identity TEXT PRIMARY KEY CHECK (length(identity) = 64),
    account TEXT NOT NULL REFERENCES accounts, day TEXT NOT NULL CHECK (day IS date(day)),
    seq INTEGER NOT NULL, amount TEXT NOT NULL CHECK (typeof(amount) = 'text'), currency TEXT NOT NULL,
    payee TEXT NOT NULL, memo TEXT NOT NULL, category TEXT, kind TEXT NOT NULL, balance TEXT,
    symbol TEXT, quantity TEXT, price TEXT, fee TEXT,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL, category_source INTEGER
) WITHOUT ROWID""",
    "CREATE INDEX entries_day ON entries (day)",
    """CREATE TABLE balances (
    account TEXT NOT NULL REFERENCES accounts, currency TEXT NOT NULL, day TEXT NOT NULL, amount TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL, PRIMARY KEY (account, currency, day)
) WITHOUT ROWID""",
    """CREATE TABLE spans (
    account TEXT NOT NULL REFERENCES accounts, source_id INTEGER NOT NULL REFERENCES sources,
    first TEXT NOT NULL, last TEXT NOT NULL, rows INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account, source_id)
) WITHOUT ROWID""",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
# What brings books of each earlier version to the next one; they are only changed by an import.
_UPGRADES = (
    ("ALTER TABLE sources ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0",),
    (
        "ALTER TABLE entries ADD COLUMN category_source INTEGER",
        "ALTER TABLE spans ADD COLUMN rows INTEGER NOT NULL DEFAULT 0",
    ),
)


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection | None]:
    """A consistent, read-only view of the books; None where nothing was ever imported.

    Raises:
        StoreProblem: what is there is not ours, is damaged, or cannot be read.
    """
    path = home / FILE_NAME
    if not _holds_anything(path):
        yield None
        return
    # Books in a read-only folder have no writers; without the hint SQLite requires a log there.
    frozen = not os.access(home, os.W_OK) and not path.with_name(f"{FILE_NAME}-wal").exists()
    with _connected(path, "mode=ro" + ("&immutable=1" if frozen else "")) as connection:
        connection.execute("BEGIN")
        _check_version(connection, path)
        yield connection


@contextmanager
def writing(home: Path) -> Iterator[sqlite3.Connection]:
    """The books with the lock held: everything done inside happens at the end as one, or not at all.

    Raises:
        StoreProblem: they cannot be created or used.
    """
    path = home / FILE_NAME
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreProblem(f"cannot create {path}: {error.strerror}") from None
    _holds_anything(path)
    with _connected(path, "mode=rw") as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            _prepare(connection, path)
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        for statement in _SCHEMA:
            connection.execute(statement)
    _check_version(connection, path)
    for statement in (statement for later in _UPGRADES[_version(connection) - 1 :] for statement in later):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def stored_files(connection: sqlite3.Connection) -> list[tuple[int, str, str, str, int]]:
    """The files that were imported: id, name, SHA-256, when, and how many rows were left out."""
    # Books of version 1 do not count those.
    rejected = "0" if _version(connection) == 1 else "rejected"
    return connection.execute(f"SELECT id, ref, sha256, retrieved_at, {rejected} FROM sources").fetchall()  # noqa: S608


def has_counts(connection: sqlite3.Connection) -> bool:
    """Whether the books have the number of bookings of each file."""
    return _version(connection) >= SCHEMA_VERSION


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection)
    if version > SCHEMA_VERSION:
        raise StoreProblem(f"{path} was written by a newer finclaw-ledger; update this one")
    if version < 1:
        raise StoreProblem(f"{path} does not hold books; move it away and import your files again")


@contextmanager
def _connected(path: Path, options: str) -> Iterator[sqlite3.Connection]:
    try:
        address = f"file:{quote(str(path))}?{options}"
        connection = sqlite3.connect(address, uri=True, timeout=_BUSY_S, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreProblem(f"cannot use {path}: {error}" + (f"; {MEND}" if _is_damage(error) else "")) from None


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    # Plain SQLITE_ERROR is what a table or a column that is not there gives: our statements are right.
    return isinstance(code, int) and code & 0xFF in _DAMAGE


def _holds_anything(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreProblem(f"cannot read {path}: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        raise StoreProblem(
            f"{path} is no regular file, so it does not hold books; move it away and import your files again"
        )
    return status.st_size > 0
