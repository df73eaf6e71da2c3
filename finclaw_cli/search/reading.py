"""Reading what one session has for the index: its messages' words, its facts and counts."""

from __future__ import annotations

import os
from decimal import Decimal
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from finclaw_cli.core.record import record
from finclaw_cli.search.listing import number_of
from finclaw_cli.search.records import KEPT_BYTES, Record, cost_of, facts_of, records, request_of, text_of
from finclaw_cli.search.words import index_text
from finclaw_cli.transcript.store import SUFFIX


class Session(NamedTuple):
    """A session as far as it is in the index: a row of its table."""

    id: int
    name: str
    inode: int
    modified: int
    length: int
    """The records before this place are in the index."""
    tail: bytes
    """The last bytes before it."""
    turn: int
    started: int
    ended: int
    failed: int
    cost_usd: str


@record(kw_only=True)
class News:
    """What the index has to have of a session, beyond what it has."""

    session: Session
    """As it will be."""
    number: int
    """That of its file, as it was before it was read."""
    is_other: bool
    """Whether what the index has of a session of this name is of another file."""
    messages: list[tuple[int, str, int, str, int]]
    """Rows of the table: session, time, turn, role, place."""
    words: list[str]
    """Of each of the messages, as the index has them."""
    facts: set[tuple[str, str]]
    """Pairs of a kind and a value."""


def read_news(folder: Path, name: str, known: Session | None, new_id: int) -> News:
    """Read what a session has, from where the index ends, or all where that is not of this file.

    Raises:
        OSError: the file cannot be read.
    """
    with FileIO(f"{folder}/{name}{SUFFIX}") as file:  # ten thousand paths and buffers would cost more
        status = os.fstat(file.fileno())
        goes_on = known is not None and _goes_on(file, known, status)
        before = known if known is not None and goes_on else Session(new_id, name, 0, 0, 0, b"", 0, 0, 0, 0, "0")
        reading = _Reading(before)
        for one in records(file, before.length):
            reading.take(one)
    return News(
        session=reading.session(status), number=number_of(status), is_other=known is not None and not goes_on,
        messages=reading.messages, words=reading.words, facts=reading.facts,
    )  # fmt: skip


class _Reading:
    """Adds up what the records of a session come to."""

    def __init__(self, before: Session) -> None:
        self._before = before
        self._end, self._tail, self._turn = before.length, before.tail, before.turn
        self._started, self._ended, self._failed = before.started, before.ended, before.failed
        self._cost = Decimal(before.cost_usd)
        self.messages: list[tuple[int, str, int, str, int]] = []
        self.words: list[str] = []
        self.facts: set[tuple[str, str]] = set()

    def take(self, one: Record) -> None:
        """Add a record."""
        self._end, self._tail, data = one.end, one.tail, one.data
        match one.kind:
            case b"message":
                self._message(one)
            case b"agent.turn_start":
                self._turn = turn if isinstance(turn := data.get("turn"), int) else self._turn
            case b"agent.start":
                self._started, self._turn = self._started + 1, 0
                models = data.get("models")
                self.facts.update(("model", str(model)) for model in (models if isinstance(models, list) else ()))
            case b"run":
                self.facts.update(request_of(data, one.run_id))
            case _:
                self._ended += 1
                self._failed += data.get("exit_code") != 0
                self._cost += cost_of(data)

    def _message(self, one: Record) -> None:
        words, role = index_text(text_of(one.data)), str(one.data.get("role"))
        if words and not words.isspace():
            self.messages.append((self._before.id, one.at.decode(), self._turn, role, one.place))
            self.words.append(words)
        if role == "assistant":
            self.facts.update(facts_of(one.data))

    def session(self, status: os.stat_result) -> Session:
        """Its row, after the last record."""
        return Session(
            self._before.id, self._before.name, status.st_ino, status.st_mtime_ns, self._end, self._tail,
            self._turn, self._started, self._ended, self._failed, str(self._cost),
        )  # fmt: skip


def _tail(file: FileIO, end: int) -> bytes:
    begin = max(0, end - KEPT_BYTES)
    file.seek(begin)
    return file.read(end - begin)


def _goes_on(file: FileIO, before: Session, status: os.stat_result) -> bool:
    """Whether a file is the one that was read, with nothing but records added."""
    if status.st_ino != before.inode or status.st_size < before.length:
        return False
    return _tail(file, before.length) == before.tail
