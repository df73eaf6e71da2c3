"""Connections to the ledger's file: one to write, short ones to read."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.core.sqlite_files import Mode, connect
from finclaw_cli.usage import schema
from finclaw_cli.usage.failures import said_plainly
from finclaw_cli.usage.money import teach

TIMEOUT_S = 30.0


@dataclass(slots=True, weakref_slot=True)
class Opened:
    """A connection, and the file it was opened on."""

    connection: sqlite3.Connection
    file: tuple[int, int]

    def is_in_place(self, path: Path) -> bool:
        """Whether the file is still the one at that path: what is written to a removed one is gone."""
        try:
            return _identity(path) == self.file
        except FileNotFoundError:
            return False


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def open_to_write(path: Path, timeout_s: float = TIMEOUT_S) -> Opened:
    """Open the ledger for writing; it is made if there is none.

    Raises:
        LedgerFailed: it cannot be opened, or is no ledger.
    """
    with said_plainly(path):
        schema.ensure_file(path, timeout_s)
        identity = _identity(path)  # before it is opened: if another one takes its place, that is noticed
        connection = _connect(path, "rw", timeout_s)
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            schema.check(connection, path)
        except BaseException:
            connection.close()
            raise
        opened = Opened(connection, identity)
        weakref.finalize(opened, connection.close)  # for an agent that is dropped without `aclose`
        return opened


@contextmanager
def reading(path: Path, timeout_s: float = TIMEOUT_S) -> Iterator[sqlite3.Connection]:
    """One view of the ledger, in which nothing changes meanwhile; an empty one where there is no file: none is made.

    Raises:
        LedgerFailed: it cannot be read, or is no ledger.
    """
    with said_plainly(path), closing(_opened_to_read(path, timeout_s)) as connection:
        connection.execute("BEGIN")
        yield connection


def _opened_to_read(path: Path, timeout_s: float) -> sqlite3.Connection:
    if not schema.is_there(path):
        connection = sqlite3.connect(":memory:", isolation_level=None)
        schema.fill(connection)
        teach(connection)
        return connection
    connection = _connect(path, "ro", timeout_s)
    try:
        schema.check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, mode: Mode, timeout_s: float) -> sqlite3.Connection:
    """A connection that may be handed from thread to thread."""
    connection = connect(path, mode, timeout_s, check_same_thread=False)
    teach(connection)
    return connection
