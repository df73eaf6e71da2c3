"""What a session has come to: read from its transcript, so that it can go on."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.transcript.lines import Line, encode
from finclaw_cli.transcript.mend import Mended, mend
from finclaw_cli.transcript.messages import NoMessage, message_of
from finclaw_cli.transcript.reader import Damage, read_file

OUTCOME_UNKNOWN = (
    "[The run ended while this tool was running. Whether it did what it was asked is unknown: find out before you ask "
    "for it again.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownOutcome:
    """A call that began, is not read-only, and of which nobody knows how it ended."""

    key: str
    call_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A session that goes on. `messages` can be sent on as they are."""

    messages: tuple[Message, ...]
    mended: tuple[Mended, ...]
    unknown: tuple[UnknownOutcome, ...]
    damage: tuple[Damage, ...]
    """What was wrong with the file; it is mended when it is opened for writing."""
    tag: str
    next_seq: int
    size: int


@dataclass(slots=True)
class _Read:
    """What has been read so far."""

    damage: list[Damage] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    aside: list[Mended] = field(default_factory=list)
    begun: dict[str, UnknownOutcome] = field(default_factory=dict)
    last: Line | None = None
    status: object = None


def open_history(path: Path) -> History:
    """Read a session that is about to be continued, under its lock; a damaged file is mended, the damaged one kept.

    Raises:
        OSError: it cannot be read, or not be mended.
    """
    found = _read(path)
    if damage := found.damage:
        _mend_file(path)
        found = _read(path)
        found.damage = damage
    return _history(found, path.stat().st_size)


def _read(path: Path) -> _Read:
    read = _Read()
    for item in read_file(path):
        if isinstance(item, Damage):
            read.damage.append(item)
        else:
            read.last = item
            _take(read, item)
    return read


def _take(read: _Read, line: Line) -> None:
    match line.type:
        case "message":
            try:
                read.messages.append(message_of(line.data))
            except NoMessage as error:  # perhaps a newer version's: it stays in the file
                read.aside.append(Mended("set_aside", str(error)))
        case "tool_intent" if line.data.get("read_only") is not True:
            key, call_id, name = (str(line.data.get(name)) for name in ("key", "call_id", "name"))
            read.begun[key] = UnknownOutcome(key=key, call_id=call_id, name=name)
        case "tool_outcome":
            read.begun.pop(str(line.data.get("key")), None)
        case "agent.result":
            read.status = line.data.get("status")
        case _:
            pass


def _history(found: _Read, size: int) -> History:
    messages, mended = mend(found.messages, aborted=found.status == "aborted")
    unknown = tuple(found.begun.values())
    last = found.last
    return History(
        messages=tuple(_with_unknown(message, {each.call_id for each in unknown}) for message in messages),
        mended=(*found.aside, *mended),
        unknown=unknown,
        damage=tuple(found.damage),
        tag=last.tag if last else os.urandom(4).hex(),
        next_seq=last.seq + 1 if last else 0,
        size=size,
    )


def _with_unknown(message: Message, unknown: set[str]) -> Message:
    """A call of which nobody knows how it ended must not look as if nothing had happened."""
    if message.role != "tool" or isinstance(message.content, str):
        return message
    blocks = tuple(
        replace(block, content=OUTCOME_UNKNOWN, is_error=True)
        if isinstance(block, ToolResultBlock) and block.tool_use_id in unknown
        else block
        for block in message.content
    )
    return message if blocks == message.content else replace(message, content=blocks)


def _mend_file(path: Path) -> None:
    """Put a file of whole records, numbered anew, in the place of a damaged one, which is kept beside it."""
    shutil.copy2(path, path.with_suffix(f".bak-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"))
    part = path.with_suffix(".part")
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        lines = (item for item in read_file(path) if isinstance(item, Line))
        for seq, line in enumerate(lines):
            kept = (
                line.raw
                if line.seq == seq
                else encode(
                    seq=seq, tag=line.tag, at=line.at, kind=line.type, run_id=line.run_id, data=dump_line(line.data)
                )
            )
            file.write(kept)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
