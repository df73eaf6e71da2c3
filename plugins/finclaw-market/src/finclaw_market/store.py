"""The price store: one SQLite file in finclaw's data folder, written by imports only.

It keeps a write-ahead log, since with a rollback journal a long import would lock out every reader; with the log,
readers see the last committed state without waiting. Numbers are exact decimal text, never floats.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from finclaw_market.held import REPAIR
from finclaw_market.problems import StoreProblem

FILE_NAME = "market.db"
SCHEMA_VERSION = 2
_BUSY_S = 20.0
# A store without its tables answers with a plain SQLITE_ERROR.
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")
_SCHEMA = """
CREATE TABLE instruments (
    symbol TEXT PRIMARY KEY, name TEXT, exchange TEXT, currency TEXT, tz TEXT
) WITHOUT ROWID;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, sha256 TEXT NOT NULL, retrieved_at TEXT NOT NULL,
    adjustment TEXT NOT NULL, licence TEXT NOT NULL, rows TEXT NOT NULL
);
CREATE TABLE bars (
    symbol TEXT NOT NULL REFERENCES instruments, date TEXT NOT NULL,
    open TEXT, high TEXT, low TEXT, close TEXT NOT NULL, adj_close TEXT, volume TEXT, dividend TEXT, split TEXT,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL,
    PRIMARY KEY (symbol, date)
) WITHOUT ROWID;
"""
# Since version 2. `known_from` is the day from which a value was known, empty where its source does not say; a value
# that is NULL was known to be missing.
_SCHEMA_2 = """
CREATE TABLE series (id TEXT PRIMARY KEY, name TEXT, unit TEXT) WITHOUT ROWID;
CREATE TABLE observations (
    series TEXT NOT NULL REFERENCES series, date TEXT NOT NULL, known_from TEXT NOT NULL, value TEXT,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL,
    PRIMARY KEY (series, date, known_from)
) WITHOUT ROWID;
CREATE TABLE fx_rates (
    base TEXT NOT NULL, quote TEXT NOT NULL, date TEXT NOT NULL, rate TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL,
    PRIMARY KEY (base, quote, date)
) WITHOUT ROWID;
"""


def store_path(home: Path) -> Path:
    """Where the store of that data folder is, or would be."""
    return home / FILE_NAME


def _holds_anything(path: Path) -> bool:
    """Whether there is a file that is not empty.

    Raises:
        StoreProblem: what is there is not a file, or cannot be looked at.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise StoreProblem(f"{path} is a link that leads nowhere, not a price store") from None
        return False
    except OSError as error:
        raise StoreProblem(f"cannot read {path}: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        what = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise StoreProblem(f"{path} is {what}, not a price store; move it away")
    return status.st_size > 0


def uri(path: Path, mode: str) -> str:
    """The store's address for SQLite: `mode` is `ro` or `rw`."""
    # A store in a read-only folder has no writers; without the hint SQLite requires a log there.
    frozen = mode == "ro" and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    return f"file:{quote(str(path))}?mode={mode}" + ("&immutable=1" if frozen else "")


def ensure_store(home: Path) -> Path:
    """Create the store where there is none, readable by its owner only, and return its path.

    Raises:
        StoreProblem: it cannot be created, or what is there is not a store of ours.
    """
    path = store_path(home)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreProblem(f"cannot create {path}: {error.strerror}") from None
    _holds_anything(path)
    try:
        with _connected(uri(path, "rw")) as connection:
            _prepare(connection, path)
    except sqlite3.Error as error:
        raise _unusable("use", path, error) from None
    return path


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == SCHEMA_VERSION:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    # Another import may have been faster.
    version = _version(connection)
    empty = version == 0 and not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    if empty or version == 1:
        for statement in ((_SCHEMA if empty else "") + _SCHEMA_2).split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
        return
    connection.execute("ROLLBACK")
    _check_version(version, path)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check_version(version: int, path: Path) -> None:
    if version > SCHEMA_VERSION:
        raise StoreProblem(f"{path} was written by a newer finclaw-market; update this one")
    if version < 1:
        raise StoreProblem(f"{path} is not a price store")


def holds_series(connection: sqlite3.Connection) -> bool:
    """Whether a store is new enough for series and exchange rates; an older one is brought up to date by imports."""
    return _version(connection) >= SCHEMA_VERSION


@contextmanager
def _connected(address: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(address, uri=True, timeout=_BUSY_S, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection | None]:
    """A consistent, read-only view of the store; None where nothing was ever imported.

    Raises:
        StoreProblem: what is there is not a store of ours, or is damaged.
    """
    path = store_path(home)
    if not _holds_anything(path):
        yield None
        return
    try:
        with _connected(uri(path, "ro")) as connection:
            connection.execute("BEGIN")
            _check_version(_version(connection), path)
            yield connection
    except sqlite3.Error as error:
        raise _unusable("read", path, error) from None


def _unusable(what: str, path: Path, error: sqlite3.Error) -> StoreProblem:
    """The error for a failure of SQLite; whether to try again, or to make another store."""
    name = getattr(error, "sqlite_errorname", "")
    repair = f"; it is damaged: {REPAIR}" if name.startswith(_DAMAGE) else ""
    return StoreProblem(f"cannot {what} {path}: {error}{repair}")
