"""An SQLite file in finclaw's data folder: private, versioned, and safe with any number of processes.

The file has a write-ahead log: readers see the last committed state and never wait for a writer. A file that another
program wrote, that a newer version wrote, or that is damaged is left as it is, and reported in one line.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from finclaw_cli.core import sqlite_files
from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.files import private_folder

Mode = sqlite_files.Mode
Reason = Literal["denied", "foreign", "newer", "damaged", "busy", "failed"]

_PRIMARY = 0xFF  # the rest of SQLite's code is more detailed
_PAUSE_S = 0.01
_REASONS: dict[int, Reason] = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_READONLY: "denied",
    sqlite3.SQLITE_CANTOPEN: "denied",
    sqlite3.SQLITE_PERM: "denied",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_ERROR: "damaged",  # as for a missing table: the plugin's own statements are right
}
_STATE = """
SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema),
    EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)
FROM pragma_application_id a, pragma_user_version v
"""


class StoreError(ToolError):
    """The file cannot be used; the message names it, the cause, and what to do. A tool may raise it as it is.

    `reason` is one of: `denied` (permissions, or no regular file), `foreign` (another program's), `newer` (of a newer
    version of the plugin), `damaged`, `busy` (locked for too long), `failed` (anything else, such as a full disk).
    """

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


def _unchanged(error: StoreError) -> Exception:
    return error


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFile:
    """Where a plugin keeps its data, and how the tables came to be what they are."""

    name: str
    """The file's name in the data folder."""
    content: str
    """What the file is, for messages: `price store`."""
    distribution: str
    """The plugin, as it is to be updated: `finclaw-market`."""
    table: str
    """A table that every version has; a file without it is not the plugin's."""
    migrations: tuple[str, ...]
    """The SQL script of each version, from an empty file to version 1, from there to 2, and so on.

    Each statement ends at the end of a line. A script that was released is never changed."""
    application_id: int = 0
    """SQLite's `application_id`: any number of the plugin's own, which no other program's files have."""
    readable_from: int | None = None
    """The oldest version that is read as it is. An older one is brought up to date first; by default, all are."""
    repair: str = "move it away"
    """What to do about a damaged file."""
    pragmas: tuple[str, ...] = ("foreign_keys = ON",)
    """Settings of each connection that writes."""
    follow_links: bool = False
    """Whether the file may be a link to a regular file elsewhere."""
    busy_s: float = 20.0
    """How long to wait for other writers."""
    failure: Callable[[StoreError], Exception] = _unchanged
    """Makes the exception to raise in place of a `StoreError`."""

    @property
    def version(self) -> int:
        """The version that this plugin writes: `user_version` of the file."""
        return len(self.migrations)

    def path(self, home: Path) -> Path:
        """Where the file of a data folder is, or would be."""
        return home / self.name

    def address(self, home: Path, mode: Mode) -> str:
        """SQLite's URI of an existing file, for `ATTACH`."""
        return sqlite_files.address(self.path(home), mode)

    @contextmanager
    def reading(self, home: Path) -> Iterator[sqlite3.Connection | None]:
        """Open a consistent, read-only view; None where nothing was ever written. No file is created.

        Raises:
            StoreError: the file cannot be read, or the block failed in SQLite.
        """
        with self.reported(home), ExitStack() as stack:
            connection = self._opened_to_read(home)
            if connection is not None:
                stack.callback(connection.close)
            yield connection

    @contextmanager
    def writing(self, home: Path) -> Iterator[sqlite3.Connection]:
        """Open the file for one change, with the lock held: what the block does is committed at its end, or not at all.

        Raises:
            StoreError: the file cannot be created or written, or the block failed in SQLite.
        """
        with self.reported(home), closing(self.opened(home)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def opened(self, home: Path) -> sqlite3.Connection:
        """Open the file for any number of changes, for one thread at a time; the caller makes its transactions.

        Raises:
            StoreError: the file cannot be created or opened.
        """
        with self.reported(home):
            connection = self._opened_to_write(home)
            for pragma in self.pragmas:
                connection.execute(f"PRAGMA {pragma}")
        return connection

    def create(self, home: Path) -> Path:
        """Create the file where there is none, bring an older one up to date, and return its path.

        Raises:
            StoreError: that is not possible.
        """
        with self.reported(home):
            self._opened_to_write(home).close()
        return self.path(home)

    def _opened_to_read(self, home: Path) -> sqlite3.Connection | None:
        path = self.path(home)
        if not self._has_content(path):
            return None
        with ExitStack() as stack:
            connection = stack.enter_context(closing(sqlite_files.connect(path, "ro", self.busy_s)))
            connection.execute("BEGIN")
            version = self._checked_version(connection, path)
            if version >= (self.readable_from or self.version):
                stack.pop_all()
                return connection
        if version == 0:
            return None
        self.create(home)
        return self._opened_to_read(home)

    def _opened_to_write(self, home: Path) -> sqlite3.Connection:
        path = self.path(home)
        try:
            private_folder(home)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            raise self._error(f"cannot create {path}: {error.strerror}", "denied") from None
        self._has_content(path)
        sqlite_files.make_private(path)
        with ExitStack() as stack:
            connection = stack.enter_context(closing(self._connect(path)))
            self._prepare(connection, path)
            stack.pop_all()
        return connection

    def _connect(self, path: Path) -> sqlite3.Connection:
        return sqlite_files.connect(path, "rw", self.busy_s, check_same_thread=False)

    def _has_content(self, path: Path) -> bool:
        try:
            return sqlite_files.has_content(path, follow_links=self.follow_links)
        except sqlite_files.IrregularFile as error:
            raise self._error(f"{path} is {error}, not a {self.content}; {self.repair}", "denied") from None
        except OSError as error:
            raise self._error(f"cannot read {path}: {error.strerror}", "denied") from None

    def _prepare(self, connection: sqlite3.Connection, path: Path) -> None:
        # Checked before anything is changed: the file may be another program's.
        version = self._checked_version(connection, path)
        _keep_log(connection, self.busy_s)
        if version == self.version:
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have been faster.
        for script in self.migrations[self._checked_version(connection, path) :]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {self.application_id}")
        connection.execute(f"PRAGMA user_version = {self.version}")
        connection.execute("COMMIT")

    def _checked_version(self, connection: sqlite3.Connection, path: Path) -> int:
        """The version of the file, 0 where nothing is in it yet; all in one statement, so from one state."""
        application, version, entries, has_table = connection.execute(_STATE, (self.table,)).fetchone()
        if (application, version, entries) == (0, 0, 0):
            return 0
        if application == self.application_id and version > self.version:
            raise self._error(f"{path} was written by a newer {self.distribution}; update this one", "newer")
        if application != self.application_id or version < 1 or not has_table:
            raise self._error(f"{path} is not a {self.content}; {self.repair}", "foreign")
        return int(version)

    @contextmanager
    def reported(self, home: Path) -> Iterator[None]:
        """Raise a `StoreError` in place of an error of SQLite's."""
        path = self.path(home)
        try:
            yield
        except sqlite3.Error as error:
            reason = _reason(error)
            remedy = {"damaged": f"; it is damaged: {self.repair}", "busy": "; another process uses it, try again"}
            raise self._error(f"cannot use {path}: {error}{remedy.get(reason, '')}", reason) from None

    def _error(self, message: str, reason: Reason) -> Exception:
        return self.failure(StoreError(message, reason))


def _reason(error: sqlite3.Error) -> Reason:
    return _REASONS.get(getattr(error, "sqlite_errorcode", -1) & _PRIMARY, "failed")


def _keep_log(connection: sqlite3.Connection, timeout_s: float) -> None:
    """Turn the write-ahead log on: that needs the file without other users and, unlike a transaction, does not wait."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if _reason(error) != "busy" or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
