"""Bringing the index up to date with the transcripts.

A session that went on is read from where it ended; one whose file was changed otherwise is read anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from pathlib import Path

from finclaw_cli.search.index import DELETES, in_memory, opened, remove, transaction
from finclaw_cli.search.listing import Listing, present, store, stored
from finclaw_cli.search.reading import News, Session, read_news

_AT_ONCE = 8_000_000
"""How many characters of words are written in one transaction: few of them are fast, and each is kept in memory."""


@contextmanager
def up_to_date(path: Path, folder: Path) -> Iterator[sqlite3.Connection]:
    """The index with all sessions; in memory where its file cannot be written, such as on a full disk.

    Args:
        path: the index.
        folder: of the sessions.

    Raises:
        OutputFailed: it cannot be used and not be made.
        sqlite3.Error: it is damaged.
    """
    with ExitStack() as stack:
        connection = stack.enter_context(opened(path))
        try:
            update(connection, folder)
        except sqlite3.OperationalError:
            connection = stack.enter_context(closing(in_memory()))
            update(connection, folder)
        yield connection


def forget_removed(path: Path, folder: Path) -> None:
    """Take the words of removed sessions out of the index, if there is one.

    Args:
        path: the index.
        folder: the sessions that are left.

    Raises:
        OSError: it cannot be changed.
    """
    if not path.exists():
        return
    if not DELETES:
        remove(path)
        return
    with opened(path) as connection:
        update(connection, folder)


def update(connection: sqlite3.Connection, folder: Path) -> None:
    """Bring the index up to date with the files of all sessions."""
    known, found = stored(connection), present(folder)
    if known == found:
        return
    if known.keys() - found.keys():
        with transaction(connection):
            known = _without_gone(connection, set(found))
    changed = [name for name, number in found.items() if known.get(name) != number]
    changed.reverse()
    while changed:
        with transaction(connection):  # another process may do the same: what it has written is read again in here
            known = stored(connection)
            _write(connection, _read(connection, folder, changed, known), known)


def _without_gone(connection: sqlite3.Connection, left: set[str]) -> dict[str, int]:
    """Take the sessions out of the index that are not left, and return what it has then."""
    known = stored(connection)
    gone = known.keys() - left
    if gone and not DELETES:
        _clear(connection)  # their words cannot be distinguished from those of others
        known = {}
    for name in gone if DELETES else ():
        _forget(connection, name)
        del known[name]
    store(connection, known)
    return known


def _read(connection: sqlite3.Connection, folder: Path, names: list[str], known: Listing) -> list[News]:
    """Take names from the end of a list, and read what is new in their sessions, until there is enough to write."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM sessions").fetchone()
    read, size = list[News](), 0
    while names and size < _AT_ONCE:
        before = _session(connection, name) if (name := names.pop()) in known else None
        with suppress(OSError):  # it was removed meanwhile, or is of another user
            read.append(read_news(folder, name, before, new_id=last + len(read) + 1))
            size += sum(map(len, read[-1].words))
    return read


def _session(connection: sqlite3.Connection, name: str) -> Session:
    return Session(*connection.execute("SELECT * FROM sessions WHERE name = ?", (name,)).fetchone())


def _write(connection: sqlite3.Connection, read: list[News], known: Listing) -> None:
    """Write what was read, the words last and alone: SQLite stores those before any other statement that may fail."""
    sessions = [news.session for news in read]
    store(connection, {**known, **{news.session.name: news.number for news in read}})
    for news in read:
        if news.is_other:
            _forget(connection, news.session.name)
    connection.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", sessions)
    connection.executemany(
        "INSERT OR IGNORE INTO facts VALUES (?, ?, ?)",
        [(news.session.id, *fact) for news in read for fact in sorted(news.facts)],
    )
    (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'messages'").fetchone()
    connection.executemany(
        "INSERT INTO messages (session, at, turn, role, place) VALUES (?, ?, ?, ?, ?)",
        chain.from_iterable(news.messages for news in read),
    )
    connection.executemany(
        "INSERT INTO words (rowid, text) VALUES (?, ?)",
        enumerate(chain.from_iterable(news.words for news in read), last + 1),
    )


def _clear(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    for table in ("messages", "facts", "sessions"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours


def _forget(connection: sqlite3.Connection, name: str) -> None:
    (session,) = connection.execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()
    if DELETES:
        connection.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM messages WHERE session = ?)", (session,))
    for table, column in (("messages", "session"), ("facts", "session"), ("sessions", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (session,))  # noqa: S608 - names of ours
