"""How often a service is asked, by all processes of this user together."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from finclaw_cli.sdk.store import StoreFile

LONGEST_PAUSE_S = 3_600.0
_TABLE = "CREATE TABLE slots (name TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;"


class Paused(Exception):
    """The service asked not to be asked for a while."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"paused for {seconds:g} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class RequestLimit:
    """At most one request an interval to one service, and none during a pause that it asked for.

    The times are kept in a file of the data folder: `name` is that of the service, as in `edgar`.
    """

    name: str
    home: Path
    interval_s: float = 0.0

    @property
    def _store(self) -> StoreFile:
        return StoreFile(
            name=f"{self.name}-requests.db",
            content="file of request times",
            distribution="finclaw-cli",
            table="slots",
            migrations=(_TABLE,),
            repair="it may be deleted",
            pragmas=("synchronous = NORMAL",),
            busy_s=10.0,
        )

    def reserve(self) -> float:
        """Take the next free moment for a request; return how many seconds ahead it is.

        Raises:
            Paused: the service is not to be asked now.
            StoreError: the file of the times cannot be used.
        """
        now = time.time()
        with self._store.writing(self.home) as connection:
            paused = _ahead(connection, "paused", now)
            if paused > 0:
                raise Paused(paused)
            wait_s = _ahead(connection, "next", now)
            _put(connection, "next", now + wait_s + self.interval_s)
        return wait_s

    def pause(self, seconds: float) -> None:
        """Allow no request for so long, at most an hour.

        Raises:
            StoreError: the file of the times cannot be used.
        """
        with self._store.writing(self.home) as connection:
            _put(connection, "paused", time.time() + min(seconds, LONGEST_PAUSE_S))


def _ahead(connection: Connection, name: str, now: float) -> float:
    row = connection.execute("SELECT at FROM slots WHERE name = ?", (name,)).fetchone()
    ahead = float(row[0]) - now if row and isinstance(row[0], int | float) else 0.0
    # A clock that was set back must not block requests for longer.
    return ahead if 0 < ahead <= LONGEST_PAUSE_S else 0.0


def _put(connection: Connection, name: str, at: float) -> None:
    connection.execute("INSERT INTO slots VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at", (name, at))
