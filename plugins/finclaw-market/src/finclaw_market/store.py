"""The price store: one SQLite file in finclaw's data folder, written by imports only.

Numbers are exact decimal text, never floats.
"""

from __future__ import annotations

import sqlite3

from finclaw_cli.sdk.store import StoreFile
from finclaw_market.held import REPAIR
from finclaw_market.problems import StoreProblem

FILE_NAME = "market.db"
_SERIES_SINCE, _REPAIRS_SINCE = 2, 3
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
# Since version 3: bars as repairs made them, in place of those in `bars`, which stay as they were imported. A bar whose
# `close` is NULL is left out.
_SCHEMA_3 = """
CREATE TABLE repairs (
    id INTEGER PRIMARY KEY, symbol TEXT NOT NULL, made_at TEXT NOT NULL, date TEXT NOT NULL, reason TEXT NOT NULL,
    change TEXT NOT NULL
);
CREATE TABLE repaired (
    symbol TEXT NOT NULL, date TEXT NOT NULL,
    open TEXT, high TEXT, low TEXT, close TEXT, adj_close TEXT, volume TEXT, dividend TEXT, split TEXT,
    PRIMARY KEY (symbol, date)
) WITHOUT ROWID;
"""
STORE = StoreFile(
    name=FILE_NAME,
    content="price store",
    distribution="finclaw-market",
    table="bars",
    migrations=(_SCHEMA, _SCHEMA_2, _SCHEMA_3),
    readable_from=1,
    repair=REPAIR,
    follow_links=True,
    failure=lambda error: StoreProblem(str(error)),
)
reading = STORE.reading


def holds_series(connection: sqlite3.Connection) -> bool:
    """Whether a store is new enough for series and exchange rates; an older one is brought up to date by imports."""
    return _version(connection) >= _SERIES_SINCE


def holds_repairs(connection: sqlite3.Connection) -> bool:
    """Whether a store is new enough for repairs."""
    return _version(connection) >= _REPAIRS_SINCE


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
