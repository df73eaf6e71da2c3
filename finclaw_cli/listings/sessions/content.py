"""The content of a session's file, read twice as a stream: first its facts, then its messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.listings.sessions.decisions import Decision, decision_of
from finclaw_cli.output.notice import notice
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.messages import NoMessage, message_of
from finclaw_cli.transcript.reader import Damage, Found, read
from finclaw_cli.transcript.store import SUFFIX

MOST_REASON_CHARS = 200
MOST_SHOWN = 10
_COUNTS = {count.name for count in fields(Usage)}
# The records that name the model of a request.
_MODEL = {"agent.turn_start": "model", "agent.failover": "model_to"}


@dataclass(slots=True, kw_only=True)
class RunFacts:
    """One run of a session; values that are missing or malformed are None."""

    run_id: str
    status: str | None = None
    exit_code: int | None = None
    models: list[str] = field(default_factory=list)
    """The models of its requests, in the order of their first request."""
    usage: JsonObject | None = None
    cost_usd: str | None = None
    began: str | None = None
    question: str | None = None
    """The message of the user that it answers; None where it continued an earlier run."""


@record(kw_only=True)
class Hurt:
    """A place where the file is damaged; `offset` is None for an intact record that is no message."""

    offset: int | None
    kind: str
    reason: str

    def __str__(self) -> str:
        place = "" if self.offset is None else f" at byte {self.offset}"
        return f"damaged{place}: {clean_line(self.reason)}"


@dataclass(slots=True, kw_only=True)
class SessionFacts:
    """The facts of a session, without its messages."""

    session: str
    began: str | None = None
    finclaw_version: str | None = None
    question: str = ""
    runs: dict[str, RunFacts] = field(default_factory=dict)
    damage: list[Hurt] = field(default_factory=list)

    @property
    def models(self) -> list[str]:
        """The models of all its runs."""
        return list(dict.fromkeys(model for run in self.runs.values() for model in run.models))


class OpenSession:
    """A session's file, open for reading."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    def facts(self) -> SessionFacts:
        """Read the facts of the session.

        Raises:
            FinclawError: it cannot be read.
        """
        return facts_of(self._path.name.removesuffix(SUFFIX), self._found())

    def messages(self) -> Iterator[Message]:
        """Read the messages; unreadable ones are left out, and are among the facts.

        Raises:
            FinclawError: it cannot be read.
        """
        return (item for item in self.conversation() if isinstance(item, Message))

    def conversation(self) -> Iterator[Message | Decision]:
        """Read the messages in the same way, and between them the answers to requests for approvals.

        Raises:
            FinclawError: it cannot be read.
        """
        return conversation_of(self._found())

    def _found(self) -> Iterator[Found]:
        try:
            self._file.seek(0)
            yield from read(self._file)
        except OSError as error:
            raise unreadable(self._path, error) from error


def facts_of(session: str, found: Iterable[Found]) -> SessionFacts:
    """The facts of a session, by what its file has."""
    facts = SessionFacts(session=session)
    for item in found:
        if isinstance(item, Damage):
            facts.damage.append(hurt(item))
        else:
            _take(facts, item)
    return facts


def conversation_of(found: Iterable[Found]) -> Iterator[Message | Decision]:
    """The messages of a session, and between them the answers to requests for approvals."""
    for item in found:
        if not isinstance(item, Line):
            continue
        read = _message(item) if item.type == "message" else decision_of(item)
        if isinstance(read, Message | Decision):
            yield read


def unreadable(path: Path, error: OSError) -> FinclawError:
    """The error for a session that cannot be read."""
    return FinclawError(f"{path}: cannot be read: {error.strerror or error}")


def hurt(damage: Damage) -> Hurt:
    """A damaged place, without its bytes."""
    return Hurt(offset=damage.offset, kind=damage.what, reason=damage.reason)


def report_damage(damage: Sequence[Hurt]) -> None:
    """Report damage on stderr."""
    for each in damage[:MOST_SHOWN]:
        notice(f"finclaw: {each}")
    if len(damage) > MOST_SHOWN:
        notice(f"finclaw: … and {len(damage) - MOST_SHOWN:,} more places")


def _take(facts: SessionFacts, line: Line) -> None:
    began = _time(line)
    facts.began = facts.began or began
    run = facts.runs.setdefault(line.run_id, RunFacts(run_id=line.run_id, began=began)) if line.run_id else None
    if line.type == "message":
        _take_message(facts, run, line)
    elif line.type == "session":
        facts.finclaw_version = facts.finclaw_version or _text(line.data, "finclaw_version")
    elif run is not None:
        _take_event(facts, run, line)


def _take_message(facts: SessionFacts, run: RunFacts | None, line: Line) -> None:
    message = _message(line)
    if isinstance(message, Hurt):
        facts.damage.append(message)
    elif message.role == "user":
        facts.question = facts.question or message.text.strip()
        if run is not None and run.question is None:
            run.question = message.text.strip()


def _take_event(facts: SessionFacts, run: RunFacts, line: Line) -> None:
    if line.type == "agent.start":
        facts.finclaw_version = facts.finclaw_version or _text(line.data, "finclaw_version")
    elif line.type in _MODEL:
        model = _text(line.data, _MODEL[line.type])
        run.models += [model] if model and model not in run.models else []
    elif line.type == "agent.result":
        _take_result(run, line.data)


def _take_result(run: RunFacts, data: JsonObject) -> None:
    code, usage, cost = data.get("exit_code"), data.get("usage"), data.get("cost_usd")
    run.status = _text(data, "status")
    run.exit_code = code if isinstance(code, int) else None
    run.cost_usd = None if cost is None or isinstance(cost, list | dict) else str(cost)
    if isinstance(usage, dict):
        run.usage = {name: count for name, count in usage.items() if name in _COUNTS and isinstance(count, int)}


def _message(line: Line) -> Message | Hurt:
    try:
        return message_of(line.data)
    except NoMessage as error:
        reason = f"record {line.seq} is no message: {error}"
        short = reason if len(reason) <= MOST_REASON_CHARS else f"{reason[:MOST_REASON_CHARS]}…"
        return Hurt(offset=None, kind="no_message", reason=short)


def _time(line: Line) -> str | None:
    try:
        datetime.fromisoformat(line.ts)
    except ValueError:
        return None
    return line.ts


def _text(data: JsonObject, name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) else None
