"""The books: one SQLite file in finclaw's data folder, written by imports only. Money is exact decimal text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

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
# An amount is `units` of its last decimal place, of which it has `digits`; both are null where it is no number of at
# most 13 digits. A sum of a million such units fits into 64 bits.
EXACT_COLUMNS = """
    digits INTEGER AS (
        CASE WHEN length(amount) > 14 OR amount GLOB '*[^-.0-9]*' THEN NULL
        WHEN instr(amount, '.') = 0 THEN 0 ELSE length(amount) - instr(amount, '.') END
    ) STORED,
    units INTEGER AS (
        CASE WHEN length(amount) > 14 OR amount GLOB '*[^-.0-9]*' THEN NULL
        ELSE CAST(replace(amount, '.', '') AS INTEGER) END
    ) STORED
"""
# SQLite compares only ASCII letters without their case, so other texts are compared elsewhere.
ASCII_COLUMN = """
    is_ascii INTEGER AS (
        length(CAST(payee || memo || coalesce(category, '') || coalesce(symbol, '') AS BLOB))
        = length(payee || memo || coalesce(category, '') || coalesce(symbol, ''))
    ) STORED
"""
_BOOKINGS = """
CREATE TABLE bookings (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL {unique}CHECK (length(identity) = 64),
    account TEXT NOT NULL REFERENCES accounts, day TEXT NOT NULL CHECK (day IS date(day)),
    seq INTEGER NOT NULL, amount TEXT NOT NULL CHECK (typeof(amount) = 'text'), currency TEXT NOT NULL,
    payee TEXT NOT NULL, memo TEXT NOT NULL, category TEXT, kind TEXT NOT NULL, balance TEXT,
    symbol TEXT, quantity TEXT, price TEXT, fee TEXT,
    source_id INTEGER NOT NULL REFERENCES sources, line INTEGER NOT NULL, category_source INTEGER,
{exact});
INSERT INTO bookings (
    identity, account, day, seq, amount, currency, payee, memo, category, kind, balance, symbol, quantity, price, fee,
    source_id, line, category_source{id}
) SELECT
    identity, account, day, seq, amount, currency, payee, memo, category, kind, balance, symbol, quantity, price, fee,
    source_id, line, category_source{id}
FROM entries ORDER BY {order};
DROP TABLE entries;
ALTER TABLE bookings RENAME TO entries;
CREATE INDEX entries_days ON entries (day, account);
CREATE INDEX entries_accounts ON entries (account, currency, day);
CREATE INDEX entries_balances ON entries (account, currency, day) WHERE balance IS NOT NULL;
CREATE INDEX entries_kinds ON entries (kind, day) WHERE kind <> 'payment';
CREATE INDEX entries_bare ON entries (day, account) WHERE category IS NULL;
"""
# With row numbers the bookings of a file lie together, and indexes are small.
_UNITS = (
    _BOOKINGS.format(unique="UNIQUE ", exact=EXACT_COLUMNS, id="", order="account, source_id, seq")
    + """
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY REFERENCES entries, other INTEGER NOT NULL REFERENCES entries,
    later TEXT NOT NULL, grounds TEXT NOT NULL
);
CREATE TABLE transfer_verdicts (
    outgoing TEXT NOT NULL, incoming TEXT NOT NULL, is_transfer INTEGER NOT NULL, PRIMARY KEY (outgoing, incoming)
) WITHOUT ROWID;
CREATE TABLE pairing (rules INTEGER NOT NULL);
CREATE TABLE outlays (
    currency TEXT NOT NULL, category TEXT NOT NULL, PRIMARY KEY (currency, category)
) WITHOUT ROWID;
"""
)
# The index of identities is one by itself, which can be dropped and built again.
_INDEXES = (
    _BOOKINGS.format(unique="", exact=f"{EXACT_COLUMNS},{ASCII_COLUMN}", id=", id", order="id")
    + "CREATE UNIQUE INDEX entries_identities ON entries (identity);\n"
)
STORE = StoreFile(
    name=FILE_NAME,
    content="file of books",
    distribution="finclaw-ledger",
    table="entries",
    # Identities are random, so an insert touches any page of their index: 64 MB hold those of half a million bookings.
    pragmas=("foreign_keys = ON", "cache_size = -65536"),
    migrations=(_SCHEMA, _REJECTED, _COUNTS, _UNITS, _INDEXES),
    repair=MEND.removeprefix("it is damaged: "),
    failure=lambda error: StoreProblem(str(error)),
)
reading, writing = STORE.reading, STORE.writing


_OWN_INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'entries' AND sql IS NOT NULL"


@contextmanager
def filling(connection: sqlite3.Connection) -> Iterator[None]:
    """Fill the bookings in the block: where there are none yet, their indexes are built at its end.

    That costs a third of keeping them in order row by row. The caller holds the transaction.
    """
    indexes = [] if has_bookings(connection) else connection.execute(_OWN_INDEXES).fetchall()
    if indexes:
        connection.execute("PRAGMA cache_size = -8192")  # rows that are appended touch no earlier page
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    yield
    for _, statement in indexes:
        connection.execute(statement)


def has_bookings(connection: sqlite3.Connection) -> bool:
    """Whether there is any booking."""
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM entries)").fetchone()[0])


def stored_files(connection: sqlite3.Connection) -> list[tuple[int, str, str, str, int]]:
    """The files that were imported: id, name, SHA-256, when, and how many rows were left out."""
    return connection.execute("SELECT id, ref, sha256, retrieved_at, rejected FROM sources").fetchall()
