"""The books' file: one SQLite ledger in finclaw's data folder, and how it is opened.

Every write takes the lock first (`BEGIN IMMEDIATE`) and is on the disk when it returns (`synchronous = FULL`). The log
is folded back only when the last connection closes, so never by one process while another writes.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from urllib.parse import quote

from finclaw_cli.sdk import ToolError
from finclaw_paper.problems import not_configured

FILE_NAME = "paper.db"
SCHEMA_VERSION = 1
BUSY_S = 30.0
_PAUSE_S = 0.01
_UNSIGNED = "typeof({0}) = 'text' AND {0} GLOB '[0-9]*' AND {0} NOT GLOB '*[^0-9.]*' AND {0} NOT GLOB '*.*.*'"
_SIGNED = "typeof({0}) = 'text' AND {0} GLOB '*[0-9]' AND ltrim({0}, '-') NOT GLOB '*[^0-9.]*'"


def _number(name: str) -> str:
    return f"{name} TEXT NOT NULL CHECK ({_UNSIGNED.format(name)})"


def _optional(name: str) -> str:
    return f"{name} TEXT CHECK ({name} IS NULL OR ({_UNSIGNED.format(name)}))"


_INSTRUMENTS = """CREATE TABLE IF NOT EXISTS ordered_instruments (
    client_order_id TEXT PRIMARY KEY REFERENCES orders (client_order_id), exchange TEXT, currency TEXT
)"""
_SCHEMA = (
    f"""CREATE TABLE account (
    id INTEGER PRIMARY KEY CHECK (id = 1), currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    {_number("starting_cash")}, {_number("cash")}, opened_at TEXT NOT NULL
)""",
    f"""CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    client_order_id TEXT NOT NULL UNIQUE CHECK (length(client_order_id) BETWEEN 1 AND 48),
    request_hash TEXT NOT NULL CHECK (length(request_hash) = 64),
    symbol TEXT NOT NULL CHECK (symbol <> ''),
    side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
    type TEXT NOT NULL CHECK (type IN ('market', 'limit')),
    tif TEXT NOT NULL CHECK (tif IN ('day', 'gtc')),
    {_optional("qty")}, {_optional("notional")}, {_optional("limit_price")},
    {_number("value")}, {_number("fee")},
    status TEXT NOT NULL CHECK (status IN ('accepted', 'filled', 'canceled', 'expired')),
    day TEXT NOT NULL, seen TEXT NOT NULL, submitted_at TEXT NOT NULL, closed_at TEXT, note TEXT,
    CHECK ((qty IS NULL) <> (notional IS NULL)),
    CHECK ((type = 'limit') = (limit_price IS NOT NULL)),
    CHECK ((status = 'accepted') = (closed_at IS NULL))
)""",
    "CREATE INDEX orders_open ON orders (symbol) WHERE status = 'accepted'",
    "CREATE INDEX orders_submitted ON orders (submitted_at)",
    f"""CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    client_order_id TEXT NOT NULL UNIQUE REFERENCES orders (client_order_id),
    symbol TEXT NOT NULL, side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
    {_number("qty")}, {_number("price")}, {_number("fee")},
    session TEXT NOT NULL, day TEXT NOT NULL, filled_at TEXT NOT NULL, source TEXT NOT NULL
)""",
    # Beside the orders, so that the tables of version 1 stay as they are.
    _INSTRUMENTS,
    f"CREATE TABLE positions (symbol TEXT PRIMARY KEY, qty TEXT NOT NULL CHECK ({_SIGNED.format('qty')}))",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection | None]:
    """One consistent view of the books; None where no order was ever placed.

    Raises:
        ToolError: the file is not ours, is damaged, or cannot be read.
    """
    path = home / FILE_NAME
    if not _is_there(path):
        yield None
        return
    with _connected(path) as connection:
        if _version(connection) == 0:
            yield None
            return
        connection.execute("BEGIN")
        yield connection


@contextmanager
def writing(home: Path, given_up: Event) -> Iterator[sqlite3.Connection]:
    """The books with the lock held: everything done inside happens at the end as one, or not at all.

    Nothing happens, either, where the call is no longer waited for (`given_up`): its end was reported already.

    Raises:
        ToolError: the file cannot be created, is not ours, is damaged, or is locked for too long.
    """
    path = home / FILE_NAME
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise not_configured(f"cannot create {path}: {error.strerror}") from None
    _is_there(path)
    with _connected(path) as connection:
        _prepare(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(_INSTRUMENTS)  # the books of earlier versions have no such table
            yield connection
            _check_wanted(given_up)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise


def _check_wanted(given_up: Event) -> None:
    if given_up.is_set():
        raise ToolError("CANCELLED: the call was given up before anything was written.")


def _is_there(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise not_configured(f"cannot read {path}: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise not_configured(f"{path} is not a regular file; move it away")
    return True


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=BUSY_S, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            _check(connection, path)
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ToolError(f"BOOKS_UNAVAILABLE: cannot use {path}: {error}. Nothing was changed by this call.") from None


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path) -> None:
    # The tables first: another process may be making them, and the version comes with them.
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    version = _version(connection)
    if version > SCHEMA_VERSION:
        raise not_configured(f"{path} was written by a newer finclaw-paper; update this one")
    if tables and (version == 0 or "fills" not in tables):
        raise not_configured(f"{path} is not a paper ledger; move it away")


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables where there are none, and see that the write-ahead log is on."""
    if _version(connection) == 0:
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have been faster.
        for statement in _SCHEMA if _version(connection) == 0 else ():
            connection.execute(statement)
        connection.execute("COMMIT")
    ends = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        # Changing the journal needs the file for oneself and, unlike a transaction, does not wait for that.
        except sqlite3.OperationalError:
            if time.monotonic() > ends:
                raise
            time.sleep(_PAUSE_S)
        else:
            return
