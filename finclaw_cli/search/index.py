"""The index of the words and facts of all sessions: a cache in SQLite.

The words are in a full-text table without a copy of the text, which is read back from the transcripts.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.sqlite_files import IrregularFile, connect, has_content, make_private
from finclaw_cli.search.words import SIGNS

VERSION = 3
PATIENCE_S = 30.0
DELETES = sqlite3.sqlite_version_info >= (3, 43)
"""Whether SQLite can take words out of a table that has no copy of the text."""
_TABLES = f"""
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, inode INTEGER NOT NULL, modified INTEGER NOT NULL,
    bytes INTEGER NOT NULL, tail BLOB NOT NULL, turn INTEGER NOT NULL,
    started INTEGER NOT NULL, ended INTEGER NOT NULL, failed INTEGER NOT NULL, cost_usd TEXT NOT NULL
);
CREATE TABLE listing (names TEXT NOT NULL, numbers BLOB NOT NULL);
CREATE TABLE facts (
    session INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (session, kind, value)
) WITHOUT ROWID;
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, at TEXT NOT NULL, turn INTEGER NOT NULL,
    role TEXT NOT NULL, place INTEGER NOT NULL
);
CREATE INDEX message_session ON messages (session);
CREATE VIRTUAL TABLE words USING fts5 (
    text, content = '', {"contentless_delete = 1," if DELETES else ""} tokenize = "ascii tokenchars '{SIGNS}'"
);
{"INSERT INTO words (words, rank) VALUES ('secure-delete', 1);" if DELETES else ""}
INSERT INTO words (words, rank) VALUES ('hashsize', {32 * 1024 * 1024});
PRAGMA user_version = {VERSION};
"""  # noqa: S608 - texts of ours


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The index, made where there is none; in memory where it cannot be written.

    Raises:
        OutputFailed: it cannot be used and not be made.
    """
    connection = _connect(path)
    try:
        yield connection
    finally:
        connection.close()


def in_memory() -> sqlite3.Connection:
    """An index without a file."""
    return _tables(sqlite3.connect(":memory:", isolation_level=None))


def remove(path: Path) -> None:
    """Remove the index, with all its words.

    Raises:
        OSError: it cannot be removed.
    """
    for each in (path, *(path.with_name(f"{path.name}-{more}") for more in ("wal", "shm", "journal"))):
        each.unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return _usable(path) or _made(path)
    except sqlite3.OperationalError:  # another process holds it, or the disk fails: nothing is known against the file
        return in_memory()
    except sqlite3.DatabaseError:  # damaged
        with suppress(OSError):
            remove(path)
    except IrregularFile as error:
        raise OutputFailed(f"{path} is {error}", hint="Remove it: it is only an index, and made again.") from error
    except OSError:
        return in_memory()
    try:
        return _made(path)
    except (sqlite3.Error, OSError):
        return in_memory()


def _usable(path: Path) -> sqlite3.Connection | None:
    """The index that is there, if it is of this version and can be written."""
    if not has_content(path):
        return None
    connection = connect(path, "rw", PATIENCE_S)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == VERSION:
            connection.execute("PRAGMA synchronous = OFF")  # what is lost is made again
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    remove(path)
    return None


def _made(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
    make_private(path)
    return _tables(connect(path, "rw", PATIENCE_S))


def _tables(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA synchronous = OFF")  # what is lost is made again
    with transaction(connection):
        if connection.execute("PRAGMA user_version").fetchone() != (VERSION,):  # another process may have made them
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of a block, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite has undone it itself where the disk is full
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
