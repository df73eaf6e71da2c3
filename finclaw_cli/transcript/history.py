"""What a session has come to: read from its transcript, so that it can go on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast, get_args

from finclaw_cli.core.events.parts import RunStatus
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.core.messages import OUTCOME_UNKNOWN, Message, ToolCall, ToolResult
from finclaw_cli.core.ports import Earlier
from finclaw_cli.core.record import record
from finclaw_cli.engine.context.count import Counted
from finclaw_cli.tools.render import cut
from finclaw_cli.transcript.lines import Line, decode, encode, renumbered
from finclaw_cli.transcript.lock import hold_file
from finclaw_cli.transcript.messages import NoMessage, compacted_messages, message_of
from finclaw_cli.transcript.open_calls import OpenCalls
from finclaw_cli.transcript.reader import Damage, Found, read_file
from finclaw_cli.transcript.repair import ABORTED, UNAVAILABLE, Repair, repair
from finclaw_cli.transcript.requests import usage_of
from finclaw_cli.transcript.versions import DIVIDED_VERSION, EVENTS_VERSION


@record(kw_only=True)
class History:
    """A session that goes on. Its messages can be sent on once the calls that are `due` are answered."""

    messages: tuple[Message, ...]
    """What stands for the conversation: the whole of it, or what the last compaction left of it and what came since."""
    due: tuple[ToolCall, ...]
    """Calls of the last turn that were not answered when the last run ended."""
    earlier: Mapping[str, Earlier]
    """What was kept of the calls that are due and had begun, by their ids."""
    unknown: Mapping[str, str]
    """Tools that were running when a run ended, cannot be repeated, and which no result has reported yet: by the
    ids of the calls."""
    status: RunStatus | None
    """How the last run ended; None where it has no end."""
    mended: tuple[Repair, ...]
    damage: tuple[Damage, ...]
    """What was wrong with the file; it is mended when it is opened for writing."""
    counted: Counted | None
    """What a provider has counted last."""
    models: tuple[str, ...]
    """The models of the run that made the last request; the first is asked, the others take over."""
    base_url: str | None
    """The address that was given for these models, if any."""
    tag: str
    next_seq: int
    size: int

    @property
    def is_unfinished(self) -> bool:
        """Whether the last question still has no answer."""
        return bool(self.messages) and (bool(self.due) or self.messages[-1].role != "assistant")

    def given_up(self, *, resumed: bool) -> tuple[str, ...]:
        """The tools of `unknown` with calls whose outcome stays unknown: where calls are taken up, the others."""
        due = {call.id for call in self.due} if resumed else set[str]()
        return tuple(name for call_id, name in self.unknown.items() if call_id not in due)

    def closing(self, limit: int) -> tuple[Message, ...]:
        """The message that answers the calls that are due where they are not taken up; none where none are.

        Args:
            limit: how many characters a result may have in the conversation.
        """
        if not self.due:
            return ()
        closed = (self._closed(call) for call in self.due)
        return (Message("tool", tuple(replace(result, content=cut(result.content, limit).text) for result in closed)),)

    def _closed(self, call: ToolCall) -> ToolResult:
        begun = self.earlier.get(call.id)
        if begun is not None and begun.result is not None:
            return begun.result
        if begun is not None and not begun.repeatable:
            return ToolResult(call.id, OUTCOME_UNKNOWN, is_error=True)
        return ToolResult(call.id, ABORTED if self.status == "aborted" else UNAVAILABLE, is_error=True)


@dataclass(slots=True)
class Reading:
    """What has been read of a session so far."""

    damage: list[Damage] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    """The number of the record of each message."""
    aside: list[Repair] = field(default_factory=list)
    calls: OpenCalls = field(default_factory=OpenCalls)
    last: Line | None = None
    status: RunStatus | None = None
    models: tuple[str, ...] = ()
    base_url: str | None = None
    _begun_models: tuple[str, ...] = ()
    _begun_url: str | None = None
    _messages_asked: int = 0
    """How many messages the last question had."""
    _completed: tuple[int, Line] | None = None

    def take(self, line: Line) -> None:
        """Read one more record; those that say nothing of the conversation are passed over."""
        self.last = line
        if (read := _READ.get(line.type)) is not None:
            read(self, line)

    def history(self, size: int, version: int = EVENTS_VERSION) -> History:
        """What the session has come to, for a run of that version; `size` is that of its file, up to here."""
        intended = self.calls.intents if version >= DIVIDED_VERSION else {}
        conversation = repair(self.messages, self.calls.outcomes(), intended=intended, records=self.records)
        due = {call.id for call in conversation.due}
        return History(
            messages=conversation.messages,
            due=conversation.due,
            earlier={call_id: begun for call_id, begun in self.calls.by_id.items() if call_id in due},
            unknown=dict(self.calls.untold),
            status=self.status,
            mended=(*self.aside, *conversation.mended),
            counted=self.counted,
            models=self.models,
            base_url=self.base_url,
            damage=tuple(self.damage),
            tag=self.last.tag if self.last else os.urandom(4).hex(),
            next_seq=self.last.seq + 1 if self.last else 0,
            size=size,
        )

    def intend(self, line: Line) -> None:
        self.calls.intended(line)

    def end(self, line: Line) -> None:
        self.calls.ended(line)

    def lose(self, _line: Line) -> None:
        self.calls.damaged()

    def describe(self, line: Line) -> None:
        url = line.data.get("base_url")
        self._begun_url = url if isinstance(url, str) else None

    def begin(self, line: Line) -> None:
        self.status = None
        models = line.data.get("models")
        self._begun_models = tuple(map(str, models)) if isinstance(models, list) else ()

    def tell(self, line: Line) -> None:
        """A run has ended."""
        status = line.data.get("status")
        self.status = cast("RunStatus", status) if status in get_args(RunStatus) else None
        self.calls.run_ended(line.data.get("unknown"), line.data.get("exit_code"))

    def report(self, _line: Line) -> None:
        self.calls.reported()

    def ask(self, _line: Line) -> None:
        self.models, self.base_url = self._begun_models, self._begun_url
        self._messages_asked = len(self.messages)

    def complete(self, line: Line) -> None:
        self._completed = self._messages_asked, line

    @property
    def counted(self) -> Counted | None:
        """What a provider has counted last of the messages that there are."""
        if self._completed is None:
            return None
        asked, line = self._completed
        usage = usage_of(line.data.get("usage"))
        if usage is None or asked >= len(self.messages) or self.messages[asked].role != "assistant":
            return None
        return Counted(asked=tuple(self.messages[:asked]), reply=self.messages[asked], usage=usage)

    def compact(self, line: Line) -> None:
        """What is left of the conversation takes its place; where the record has none, the whole of it stays."""
        try:
            left = compacted_messages(line.data)
        except NoMessage as error:
            self.aside.append(Repair("set_aside", f"a compaction: {error}", line.seq))
            return
        self.messages, self.records, self._completed = left, [line.seq] * len(left), None

    def say(self, line: Line) -> None:
        try:
            message = message_of(line.data)
        except NoMessage as error:  # perhaps a newer version's: it stays in the file
            self.aside.append(Repair("set_aside", str(error), line.seq))
            return
        self.messages.append(message)
        self.records.append(line.seq)
        self.calls.add_message(message)


_READ: Mapping[str, Callable[[Reading, Line], None]] = {
    "message": Reading.say,
    "run": Reading.describe,
    "request": Reading.ask,
    "compaction": Reading.compact,
    "tool_intent": Reading.intend,
    "tool_outcome": Reading.end,
    "agent.start": Reading.begin,
    "agent.turn_complete": Reading.complete,
    "agent.result": Reading.tell,
    "reported": Reading.report,
    "damage": Reading.lose,
}


def open_history(path: Path) -> History:
    """Read a session that is about to be continued, under its lock; a damaged file is mended, the damaged one kept.

    Raises:
        SessionBusy: it is damaged, and another process writes it.
        OSError: it cannot be read, or not be mended.
    """
    found = _read(path)
    if damage := found.damage:
        mend_file(path)
        found = _read(path)
        found.damage = damage
    return found.history(path.stat().st_size)


def _read(path: Path) -> Reading:
    read = Reading()
    for item in read_file(path):
        if isinstance(item, Damage):
            read.damage.append(item)
        else:
            read.take(item)
    return read


def mend_file(path: Path) -> Path:
    """Put a file of whole records, numbered anew, in the place of a damaged one; where that is kept.

    Raises:
        SessionBusy: another process writes it.
        OSError: one of them cannot be written; nothing has changed.
    """
    with path.open("rb") as damaged:
        hold_file(damaged.fileno(), path)
        return _mended(path)


def _mended(path: Path) -> Path:
    kept = _copied(path, path.with_suffix(f".bak-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"))
    part = path.with_suffix(".part")
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        for seq, line in enumerate(_whole(read_file(path), kept.name)):
            file.write(line.raw if line.seq == seq else renumbered(line, seq))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return kept


def _copied(path: Path, kept: Path) -> Path:
    fd = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as copy, path.open("rb") as damaged:
            shutil.copyfileobj(damaged, copy)
    except OSError:
        kept.unlink(missing_ok=True)
        raise
    return kept


def _whole(found: Iterable[Found], kept: str) -> Iterator[Line]:
    """The records, and one for each place where some are missing: what was there may matter for what comes after.

    Nothing is missing after a torn end, since a writer acts on a record only when it is whole.
    """
    before: Line | None = None
    is_marked = False
    for item in found:
        if isinstance(item, Line):
            before, is_marked = item, False
            yield item
        elif before is not None and item.what in {"missing", "invalid"} and not is_marked:
            is_marked = True
            data = dump_line({"what": item.what, "reason": item.reason, "kept": kept})
            raw = encode(seq=0, tag=before.tag, at=before.at, kind="damage", run_id=before.run_id, data=data)
            yield decode(raw)
