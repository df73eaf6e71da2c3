"""Bringing the index up to date with the transcripts.

A session that went on is read from where it ended; one whose file was changed otherwise is read anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from finclaw_cli.core.record import record
from finclaw_cli.search.index import DELETES, opened, remove, savepoint, transaction
from finclaw_cli.search.records import Taken, cost_of, facts_of, taken, text_of
from finclaw_cli.search.words import indexed
from finclaw_cli.transcript.store import SUFFIX

_SEEN = "SELECT name, inode, modified FROM sessions"
_TAIL_BYTES = 64
_AT_ONCE = 500


@record(kw_only=True)
class _Known:
    """A session as far as it is in the index."""

    id: int
    inode: int
    length: int
    """The records before this place are in the index."""
    tail: bytes
    """The last bytes before it."""
    turn: int


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
    known = {name: (inode, modified) for name, inode, modified in connection.execute(_SEEN)}
    found = _files(folder)
    gone = [name for name in known if name not in found]
    if gone and not DELETES:
        _clear(connection)  # their words cannot be distinguished from those of others
        known = {}
    elif gone:
        with transaction(connection):
            for name in gone:
                _forget(connection, name)
    changed = [name for name, seen in found.items() if known.get(name) != seen]
    for at in range(0, len(changed), _AT_ONCE):
        with transaction(connection):
            for name in changed[at : at + _AT_ONCE]:
                with suppress(OSError), savepoint(connection):  # it was removed meanwhile, or is of another user
                    _Reading(connection, folder / f"{name}{SUFFIX}").take()


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """The sessions of a folder: their files' inodes and times of change."""
    found = {}
    with suppress(OSError), _opened_folder(folder) as place:
        for name in os.listdir(place):  # noqa: PTH208 - an open folder has no Path
            if not name.endswith(SUFFIX):
                continue
            with suppress(OSError):  # it was removed meanwhile
                status = os.stat(name, dir_fd=place)
                if S_ISREG(status.st_mode):
                    found[name.removesuffix(SUFFIX)] = status.st_ino, status.st_mtime_ns
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


class _Reading:
    """Reads one session into the index, within a transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._name = path.name.removesuffix(SUFFIX)

    def take(self) -> None:
        """Read what is new.

        Raises:
            OSError: the file cannot be read.
        """
        with self._path.open("rb") as file:
            status = os.fstat(file.fileno())
            known = self._known()
            if known is not None and not _goes_on(file, known, status):
                _forget(self._connection, self._name)
                known = None
            known = known or self._added()
            end, turn = self._records(known.id, taken(file, known.length), known.length, known.turn)
            file.seek(max(0, end - _TAIL_BYTES))
            tail = file.read(end - max(0, end - _TAIL_BYTES))
        self._connection.execute(
            "UPDATE sessions SET inode = ?, modified = ?, bytes = ?, tail = ?, turn = ? WHERE id = ?",
            (status.st_ino, status.st_mtime_ns, end, tail, turn, known.id),
        )

    def _known(self) -> _Known | None:
        row = self._connection.execute(
            "SELECT id, inode, bytes, tail, turn FROM sessions WHERE name = ?", (self._name,)
        ).fetchone()
        return None if row is None else _Known(id=row[0], inode=row[1], length=row[2], tail=row[3], turn=row[4])

    def _added(self) -> _Known:
        added = self._connection.execute(
            "INSERT INTO sessions (name, inode, modified, bytes, tail, turn, started, ended, failed, cost_usd)"
            " VALUES (?, 0, 0, 0, x'', 0, 0, 0, 0, '0')",
            (self._name,),
        )
        return _Known(id=int(added.lastrowid or 0), inode=0, length=0, tail=b"", turn=0)

    def _records(self, session: int, records: Iterable[Taken], end: int, turn: int) -> tuple[int, int]:
        started = ended = failed = 0
        cost = Decimal(0)
        facts = set[tuple[str, str]]()
        for one in records:
            end, data = one.end, one.line.data
            match one.line.type:
                case "message":
                    self._message(session, one, turn)
                    facts.update(facts_of(data))
                case "agent.start":
                    started, turn = started + 1, 0
                    models = data.get("models")
                    facts.update(("model", str(model)) for model in (models if isinstance(models, list) else ()))
                case "agent.turn_start":
                    turn = number if isinstance(number := data.get("turn"), int) else turn
                case "agent.result":
                    ended += 1
                    failed += data.get("exit_code") != 0
                    cost += cost_of(data)
                case _:
                    pass
        self._connection.executemany(
            "INSERT OR IGNORE INTO facts VALUES (?, ?, ?)", [(session, *fact) for fact in sorted(facts)]
        )
        self._add(session, (started, ended, failed), cost)
        return end, turn

    def _message(self, session: int, one: Taken, turn: int) -> None:
        words = indexed(text_of(one.line.data))
        if not words.strip():
            return
        added = self._connection.execute(
            "INSERT INTO messages (session, at, turn, role, place) VALUES (?, ?, ?, ?, ?)",
            (session, one.line.ts, turn, str(one.line.data.get("role")), one.line.offset),
        )
        self._connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (added.lastrowid, words))

    def _add(self, session: int, counts: tuple[int, int, int], cost: Decimal) -> None:
        (earlier,) = self._connection.execute("SELECT cost_usd FROM sessions WHERE id = ?", (session,)).fetchone()
        self._connection.execute(
            "UPDATE sessions SET started = started + ?, ended = ended + ?, failed = failed + ?, cost_usd = ?"
            " WHERE id = ?",
            (*counts, str(Decimal(earlier) + cost), session),
        )


def _goes_on(file: BinaryIO, before: _Known, status: os.stat_result) -> bool:
    """Whether a file is the one that was read, with nothing but records added."""
    if status.st_ino != before.inode or status.st_size < before.length:
        return False
    file.seek(max(0, before.length - _TAIL_BYTES))
    return file.read(len(before.tail)) == before.tail
