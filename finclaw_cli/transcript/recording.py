"""The runs of a session, one by one, each with what the session had come to before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile
from typing import TypeVar

from finclaw_cli.core.events.agent import (
    AgentDelta,
    AgentFailover,
    AgentReasoning,
    AgentResult,
    AgentRetry,
    AgentStart,
    AgentToolCall,
    AgentTurnComplete,
    AgentTurnStart,
    Emitted,
    Event,
)
from finclaw_cli.core.events.approval import AgentApproval
from finclaw_cli.core.events.budget import BudgetSpent
from finclaw_cli.core.events.context import ContextWindowStatus
from finclaw_cli.core.events.internal import (
    ToolExecuteCancel,
    ToolExecuteEnd,
    ToolExecuteError,
    ToolExecuteStart,
    ToolExecuteTimeout,
    ToolReconcile,
)
from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message
from finclaw_cli.transcript.history import History, Reading
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.messages import NoMessage, message_of
from finclaw_cli.transcript.reader import Damage, Found
from finclaw_cli.transcript.replay import events_of
from finclaw_cli.transcript.requests import REPLY_RECORDS
from finclaw_cli.transcript.versions import version_of

Kind = TypeVar("Kind", bound=Event)
Piece = AgentDelta | AgentReasoning | AgentToolCall
"""Something that streamed: words, thoughts, or that a call began."""
Setback = AgentRetry | AgentFailover
Execution = ToolExecuteStart | ToolExecuteEnd | ToolExecuteError | ToolExecuteTimeout
Attempt = tuple[int, int]
"""A turn, and which attempt at it."""


@dataclass(frozen=True, kw_only=True)
class RunRecording:
    """All records of one run."""

    run_id: str
    before: History
    lines: tuple[Line, ...]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return tuple(item.event for item in events_of(self.lines) if isinstance(item, Emitted))

    @cached_property
    def start(self) -> AgentStart | None:
        return next(iter(self.of(AgentStart)), None)

    @cached_property
    def result(self) -> AgentResult | None:
        """How it ended; None where it was killed, or goes on."""
        return next(iter(self.of(AgentResult)), None)

    @cached_property
    def about(self) -> JsonObject:
        """The inputs of the run, beside its messages."""
        return next((line.data for line in self.lines if line.type == "run"), {})

    @cached_property
    def opening(self) -> tuple[Message, ...]:
        """What was added before a model was asked: the user's message, and what had to precede it.

        Nothing where an open question was taken up.
        """
        added: list[Message] = []
        for line in self.lines:
            if (message := _message(line)) is not None:
                added.append(message)
                if message.role == "user":
                    return tuple(added)
            elif line.type in {"request", "agent.tool_call"}:
                break
        return ()

    @cached_property
    def questions(self) -> tuple[Attempt | Line | None, ...]:
        """Each question to a model, in order: an attempt at a turn, or the record of the reply to any other question.

        None where the run was killed before there was one.
        """
        replies = (line for line in self.lines if line.type in REPLY_RECORDS.values())
        asked = (line.data for line in self.lines if line.type == "request")
        return tuple(_attempt(data) if _is_for_turn(data) else next(replies, None) for data in asked)

    @cached_property
    def sources_refused(self) -> str | None:
        """Why the sources of figures could not be asked for: there was no money; None where they were, or need not."""
        if any(line.type == "request" and line.data.get("purpose") == "numbers" for line in self.lines):
            return None
        replies = (line for line in self.lines if line.type == REPLY_RECORDS["numbers"])
        return next((str(line.data.get("error")) for line in replies), None)

    @cached_property
    def tool_changes(self) -> Mapping[int, JsonObject]:
        """The records of other tools that were offered from a turn on."""
        changes = (line.data for line in self.lines if line.type == "tools")
        return {turn: data for data in changes if isinstance(turn := data.get("turn"), int)}

    @cached_property
    def windows(self) -> Mapping[str, ContextWindowStatus]:
        """The first report of each model's window, by `provider:model`: what came later may have been learned."""
        return {event.model: event for event in reversed(self.of(ContextWindowStatus))}

    @cached_property
    def replies(self) -> Mapping[Attempt, Message]:
        """What was answered to those of them that were answered whole."""
        replies: dict[Attempt, Message] = {}
        asked: Attempt | None = None
        for line in self.lines:
            if line.type == "request":
                asked = _attempt(line.data) if _is_for_turn(line.data) else None
            elif asked is not None and (reply := _message(line)) is not None and reply.role == "assistant":
                replies[asked] = reply
        return replies

    @cached_property
    def completions(self) -> Mapping[int, AgentTurnComplete]:
        return {event.turn: event for event in self.of(AgentTurnComplete)}

    @cached_property
    def spent(self) -> Mapping[int, BudgetSpent]:
        """What each question came to, by its number from 1; without those that were cut off with the process."""
        return {event.number: event for event in self.of(BudgetSpent)}

    @cached_property
    def setbacks(self) -> Mapping[Attempt, Setback]:
        """Why an attempt failed that was followed by another one."""
        found = (event for event in self.events if isinstance(event, Setback))
        return {(event.turn, event.attempt - 1): event for event in found}

    @cached_property
    def pieces(self) -> Mapping[Attempt, tuple[Piece, ...]]:
        """What streamed of each attempt."""
        pieces: dict[Attempt, list[Piece]] = {}
        attempt = 1
        for event in self.events:
            match event:
                case AgentTurnStart():
                    attempt = 1
                case AgentRetry() | AgentFailover():
                    attempt = event.attempt
                case AgentDelta() | AgentReasoning() | AgentToolCall(status="announced"):
                    pieces.setdefault((event.turn, attempt), []).append(event)
                case _:
                    pass
        return {attempt: tuple(streamed) for attempt, streamed in pieces.items()}

    @cached_property
    def executions(self) -> Mapping[tuple[int, str], tuple[Execution, ...]]:
        """The events of each call while its tool ran, by turn and call."""
        found: dict[tuple[int, str], list[Execution]] = {}
        for event in self.events:
            if isinstance(event, Execution):
                found.setdefault((event.turn, event.call_id), []).append(event)
        return {call: tuple(events) for call, events in found.items()}

    def is_reconciled(self, failure: Execution) -> bool:
        """Whether the tool was asked after this failure what became of its call."""
        later = dropwhile(lambda event: event is not failure, self.events)
        return any(isinstance(event, ToolReconcile) and event.call_id == failure.call_id for event in later)

    @cached_property
    def calls(self) -> tuple[AgentToolCall, ...]:
        """The calls that were asked for, with their input."""
        return tuple(call for call in self.of(AgentToolCall) if call.status == "requested")

    @cached_property
    def read_only(self) -> frozenset[str]:
        """The ids of calls whose tools only read, when they ran."""
        intents = (line.data for line in self.lines if line.type == "tool_intent")
        return frozenset(str(data.get("call_id")) for data in intents if data.get("read_only") is True)

    @cached_property
    def ends(self) -> Mapping[tuple[int, str], AgentToolCall]:
        """How each call ended."""
        ended = (call for call in self.of(AgentToolCall) if call.status in ENDED)
        return {(call.turn, call.call_id): call for call in ended}

    @cached_property
    def approvals(self) -> Mapping[tuple[int, str], tuple[AgentApproval, ...]]:
        """The answers to each call's requests, in order."""
        given: dict[tuple[int, str], list[AgentApproval]] = {}
        for event in self.of(AgentApproval):
            given.setdefault((event.turn, event.call_id), []).append(event)
        return {call: tuple(answers) for call, answers in given.items()}

    @cached_property
    def cancelled_alone(self) -> frozenset[str]:
        """The ids of calls that were cancelled, while their run went on."""
        return frozenset(event.call_id for event in self.of(ToolExecuteCancel) if event.alone)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """All events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]


def runs_of(found: Iterable[Found]) -> Iterator[RunRecording | Damage]:
    """The runs of a session in their order, up to where its record is damaged."""
    reading, lines = Reading(), list[Line]()
    before = reading.history(0)
    for item in found:
        if isinstance(item, Damage):
            yield item
            return
        if lines and item.run_id != lines[0].run_id:
            yield RunRecording(run_id=lines[0].run_id, before=before, lines=tuple(lines))
            # The first record of a run has the version that it was made by.
            lines, before = [], reading.history(0, version_of(item.data if item.type == "run" else {}))
        reading.take(item)
        if item.type != "session":
            lines.append(item)
    if lines:
        yield RunRecording(run_id=lines[0].run_id, before=before, lines=tuple(lines))


def _message(line: Line) -> Message | None:
    """The message of a record; None for any other, and for an empty one."""
    if line.type != "message":
        return None
    try:
        return message_of(line.data)
    except NoMessage:
        return None


def _is_for_turn(request: JsonObject) -> bool:
    return request.get("purpose") not in REPLY_RECORDS


def _attempt(request: JsonObject) -> Attempt:
    return _number(request.get("turn")), _number(request.get("attempt"))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
