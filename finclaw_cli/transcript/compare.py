"""Compares what a run does with what was recorded of it, record by record, while it happens."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Protocol

from finclaw_cli.core.events.parts import ENDED
from finclaw_cli.core.json_text import JsonObject, JsonValue, canonical
from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.versions import events_version, fields_of_version, is_of_version

# What depends on the machine, the moment, or on chance, and not on what a run is asked and does.
PASSED_OVER = frozenset(
    {"session", "run", "exit", "reported", "damage", "session.lock", "agent.warning", "execution.lane"}
    | {"budget.threshold", "budget.exceeded"}
    # They follow from the end of the call, which is compared; earlier versions did not emit them.
    | {"tool.execute_cancel", "tool.execute_skip"}
    | {"tool.register", "tool.unregister", "tool.progress", "tool.circuit_change", "tool.reconcile"}
)
IGNORED: dict[str, frozenset[str]] = {
    "agent.start": frozenset({"finclaw_version", "channel", "plugins_failed", "policy_files"}),
    "agent.approval_request": frozenset({"id", "preview"}),
    "agent.approval": frozenset({"id"}),
    "tool.execute_error": frozenset({"traceback"}),
    "tool_outcome": frozenset({"unknown"}),
    # Estimates: what comes of them, another request, is compared.
    "agent.turn_complete": frozenset({"context_ratio"}),
    "agent.result": frozenset({"estimated"}),
    "budget.reserved": frozenset({"usage"}),
    # An answer that was whole when the run was ended, and not kept, broke off as far as is known.
    "budget.spent": frozenset({"estimated", "status"}),
    # How long an answer may be follows from the money of that moment.
    "request": frozenset({"affordable"}),
    "context.window_status": frozenset({"occupied", "ratio"}),
    "context.threshold": frozenset({"ratio"}),
    "context.compact": frozenset({"before", "after"}),
}
STREAMED = frozenset({"agent.delta", "agent.reasoning"})
OF_TIME = frozenset({"duration_ms", "delay_s"})
# A cost follows from the price data of the day.
OF_PRICES = frozenset({"cost_usd", "uncached_usd", "price_source", "tier"})


@record(kw_only=True)
class Difference:
    """The first thing that is not as it was recorded; one side is None where it has nothing."""

    record: int | None
    type: str
    field: str
    recorded: JsonValue
    now: JsonValue

    def __str__(self) -> str:
        where = f"record {self.record}" if self.record is not None else "after the last record"
        return f"{where}, {self.type}{'.' + self.field if self.field else ''}"


@dataclass(slots=True)
class _Said:
    """What streamed of one attempt, then and now."""

    first: Line
    recorded: list[str] = field(default_factory=list)
    now: list[str] = field(default_factory=list)


class Judge(Protocol):
    """Is given records in place of a file; the caller decides what is done when one is not as it was."""

    on_different: Callable[[], None]

    def append(
        self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False
    ) -> None: ...

    def close(self) -> None: ...


def _ignore() -> None:
    """Do nothing."""


class Comparison:
    """Takes the records of a run in place of a file.

    Calls of one turn run beside each other: the records of each are compared in their own order, and all others in
    theirs. What streams is compared as a whole, since where it is cut depends on the secrets that this
    machine holds back. After the first difference nothing is compared any more.
    """

    def __init__(self, recorded: Iterable[Line]) -> None:
        self._expected: dict[str, deque[tuple[Line, JsonObject]]] = {}
        self._is_whole = False
        self.on_different: Callable[[], None] = _ignore
        self.difference: Difference | None = None
        self.compared = 0
        self._streams: dict[str, _Said] = {}
        recorded = tuple(recorded)
        self._version = events_version(recorded)
        for line in recorded:
            if line.type in STREAMED:
                self._streams.setdefault(_stream(line.type, line.data), _Said(line)).recorded.append(_words(line.data))
            elif self._is_compared(line.type, line.data):
                data = self._comparable(line.type, line.data)
                self._expected.setdefault(_course(line.type, line.data), deque()).append((line, data))
                self._is_whole = line.type == "agent.result"
        self._leave_out_what_has_no_answer()

    def _leave_out_what_has_no_answer(self) -> None:
        """Where a run was killed between the end of a request and its message, there is no answer to make it of."""
        course = self._expected.get("")
        if not self._is_whole and course and course[-1][0].type == "budget.spent":
            course.pop()

    def _is_compared(self, kind: str, data: JsonObject) -> bool:
        return kind not in PASSED_OVER and is_of_version(self._version, kind, data)

    def _comparable(self, kind: str, data: JsonObject) -> JsonObject:
        return fields_of_version(self._version, kind, _comparable(kind, data))

    def append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:  # noqa: ARG002
        """Compare one record with the one that should come."""
        if self.difference is not None or kind in PASSED_OVER:
            return
        given = json.loads(data) if isinstance(data, str) else data
        if not self._is_compared(kind, given):
            return
        if kind in STREAMED:
            self._compare_streamed(kind, given)
            return
        now = self._comparable(kind, given)
        course = self._expected.get(_course(kind, given))
        if course:
            self._compare(*course.popleft(), kind, now)
        elif self._is_whole:
            self._differs(Difference(record=None, type=kind, field="", recorded=None, now=now))

    def _compare_streamed(self, kind: str, given: JsonObject) -> None:
        stream = self._streams.get(_stream(kind, given))
        if stream is not None:
            stream.now.append(_words(given))
        elif self._is_whole:
            self._differs(Difference(record=None, type=kind, field="text", recorded=None, now=_words(given)))

    def close(self) -> None:
        """The run has ended: whatever is left did not happen."""
        if self._is_whole and self.difference is None:
            difference = next(chain(self._differing_streams(), self._left()), None)
            if difference is not None:
                self._differs(difference)

    def _differing_streams(self) -> Iterator[Difference]:
        for stream in self._streams.values():
            recorded, now, first = "".join(stream.recorded), "".join(stream.now), stream.first
            if recorded != now:
                yield Difference(record=first.seq, type=first.type, field="text", recorded=recorded, now=now)

    def _left(self) -> Iterator[Difference]:
        left = (line for course in self._expected.values() for line, _ in course)
        for line in sorted(left, key=lambda line: line.seq):
            yield Difference(record=line.seq, type=line.type, field="", recorded=line.data, now=None)

    def _compare(self, line: Line, recorded: JsonObject, kind: str, now: JsonObject) -> None:
        self.compared += 1
        if line.type != kind:
            self._differs(Difference(record=line.seq, type=line.type, field="type", recorded=line.type, now=kind))
        elif canonical(recorded) != canonical(now):
            field, before, after = _difference("", recorded, now)
            self._differs(Difference(record=line.seq, type=kind, field=field, recorded=before, now=after))

    def _differs(self, difference: Difference) -> None:
        self.difference = difference
        self.on_different()


class Results:
    """Takes the records of a run in place of a file, and notes which calls ended otherwise than they did then."""

    def __init__(self, recorded: Iterable[Line]) -> None:
        ends = (line for line in recorded if line.type == "agent.tool_call" and _is_end(line.data))
        self._recorded = {(line.data.get("turn"), line.data.get("call_id")): line for line in ends}
        self.differences: list[Difference] = []
        self.compared = 0
        self.on_different: Callable[[], None] = _ignore

    def append(self, kind: str, at: datetime, run_id: str, data: JsonObject | str, *, durable: bool = False) -> None:  # noqa: ARG002
        """Compare one record, if it is the end of a call."""
        now = json.loads(data) if isinstance(data, str) else data
        then = self._recorded.get((now.get("turn"), now.get("call_id"))) if kind == "agent.tool_call" else None
        if then is None or not _is_end(now):
            return
        self.compared += 1
        name = str(now.get("name"))
        for part in ("status", "result"):
            before, after = then.data.get(part), now.get(part)
            if before != after:
                self.differences.append(Difference(record=then.seq, type=name, field=part, recorded=before, now=after))

    def close(self) -> None:
        """Nothing is open."""


def _is_end(data: JsonObject) -> bool:
    return data.get("status") in ENDED


def _stream(kind: str, data: JsonObject) -> str:
    return f"{kind} {data.get('turn')} {data.get('attempt')}"


def _words(data: JsonObject) -> str:
    return str(data.get("text"))


def _course(kind: str, data: JsonObject) -> str:
    """Records of the same course have an order: those of one call, and all that are of none."""
    of_call = kind.startswith("tool") or kind in {"agent.tool_call", "agent.approval", "agent.approval_request"}
    return str(data.get("call_id")) if of_call else ""


def _comparable(kind: str, data: JsonObject) -> JsonObject:
    ignored = IGNORED.get(kind, frozenset()) | OF_TIME | OF_PRICES
    if data.get("estimated") is True:  # counted here, in part or in whole
        ignored |= {"usage"}
    left = {name: value for name, value in data.items() if name not in ignored}
    if isinstance(tools := left.get("tools"), list):  # what else asked for them then is not recorded
        left["tools"] = [{**tool, "skill": None} if isinstance(tool, dict) else tool for tool in tools]
    if isinstance(spent := left.get("compaction"), dict):
        left["compaction"] = {name: value for name, value in spent.items() if name not in OF_PRICES}
    return left


def _difference(path: str, one: JsonValue, other: JsonValue) -> tuple[str, JsonValue, JsonValue]:
    """Where two values that differ do so first, as deep as both have it."""
    if isinstance(one, dict) and isinstance(other, dict):
        name = next(name for name in {**one, **other} if _field(one, name) != _field(other, name))
        return _difference(f"{path}.{name}" if path else name, one.get(name), other.get(name))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        place = next(place for place, (a, b) in enumerate(zip(one, other, strict=True)) if canonical(a) != canonical(b))
        return _difference(f"{path}[{place}]", one[place], other[place])
    return path, one, other


def _field(data: JsonObject, name: str) -> str | None:
    """A value as JSON, in which 1, 1.0 and true differ; None where there is none."""
    return canonical(data[name]) if name in data else None
