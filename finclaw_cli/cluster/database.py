"""Transactions of one process in PostgreSQL, which survive restarts of the server.

Transactions of all workers that change the queue take one lock, until they are committed, as writers of an SQLite file
do. One whose connection is lost is made again, unless it was committed: each writes its number into the table
`commits`, by which that is known.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import psycopg

from finclaw_cli.batch.sql import Work
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.connection import Made, Statements, connected, failed, is_passing

PATIENCE_S: Final = 300.0
"""How long a database that does not answer is asked again."""
_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 2.0
_LOCK: Final = 0x66636C62
_BEGIN: Final = "BEGIN; SELECT pg_advisory_xact_lock(%s); SELECT now_ms(), (SELECT number FROM commits WHERE id = %s)"
_MARK: Final = (
    "INSERT INTO commits (id, number, at) VALUES (%s, %s, %s) "
    "ON CONFLICT (id) DO UPDATE SET number = excluded.number, at = excluded.at; COMMIT"
)
_FORGET: Final = "DELETE FROM commits WHERE id = %s OR at < now_ms() - 86400000"


class PostgresDatabase:
    """A `batch.sql.Database` for statements that may be made twice, each a transaction of its own.

    What fails is tried again for `patience_s` where the server does not answer.

    Args:
        address: of the server.
        patience_s: how long transactions are tried again.
        notice: called with a line when the server stops to answer, and when it answers again.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        *,
        patience_s: float = PATIENCE_S,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._address = address
        self._patience_s = patience_s
        self._notice = notice
        self._made: Made | None = None
        self._lost_at: float | None = None
        self._closing = threading.Event()

    def transact(self, work: Sequence[Work[Any]], *, is_synced: bool) -> list[Any]:  # noqa: ARG002 - all are
        while True:
            try:
                results = self._transacted(work)
            except psycopg.Error as error:
                self._wait(error)
            else:
                self._answers()
                return results

    def stop_waiting(self) -> None:
        """Let a transaction that waits for the server fail, and those that follow."""
        self._closing.set()

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    def _transacted(self, work: Sequence[Work[Any]]) -> list[Any]:
        statements = Statements(self._connection())
        return [each(statements) for each in work]

    def _connection(self) -> Made:
        if self._made is None or self._made.closed:
            self._made = connected(self._address)
        return self._made

    def _drop(self) -> None:
        made, self._made = self._made, None
        if made is not None:
            made.close()

    def _wait(self, error: psycopg.Error) -> None:
        """Wait before the next try.

        Raises:
            QueueFailed: it would fail as well, or the server has not answered for too long.
        """
        self._drop()
        if not is_passing(error):
            raise failed(error, self._address) from None
        now = time.monotonic()
        if self._lost_at is None:
            self._lost_at = now
            self._notice(f"the database does not answer; it is asked again for {self._patience_s:g} s")
        waited_s = now - self._lost_at
        pause_s = min(_LONGEST_PAUSE_S, max(_PAUSE_S, waited_s / 2))
        if waited_s > self._patience_s or self._closing.wait(pause_s):
            raise failed(error, self._address) from None

    def _answers(self) -> None:
        if self._lost_at is not None:
            self._notice(f"the database answers again, after {time.monotonic() - self._lost_at:.0f} s")
            self._lost_at = None


class QueueDatabase(PostgresDatabase):
    """A database whose transactions change the queue, one at a time, each once.

    Args:
        address: of the server.
        name: of this process, unique.
        patience_s: how long transactions are tried again.
        notice: called with a line when the server stops to answer, and when it answers again.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        name: str,
        *,
        patience_s: float = PATIENCE_S,
        notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(address, patience_s=patience_s, notice=notice)
        self._name = name
        self._number = 0
        self._results: list[Any] = []
        """Of the transaction whose commit may have been lost."""
        self._now_ms = 0

    def now_ms(self) -> int:
        """When the transaction under way began, by the clock of the server, in milliseconds since the epoch."""
        return self._now_ms

    def transact(self, work: Sequence[Work[Any]], *, is_synced: bool) -> list[Any]:
        self._number += 1
        return super().transact(work, is_synced=is_synced)

    def close(self) -> None:
        if self._made is not None:
            with suppress(psycopg.Error):  # a row that stays for a day
                self._made.execute(_FORGET, (self._name,))
        super().close()

    def _transacted(self, work: Sequence[Work[Any]]) -> list[Any]:
        made = self._connection()
        try:
            self._now_ms, committed = self._begin(made)
            if committed == self._number:
                made.execute("ROLLBACK")
                return self._results
            statements = Statements(made)
            self._results = [each(statements) for each in work]
            made.execute(_MARK, (self._name, self._number, self._now_ms))
        except BaseException:
            self._roll_back(made)
            raise
        return self._results

    def _begin(self, made: Made) -> tuple[int, int | None]:
        """Wait for the lock; the time, and the number of the last transaction that was committed."""
        cursor = made.execute(_BEGIN, (_LOCK, self._name))
        while cursor.nextset():
            pass
        ((now_ms, committed),) = cursor.fetchall()
        return now_ms, committed

    def _roll_back(self, made: Made) -> None:
        try:
            made.execute("ROLLBACK")
        except psycopg.Error:
            self._drop()
