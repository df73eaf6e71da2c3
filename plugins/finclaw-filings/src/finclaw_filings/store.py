"""The filings store: one SQLite file in finclaw's data folder.

It keeps a write-ahead log, so that readers see the last committed state while an import writes. The values of one
concept in one unit are one row of JSON: a company has hundreds of concepts and tens of thousands of values, and what is
asked for is always a whole concept. The words of filings are in an FTS5 index without content of its own; the text is
kept once, in `documents`, and passages are offsets into it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from finclaw_filings.problems import StoreProblem

FILE_NAME = "filings.db"
SCHEMA_VERSION = 2
# "fcfl": a file of another program may have a user_version of 1 as well.
_APPLICATION_ID = 0x6663666C
_BUSY_S = 20.0
_SCHEMA = """
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, sha256 TEXT NOT NULL, retrieved_at TEXT NOT NULL,
    rows TEXT NOT NULL, UNIQUE (kind, ref, sha256)
);
CREATE TABLE companies (
    cik INTEGER PRIMARY KEY, name TEXT, name_key TEXT, sic TEXT, industry TEXT, fiscal_year_end TEXT,
    former_names TEXT, facts_until TEXT, facts_source INTEGER REFERENCES sources,
    profile_source INTEGER REFERENCES sources
);
CREATE INDEX companies_by_name ON companies (name_key);
CREATE TABLE tickers (
    ticker TEXT NOT NULL, cik INTEGER NOT NULL, exchange TEXT, source_id INTEGER NOT NULL REFERENCES sources,
    PRIMARY KEY (ticker, cik)
) WITHOUT ROWID;
CREATE INDEX tickers_by_company ON tickers (cik);
CREATE TABLE concepts (
    cik INTEGER NOT NULL, taxonomy TEXT NOT NULL, tag TEXT NOT NULL, unit TEXT NOT NULL, label TEXT,
    count INTEGER NOT NULL, facts TEXT NOT NULL, PRIMARY KEY (cik, taxonomy, tag, unit)
);
CREATE TABLE filings (
    accession TEXT NOT NULL, cik INTEGER NOT NULL, form TEXT NOT NULL, filed TEXT NOT NULL, period TEXT,
    document TEXT, source_id INTEGER NOT NULL REFERENCES sources, PRIMARY KEY (accession, cik)
) WITHOUT ROWID;
CREATE INDEX filings_by_company ON filings (cik, filed);
CREATE TABLE asked (url TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    accession TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, sections TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources, cik INTEGER, filed TEXT
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, accession TEXT NOT NULL, section TEXT, start INTEGER NOT NULL, stop INTEGER NOT NULL
);
CREATE INDEX passages_by_document ON passages (accession);
CREATE VIRTUAL TABLE words USING fts5(content, content='', tokenize='porter unicode61 remove_diacritics 2');
"""
# A text belongs to the company that it was imported for, and is known from its own day on, however early other files
# have its accession.
_TEXTS = """
CREATE VIEW texts AS SELECT f.accession, f.cik, f.form, max(f.filed, d.filed) AS filed
FROM filings f JOIN documents d ON d.accession = f.accession AND d.cik = f.cik
"""
# Version 1 did not keep whose a text is and when it was filed: the latest of the days that are known is safe.
_UPGRADE = """
ALTER TABLE documents ADD COLUMN cik INTEGER;
ALTER TABLE documents ADD COLUMN filed TEXT;
UPDATE documents SET
    cik = coalesce(
        (SELECT f.cik FROM filings f WHERE f.accession = documents.accession AND f.source_id = documents.source_id),
        (SELECT f.cik FROM filings f WHERE f.accession = documents.accession ORDER BY f.filed DESC LIMIT 1)
    ),
    filed = (SELECT max(f.filed) FROM filings f WHERE f.accession = documents.accession)
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
            raise StoreProblem(f"{path} is a link that leads nowhere, not a filings store") from None
        return False
    except OSError as error:
        raise StoreProblem(f"cannot read {path}: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        what = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise StoreProblem(f"{path} is {what}, not a filings store; move it away")
    return status.st_size > 0


def _address(path: Path, mode: str) -> str:
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
    with _trouble_with(path), _connected(_address(path, "rw")) as connection:
        _prepare(connection, path)
    return path


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == SCHEMA_VERSION:
        _check(connection, path)
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    # Another import may have been faster.
    if _version(connection) == 0 and not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        _bring_to_version(connection, _SCHEMA)
    elif _is_older(connection):
        _bring_to_version(connection, _UPGRADE)
    else:
        connection.execute("ROLLBACK")
        _check(connection, path)


def _bring_to_version(connection: sqlite3.Connection, statements: str) -> None:
    for statement in (*statements.split(";\n"), _TEXTS):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _is_older(connection: sqlite3.Connection) -> bool:
    """Whether it is a store of ours that an earlier version wrote."""
    ours = int(connection.execute("PRAGMA application_id").fetchone()[0]) == _APPLICATION_ID
    return ours and 0 < _version(connection) < SCHEMA_VERSION


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path) -> None:
    ours = int(connection.execute("PRAGMA application_id").fetchone()[0]) == _APPLICATION_ID
    version = _version(connection)
    if ours and version > SCHEMA_VERSION:
        raise StoreProblem(f"{path} was written by a newer finclaw-filings; update this one")
    if not ours or version != SCHEMA_VERSION:
        raise StoreProblem(f"{path} is not a filings store; move it away")


@contextmanager
def _trouble_with(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreProblem(f"cannot use {path}: {error}; if it is damaged, move it away and import again") from None


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
    with _trouble_with(path), _connected(_address(path, "ro")) as connection:
        outdated = _is_older(connection)
    if outdated:
        ensure_store(home)
    with _trouble_with(path), _connected(_address(path, "ro")) as connection:
        connection.execute("BEGIN")
        _check(connection, path)
        yield connection


@contextmanager
def writing(home: Path) -> Iterator[sqlite3.Connection]:
    """The store for one change, made whole at the end or, when anything is raised, not at all.

    Raises:
        StoreProblem: it cannot be created or written.
    """
    path = ensure_store(home)
    with _trouble_with(path), _connected(_address(path, "rw")) as connection:
        # A power cut may cost the last import, which can be done again, but never damages the store.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
