"""One record of a transcript as one line of JSON, and what shows that it is whole, in its place and of this session.

    {"v":1,"seq":7,"s":"1f3a9c02","ts":"2026-01-02T03:04:05.678Z","type":"agent.delta","run":"run_…","data":{…},"crc":"0a1b2c3d"}

`seq` counts the lines of the file from 0; `s` is the session's tag, the same in each of its lines; `crc` is the CRC-32
of everything before it. All three are needed: without `crc` two thirds of flipped bits go unseen, without `seq` a line
that was repeated or moved, without `s` one that came from another session.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import cast
from zlib import crc32

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.json_text import JsonObject

FORMAT = 1
# Longer lines are not records: what is recorded is bounded where it is made.
MAX_LINE_BYTES = 64 * 1024 * 1024
_HEAD = re.compile(
    rb'\{"v":([0-9]{1,9}),"seq":([0-9]{1,15}),"s":"([0-9a-f]{8})","ts":"([0-9T:.Z-]{20,30})",'
    rb'"type":"([a-z_.]{1,60})","run":"([A-Za-z0-9._-]{0,80})",(?:"data":)?'
)
_TAIL = re.compile(rb',"crc":"[0-9a-f]{8}"\}\n')
TAIL_BYTES = len(b',"crc":"00000000"}\n')
"""How many bytes a line has behind its data."""
_JSON = json.JSONDecoder()


class Damaged(ValueError):
    """A line is not what was written; the message is the reason."""


@dataclass(slots=True)  # not frozen: there are a hundred thousand of them in a long session
class Line:
    """One record as it lies in the file. Its data is parsed when it is asked for."""

    seq: int
    tag: str
    ts: str
    type: str
    run_id: str
    raw: bytes
    offset: int
    """Where it begins in its file."""
    _start: int
    """Where in the line its data begins, as every writer of ours writes it."""
    _data: JsonObject | None = None

    @property
    def data(self) -> JsonObject:
        """What is recorded; nothing where it is no object, which no writer of ours makes."""
        if self._data is None:
            self._data = _parsed(self.raw, self._start)
        return self._data

    @property
    def body(self) -> bytes:
        """The same as JSON, in the form in which all writers of ours write it; in another one it is none."""
        return self.raw[self._start : -TAIL_BYTES]

    @property
    def at(self) -> datetime:
        """When it happened, UTC."""
        return datetime.fromisoformat(self.ts)


def encode(*, seq: int, tag: str, at: datetime, kind: str, run_id: str, data: str) -> bytes:
    """A record as a line of ASCII, newline included; `data` is one JSON object of ASCII."""
    body = (
        f'{{"v":{FORMAT},"seq":{seq},"s":"{tag}","ts":"{timestamp(at)}","type":"{kind}","run":"{run_id}","data":{data}'
    ).encode("ascii")
    return b'%b,"crc":"%08x"}\n' % (body, crc32(body))


def renumbered(line: Line, seq: int) -> bytes:
    """The same record at another place; its other fields stay, of whatever version."""
    head = _HEAD.match(line.raw)
    if head is None:  # it was decoded, so it has one
        raise Damaged("it is no record")
    return _sealed(b"%s%d%s" % (line.raw[: head.start(2)], seq, line.raw[head.end(2) : -TAIL_BYTES]))


def _sealed(body: bytes) -> bytes:
    return body + _seal(body)


def _seal(body: bytes | memoryview) -> bytes:
    return b',"crc":"%08x"}\n' % crc32(body)


def decode(raw: bytes, offset: int = 0) -> Line:
    """The record of a line that begins at this offset.

    Raises:
        Damaged: it is cut off, was changed, or has no record's form.
    """
    head = _HEAD.match(raw)
    if head is None or not is_whole(raw):
        raise Damaged(_wrong(raw, has_head=head is not None))
    version, seq, tag, ts, kind, run_id = head.groups()
    return Line(int(seq), _text(tag), ts.decode(), _kind(version, kind), _text(run_id), raw, offset, head.end())


def is_whole(raw: bytes) -> bool:
    """Whether a line ends with its checksum."""
    return raw.endswith(_seal(memoryview(raw)[:-TAIL_BYTES]))


def is_crc(crc: bytes, body: bytes | memoryview) -> bool:
    """Whether this is the checksum of a line, in hexadecimal digits, of which the rest is before it."""
    return int(crc, 16) == crc32(body)


def _wrong(raw: bytes, *, has_head: bool) -> str:
    """What is wrong with a line."""
    if not raw.endswith(b"\n"):
        return "it is cut off"
    if not has_head or _TAIL.fullmatch(raw, max(0, len(raw) - TAIL_BYTES)) is None:
        return "it is no record"
    return "it was changed: its checksum does not fit"


def _parsed(raw: bytes, start: int) -> JsonObject:
    try:
        text = raw.decode()
        data, end = _JSON.raw_decode(text, start)
        if end != len(text) - TAIL_BYTES:  # it has further fields
            data = json.loads(text)["data"]
    except (ValueError, LookupError, RecursionError):
        return {}
    return cast("JsonObject", data) if isinstance(data, dict) else {}


@lru_cache(maxsize=256)
def _kind(version: bytes, kind: bytes) -> str:
    """The type of a record. Types of later formats are kept, but not interpreted."""
    return kind.decode() if int(version) <= FORMAT else f"v{int(version)}.{kind.decode()}"


@lru_cache(maxsize=256)
def _text(name: bytes) -> str:
    return name.decode()
