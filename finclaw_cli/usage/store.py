"""The ledger as those see it who write: many processes at once, each row in a short transaction of its own.

What `record` has returned from survives the death of the process. The log is emptied into the file by one process at a
time, when it has grown, and by SQLite itself when the last one leaves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from finclaw_cli.usage import rows
from finclaw_cli.usage.connection import TIMEOUT_S, Opened, open_to_write
from finclaw_cli.usage.entries import Entry
from finclaw_cli.usage.failures import LedgerBusy, said_plainly
from finclaw_cli.usage.forks import closed_while_forking
from finclaw_cli.usage.locks import one_at_a_time
from finclaw_cli.usage.turns import Turns

_ROWS_A_BATCH = 500
_WRITES_A_LOOK = 64
MAX_LOG_BYTES = 4 * 1024 * 1024
_CHECKPOINT_WAIT_MS = 50
# Rows are written in less than a millisecond; who needs longer has others before him.
_AT_ONCE_MS = 10


class Ledger:
    """Writes rows. The file is opened, and made, with the first of them; any thread may write."""

    def __init__(self, path: Path, *, timeout_s: float = TIMEOUT_S) -> None:
        self.path = path
        self._timeout_s = timeout_s
        self._opened: Opened | None = None
        self._turns = Turns()
        self._writes = 0
        closed_while_forking(self)

    def record(self, *entries: Entry) -> None:
        """Write rows, all or none; they are safe from a crash of this process once this returns.

        Raises:
            LedgerFailed: they cannot be written.
        """
        with self.transaction() as connection:
            for entry in entries:
                rows.write(connection, entry)

    def record_at_once(self, entry: Entry) -> bool:
        """Write a row if that can be done without waiting: for those who must not wait; whether it was done.

        Raises:
            LedgerFailed: it cannot be written at all.
        """
        with self._turns.mine_at_once() as is_mine:
            opened = self._opened
            if not is_mine or opened is None or not opened.is_in_place(self.path):
                return False  # to open it takes longer
            try:
                with self._patience(opened.connection, _AT_ONCE_MS):
                    self.record(entry)
            except LedgerBusy:
                return False
            return True

    def record_all(self, entries: Iterable[Entry]) -> int:
        """Write any number of rows, some hundred at a time so that others get their turn; how many they were.

        Raises:
            LedgerFailed: they cannot be written; those of earlier batches stay.
        """
        waiting, count = iter(entries), 0
        while batch := tuple(islice(waiting, _ROWS_A_BATCH)):
            self.record(*batch)
            count += len(batch)
        return count

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One change of the ledger, which no other process changes meanwhile.

        Raises:
            LedgerFailed: it cannot be made; nothing has changed.
        """
        with self._turns.mine(), said_plainly(self.path):
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # a full disk may have ended it
                    connection.execute("ROLLBACK")
                raise
            self._writes += 1
            if self._writes % _WRITES_A_LOOK == 0:
                self._empty_log(connection, MAX_LOG_BYTES)

    def checkpoint(self) -> bool:
        """Empty the log into the file, unless another process does; whether it was done.

        Raises:
            LedgerFailed: the ledger cannot be opened.
        """
        with self._turns.mine(), said_plainly(self.path):
            return self._empty_log(self._connection(), 0)

    def close(self) -> None:
        """Let go of the file; the next row opens it again."""
        with self._turns.mine(), said_plainly(self.path):
            self._let_go()

    def halt(self) -> None:
        """Let go of the file until `go_on`: a process is forked."""
        with self._turns.the_last(), suppress(sqlite3.Error):
            self._let_go()

    def go_on(self) -> None:
        """The process has been forked; the next row opens the file again."""
        self._turns.begin_again()

    def go_on_as_child(self) -> None:
        """The same in the new process, which opens the file for itself."""
        self._turns.begin_anew()

    def _let_go(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.connection.close()

    def _connection(self) -> sqlite3.Connection:
        if self._opened is not None and not self._opened.is_in_place(self.path):
            self._let_go()
        if self._opened is None:
            self._opened = open_to_write(self.path, self._timeout_s)
        return self._opened.connection

    @contextmanager
    def _patience(self, connection: sqlite3.Connection, milliseconds: int) -> Iterator[None]:
        """Wait no longer than that for others, for once."""
        connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            yield
        finally:
            connection.execute(f"PRAGMA busy_timeout = {int(self._timeout_s * 1000)}")

    def _empty_log(self, connection: sqlite3.Connection, most_bytes: int) -> bool:
        """What was written is safe before and after; so whatever goes wrong here can wait for the next time."""
        try:
            if self.path.with_name(f"{self.path.name}-wal").stat().st_size <= most_bytes:
                return False
            with one_at_a_time(self.path, 0), self._patience(connection, _CHECKPOINT_WAIT_MS):
                (was_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except (sqlite3.Error, OSError, LedgerBusy):
            return False
        return not was_busy
