"""The records of a transcript in their order, and what is wrong with the file: read as a stream, without any lock.

A file that is being written reads as far as it goes. Nothing is ever lost by reading: what is not a record in its place
comes as `Damage`, with its bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from finclaw_cli.transcript.lines import MAX_LINE_BYTES, Damaged, Line, decode

What = Literal["torn", "invalid", "repeated", "foreign", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Bytes that are no record in its place; `missing` has none: there records should be and are not."""

    what: What
    offset: int
    raw: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A record, and where its line begins."""

    line: Line
    offset: int


Found = Line | Damage


def read_file(path: Path) -> Iterator[Found]:
    """All records of a file in their order, and its damage.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        yield from read(file)


def read(file: BinaryIO) -> Iterator[Found]:
    """The same for an open file."""
    return in_order(_lines(file))


def _lines(file: BinaryIO) -> Iterator[Placed | Damage]:
    offset = 0
    while raw := file.readline(MAX_LINE_BYTES):
        try:
            yield Placed(decode(raw), offset)
        except Damaged as damaged:
            what: What = "invalid" if raw.endswith(b"\n") else "torn"
            yield Damage(what=what, offset=offset, raw=raw, reason=str(damaged))
        offset += len(raw)


def in_order(items: Iterable[Placed | Damage]) -> Iterator[Found]:
    """Records numbered without gaps, all of one session; what does not fit comes as damage."""
    order = _Order()
    for item in items:
        if isinstance(item, Damage):
            yield item
        else:
            yield from order.take(item)
    yield from order.end()


class _Order:
    """Judges records by their numbers.

    One that is ahead of its place is judged by the one after it: if that goes on where the order was left, the first
    was put there; if it goes on after the first, records are missing.
    """

    def __init__(self) -> None:
        self._expected = 0
        self._tag = ""
        self._ahead: Placed | None = None

    def take(self, item: Placed) -> Iterator[Found]:
        ahead, self._ahead = self._ahead, None
        self._tag = self._tag or item.line.tag
        if ahead is not None and item.line.tag == self._tag and item.line.seq == self._expected:
            yield _damage("repeated", ahead, "it stands before its place")
        elif ahead is not None:
            yield from self._jump(ahead)
        yield from self._place(item)

    def end(self) -> Iterator[Found]:
        if self._ahead is not None:
            yield from self._jump(self._ahead)

    def _place(self, item: Placed) -> Iterator[Found]:
        if item.line.tag != self._tag:
            yield _damage("foreign", item, "it is from another session")
        elif item.line.seq < self._expected:
            yield _damage("repeated", item, "it is there twice, or after its place")
        elif item.line.seq > self._expected:
            self._ahead = item
        else:
            yield item.line
            self._expected += 1

    def _jump(self, ahead: Placed) -> Iterator[Found]:
        yield _missing(ahead, self._expected)
        yield ahead.line
        self._expected = ahead.line.seq + 1


def _damage(what: What, placed: Placed, reason: str) -> Damage:
    return Damage(what=what, offset=placed.offset, raw=placed.line.raw, reason=reason)


def _missing(placed: Placed, expected: int) -> Damage:
    count = placed.line.seq - expected
    reason = f"{count} record{'s' if count > 1 else ''} before it {'are' if count > 1 else 'is'} missing"
    return Damage(what="missing", offset=placed.offset, raw=b"", reason=reason)
