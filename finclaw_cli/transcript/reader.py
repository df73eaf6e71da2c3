"""The records of a transcript in their order, and what is wrong with the file: read as a stream, without any lock.

A file that is being written reads as far as it goes. Nothing is ever lost by reading: what is not a record in its place
comes as `Damage`, with its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Literal

from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, Damaged, Line, decode

# How many of the first records say whose file it is.
DECIDING = 15
PIECE_BYTES = 1024 * 1024
TOO_LONG = f"it is longer than a record may be ({MAX_LINE_BYTES // 1024**2} MiB)"

What = Literal["torn", "invalid", "repeated", "foreign", "missing"]


@record(kw_only=True)
class Damage:
    """Bytes that are no record in its place; `missing` has none: there records should be and are not."""

    what: What
    offset: int
    raw: bytes
    reason: str


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


def _lines(file: BinaryIO) -> Iterator[Found]:
    offset = 0
    while raw := file.readline(MAX_LINE_BYTES):
        if len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n"):
            rest, is_whole = _rest_of_line(file)
            yield Damage(what="invalid" if is_whole else "torn", offset=offset, raw=raw, reason=TOO_LONG)
            offset += len(raw) + rest
            continue
        try:
            yield decode(raw, offset)
        except Damaged as damaged:
            what: What = "invalid" if raw.endswith(b"\n") else "torn"
            yield Damage(what=what, offset=offset, raw=raw, reason=str(damaged))
        offset += len(raw)


def _rest_of_line(file: BinaryIO) -> tuple[int, bool]:
    """Read to the end of a line without keeping it; its length, and whether it has an end."""
    length = 0
    while piece := file.readline(PIECE_BYTES):
        length += len(piece)
        if piece.endswith(b"\n"):
            return length, True
    return length, False


def in_order(items: Iterable[Found]) -> Iterator[Found]:
    """Records numbered without gaps, all of one session; what does not fit comes as damage."""
    items = iter(items)
    head = list(islice(items, DECIDING))
    order = _Order(_tag(head))
    for item in chain(head, items):
        if isinstance(item, Damage) or order.follows(item):
            yield item
        else:
            yield from order.take(item)
    yield from order.end()


class _Order:
    """Judges records by their numbers.

    One that is ahead of its place is judged by the one after it: if that goes on where the order was left, the first
    was put there; if it goes on after the first, records are missing.
    """

    def __init__(self, tag: str) -> None:
        self._expected = 0
        self._tag = tag
        self._ahead: Line | None = None

    def follows(self, item: Line) -> bool:
        """Whether it is simply the next one, as nearly all are; then it has been taken."""
        if item.seq != self._expected or item.tag != self._tag or self._ahead is not None:
            return False
        self._expected += 1
        return True

    def take(self, item: Line) -> Iterator[Found]:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and item.tag == self._tag and item.seq == self._expected:
            yield _damage("repeated", ahead, "it stands before its place")
        elif ahead is not None:
            yield from self._jump(ahead)
        yield from self._place(item)

    def end(self) -> Iterator[Found]:
        if self._ahead is not None:
            yield from self._jump(self._ahead)

    def _place(self, item: Line) -> Iterator[Found]:
        if item.tag != self._tag:
            yield _damage("foreign", item, "it is from another session")
        elif item.seq < self._expected:
            yield _damage("repeated", item, "it is there twice, or after its place")
        elif item.seq > self._expected:
            self._ahead = item
        else:
            yield item
            self._expected += 1

    def _jump(self, ahead: Line) -> Iterator[Found]:
        yield _missing(ahead, self._expected)
        yield ahead
        self._expected = ahead.seq + 1


def _tag(head: Iterable[Found]) -> str:
    """The session that most of the first records are of: one that was put before them is none of them."""
    tags = Counter(item.tag for item in head if isinstance(item, Line))
    return tags.most_common(1)[0][0] if tags else ""


def _damage(what: What, line: Line, reason: str) -> Damage:
    return Damage(what=what, offset=line.offset, raw=line.raw, reason=reason)


def _missing(line: Line, expected: int) -> Damage:
    count = line.seq - expected
    reason = f"{count} record{'s' if count > 1 else ''} before it {'are' if count > 1 else 'is'} missing"
    return Damage(what="missing", offset=line.offset, raw=b"", reason=reason)
