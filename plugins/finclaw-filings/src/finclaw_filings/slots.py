"""At most eight requests a second to EDGAR from all processes together, and none while it refuses us.

The SEC allows ten a second for a person, whatever the number of programs, and shuts out who asks more often.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from finclaw_filings.problems import LiveProblem

_FILE_NAME = "edgar-slots.db"
INTERVAL_S = 0.125
_BUSY_S = 10.0
# A clock that was set back, or a file of another day, must not block requests for longer.
_LONGEST_S = 3600.0


@contextmanager
def _slots(home: Path) -> Iterator[sqlite3.Connection]:
    path = home / _FILE_NAME
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        db = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise LiveProblem(f"cannot use {path}: {error}") from None
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE IF NOT EXISTS slots (name TEXT PRIMARY KEY, at REAL NOT NULL)")
        yield db
        db.execute("COMMIT")
    except sqlite3.Error as error:
        raise LiveProblem(f"cannot use {path}: {error}; it may be deleted") from None
    finally:
        db.close()


def _at(db: sqlite3.Connection, name: str, now: float) -> float:
    row = db.execute("SELECT at FROM slots WHERE name = ?", (name,)).fetchone()
    at = float(row[0]) if row and isinstance(row[0], int | float) else 0.0
    return at if at - now <= _LONGEST_S else 0.0


def wait_for_slot(home: Path) -> None:
    """Wait until a request may be sent; each caller on this machine gets a moment of its own.

    Raises:
        LiveProblem: RATE_LIMITED, while EDGAR refuses us.
    """
    now = time.time()
    with _slots(home) as db:
        blocked = _at(db, "blocked", now)
        if blocked > now:
            raise rate_limited(blocked - now)
        mine = max(now, _at(db, "next", now))
        _put(db, "next", mine + INTERVAL_S)
    time.sleep(max(0.0, mine - now))


def block(home: Path, seconds: float) -> None:
    """Send nothing for so long."""
    with _slots(home) as db:
        _put(db, "blocked", time.time() + min(seconds, _LONGEST_S))


def rate_limited(seconds: float) -> LiveProblem:
    """The error with the time of the next try."""
    return LiveProblem(
        f"EDGAR refuses further requests for now; retry_after {max(1, round(seconds))} s", code="RATE_LIMITED"
    )


def _put(db: sqlite3.Connection, name: str, at: float) -> None:
    db.execute("INSERT INTO slots VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at", (name, at))
