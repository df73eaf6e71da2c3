"""The books' file: one SQLite ledger in finclaw's data folder, and how it is opened.

Every write takes the lock first and is on the disk when it returns. The log is folded back only when the last
connection closes, so never by one process while another writes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.store import StoreError, StoreFile
from finclaw_paper.problems import not_configured

FILE_NAME = "paper.db"
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
)


def _problem(error: StoreError) -> ToolError:
    if error.reason in {"denied", "foreign", "newer"}:
        return not_configured(str(error))
    return ToolError(f"BOOKS_UNAVAILABLE: {error}. Nothing was changed by this call.")


STORE = StoreFile(
    name=FILE_NAME,
    content="paper ledger",
    distribution="finclaw-paper",
    table="fills",
    migrations=(";\n".join(_SCHEMA),),
    pragmas=("synchronous = FULL", "foreign_keys = ON", "wal_autocheckpoint = 0"),
    busy_s=30.0,
    failure=_problem,
)
reading = STORE.reading


@contextmanager
def writing(home: Path, given_up: Event) -> Iterator[sqlite3.Connection]:
    """The books with the lock held: everything done inside happens at the end as one, or not at all.

    Nothing happens, either, where the call is no longer waited for (`given_up`): its end was reported already.

    Raises:
        ToolError: the file cannot be created, is not ours, is damaged, or is locked for too long.
    """
    with STORE.writing(home) as connection:
        connection.execute(_INSTRUMENTS)  # the books of earlier versions have no such table
        yield connection
        if given_up.is_set():
            raise ToolError("CANCELLED: the call was given up before anything was written.")
