"""Bringing the index up to date with the transcripts.

A session that went on is read from where it ended; one whose file was changed otherwise is read anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from stat import S_ISREG

from finclaw_cli.search.index import DELETES, opened, remove, transaction
from finclaw_cli.search.reading import News, Session, read_news
from finclaw_cli.transcript.store import SUFFIX

# One number for a file's time of change and its inode: of ten thousand sessions, pairs of them would cost the most.
_SEEN = "SELECT name, modified - inode FROM sessions"
_AT_ONCE = 8_000_000
"""How many characters of words are written in one transaction: few of them are fast, and each is kept in memory."""


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
    known: dict[str, int] = dict(connection.execute(_SEEN))
    found = _files(folder)
    gone = known.keys() - found.keys()
    if gone and not DELETES:
        _clear(connection)  # their words cannot be distinguished from those of others
        known = {}
    elif gone:
        with transaction(connection):
            for name in gone:
                _forget(connection, name)
    changed = [name for name, seen in found.items() if known.get(name) != seen]
    changed.reverse()
    while changed:
        with transaction(connection):  # another process may do the same: what it has written is read again in here
            _write(connection, _read(connection, folder, changed))


def _read(connection: sqlite3.Connection, folder: Path, names: list[str]) -> list[News]:
    """Take names from the end of a list, and read what is new in their sessions, until there is enough to write."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM sessions").fetchone()
    read, size = list[News](), 0
    while names and size < _AT_ONCE:
        row = connection.execute("SELECT * FROM sessions WHERE name = ?", (name := names.pop(),)).fetchone()
        with suppress(OSError):  # it was removed meanwhile, or is of another user
            read.append(read_news(folder, name, row and Session(*row), new_id=last + len(read) + 1))
            size += sum(map(len, read[-1].words))
    return read


def _write(connection: sqlite3.Connection, read: list[News]) -> None:
    """Write what was read, the words last and alone: SQLite stores those before any other statement that may fail."""
    for news in read:
        if news.is_other:
            _forget(connection, news.session.name)
    connection.executemany(
        "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [news.session for news in read]
    )
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


def _files(folder: Path) -> dict[str, int]:
    """The sessions of a folder, each with the same number."""
    found = {}
    with suppress(OSError), _opened_folder(folder) as place:
        for name in os.listdir(place):  # noqa: PTH208 - an open folder has no Path
            if not name.endswith(SUFFIX):
                continue
            try:
                status = os.stat(name, dir_fd=place)
            except OSError:  # it was removed meanwhile
                continue
            if S_ISREG(status.st_mode):
                found[name.removesuffix(SUFFIX)] = status.st_mtime_ns - status.st_ino
    return found


@contextmanager
def _opened_folder(folder: Path) -> Iterator[int]:
    """An open folder: names in it are looked up faster than whole paths."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _clear(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        for table in ("messages", "facts", "sessions"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours


def _forget(connection: sqlite3.Connection, name: str) -> None:
    (session,) = connection.execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()
    if DELETES:
        connection.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM messages WHERE session = ?)", (session,))
    for table, column in (("messages", "session"), ("facts", "session"), ("sessions", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (session,))  # noqa: S608 - names of ours
