"""Brings the sessions of a batch from the database into the data folder, where all commands of sessions find them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from finclaw_cli.cluster.database import PostgresDatabase
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.transcripts import ClusterTranscripts
from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.transcript.lock import is_held
from finclaw_cli.transcript.store import SessionStore


@dataclass(slots=True)
class Fetched:
    """What became of the sessions of a batch, by their names."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """There is another session of that name, or one that is being written, which stays as it is."""


async def fetch_sessions(queue: PostgresQueue, batch: str, store: SessionStore) -> Fetched:
    """Write what the database has of each session of a batch; a file that is the beginning of it is replaced.

    Raises:
        QueueFailed: the database cannot be used.
        OutputFailed: a file cannot be written.
    """
    transcripts = ClusterTranscripts(PostgresDatabase(queue.address), queue.member.id, Path())
    fetched = Fetched()
    try:
        for name in await queue.sessions(batch):
            _keep(store.path(name), await transcripts.content(batch, name), name, fetched)
    finally:
        await transcripts.aclose()
    return fetched


def _keep(path: Path, content: bytes, name: str, fetched: Fetched) -> None:
    try:
        before = path.read_bytes() if path.exists() else b""
        if before == content:
            fetched.unchanged.append(name)
        elif not content.startswith(before) or is_held(path):
            fetched.others.append(name)
        else:
            _write(path, content)
            fetched.written.append(name)
    except OSError as error:
        raise OutputFailed(f"{path}: {error.strerror}") from error


def _write(path: Path, content: bytes) -> None:
    part = path.with_suffix(".part")
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
