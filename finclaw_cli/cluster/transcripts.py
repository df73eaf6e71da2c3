"""The transcripts of items in PostgreSQL: an attempt on another machine goes on where the one before has ended.

A worker writes the session of an item to a file of its own, and has each part of it in the database before anything is
done for which it is the record: before the call of a tool that changes something, and after each response and result.
The database takes parts from the worker that has the item. What another one has done before it was noticed is kept
apart, and shown for items that ended `unknown`.
"""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from finclaw_cli.batch.queue import Claim, LeaseLost, QueueFailed
from finclaw_cli.batch.sql import Connection
from finclaw_cli.batch.sql_thread import SqlThread
from finclaw_cli.cluster.database import PostgresDatabase
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.files import private_folder
from finclaw_cli.transcript.session import Copied
from finclaw_cli.transcript.store import SUFFIX, SessionStore

_KEEP: Final = """
INSERT INTO records (batch, session, at, lines) SELECT batch, :session, :at, :lines FROM items
WHERE batch = :batch AND line = :line AND fence = :fence AND worker = :worker AND state = 'running' FOR UPDATE
ON CONFLICT (batch, session, at) DO UPDATE SET lines = excluded.lines RETURNING at
"""
_LATE: Final = (
    "INSERT INTO late (batch, line, worker, at, lines) VALUES (:batch, :line, :worker, :at, :lines) "
    "ON CONFLICT (batch, line, worker, at) DO UPDATE SET lines = excluded.lines"
)
_KEPT: Final = "SELECT lines FROM records WHERE batch = ? AND session = ? ORDER BY at"
_FAST: Final = 1


class ClusterTranscripts:
    """`Transcripts` of one worker.

    Args:
        database: keeps them.
        worker: the id of this worker.
        folder: of the files, for this worker alone.
    """

    def __init__(self, database: PostgresDatabase, worker: str, folder: Path) -> None:
        self._thread = SqlThread(database)
        self._worker = worker
        self._folder = folder
        self._parts: dict[str, _Parts] = {}
        self.store = SessionStore(folder)
        """Where their files are."""

    async def restore(self, claim: Claim, name: str) -> None:
        content = await self.content(claim.batch, name)
        path = self.store.path(name)
        private_folder(self._folder)
        if content:
            path.write_bytes(content)
            path.chmod(0o600)
        else:
            path.unlink(missing_ok=True)
        self._parts[name] = _Parts(len(content))

    async def content(self, batch: str, name: str) -> bytes:
        """What is kept of a session of a batch."""
        rows = await self._thread.change(lambda made: made.execute(_KEPT, (batch, name)).fetchall())
        return b"".join(zlib.decompress(lines) for (lines,) in rows)

    def copied(self, claim: Claim, name: str) -> Copied | None:
        return partial(self._keep, claim, name, self._parts[name])

    def drop(self, name: str) -> None:
        self._parts.pop(name, None)
        for suffix in (SUFFIX, ".lock"):
            with suppress(OSError):
                (self._folder / f"{name}{suffix}").unlink()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._thread.aclose()

    async def _keep(self, claim: Claim, name: str, parts: _Parts) -> None:
        async with parts.lock:
            lines = _from(self.store.path(name), parts.size)
            if not lines:
                return
            part = {
                "session": name, "at": parts.size, "lines": zlib.compress(lines, _FAST),
                "batch": claim.batch, "line": claim.line, "fence": claim.fence, "worker": self._worker,
            }  # fmt: skip
            try:
                is_kept = await self._thread.change(partial(_kept, part=part))
            except QueueFailed as error:
                raise OutputFailed(error.message, hint=error.hint, code="record_failed") from error
            if not is_kept:
                raise OutputFailed("the item belongs to another worker, or was cancelled", code=LeaseLost.code)
            parts.size += len(lines)


class _Parts:
    """How much of a session is kept."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lock = asyncio.Lock()


def _kept(made: Connection, part: dict[str, object]) -> bool:
    """Keep a part of a transcript; that of a worker which has lost the item is kept apart."""
    if made.execute(_KEEP, part).fetchall():
        return True
    if made.execute("SELECT 1 FROM batches WHERE id = ?", (part["batch"],)).fetchall():
        made.execute(_LATE, part)
    return False


def _from(path: Path, size: int) -> bytes:
    """What a session's file has from this place on."""
    try:
        with path.open("rb") as file:
            file.seek(size)
            return file.read()
    except FileNotFoundError:  # nothing was recorded yet
        return b""
