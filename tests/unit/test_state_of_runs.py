"""The moves of runs: over random streams, failures and cancellations each is in the published table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import Done, StreamChunk, TextDelta, ToolInputDelta, ToolUseEnd, ToolUseStart
from finclaw_cli.core.clock import StillClock, SystemClock
from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.core.events.agent import AgentFailover, AgentRetry, AgentToolCall, AgentTurnStart, Event
from finclaw_cli.core.events.internal import ExecutionState
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.usage import StopReason
from finclaw_cli.engine.cancel import Cancellation, CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef, RunLimits, RunRequest
from finclaw_cli.engine.run import Run
from tests.unit.plain_runs import REF, REQUEST, Sink, toolbox
from tests.unit.test_state import LEGAL

STOPPED = Cancellation(status="aborted", exit_code=130, code="interrupted", message="interrupted")
Move = tuple[str, str, str | None]


@dataclass(frozen=True)
class Turn:
    """One answer: some words, calls, and how it ends."""

    text: str = ""
    calls: tuple[str, ...] = ()
    end: StopReason | ProviderFailure | str = "end_turn"
    """A reason to stop, a failure, `cancelled`, or `open`: the last call is not whole."""

    def chunks(self) -> Iterator[StreamChunk]:
        if self.text:
            yield TextDelta(self.text)
        for call_id in self.calls:
            yield ToolUseStart(call_id, "nothing")
            if self.end == "open":
                return
            yield ToolInputDelta(call_id, "{}")
            yield ToolUseEnd(call_id)


STOPS = ("end_turn", "tool_use", "max_tokens", "pause", "refusal", "context_exceeded")
FAILURES = ("overloaded", "quota", "auth", "bad_request", "context_exceeded")
CALLS = Turn(calls=("c", "d"), end="tool_use")


class Playing:
    """A provider that gives one turn after the other, and the last one again and again."""

    name = "scripted"

    def __init__(self, turns: Sequence[Turn], scope: CancelScope) -> None:
        self._turns = list(turns)
        self._scope = scope

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        turn = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        for chunk in turn.chunks():
            yield chunk
            await asyncio.sleep(0)
        if turn.end == "cancelled":
            self._scope.cancel(STOPPED)
            await asyncio.sleep(1)
        if turn.end in FAILURES and turn.end != "context_exceeded":
            raise ProviderError("no", reason=turn.end)  # type: ignore[arg-type]
        if turn.end != "open":
            yield Done(stop_reason=turn.end)  # type: ignore[arg-type]

    async def aclose(self) -> None: ...


async def events_of(turns: Sequence[Turn], request: RunRequest = REQUEST, *, cancel_in: str = "") -> list[Event]:
    scope, clock = CancelScope(), StillClock(SystemClock().now())

    async def before(event: Event) -> None:
        if isinstance(event, ExecutionState) and event.state_to == cancel_in:
            scope.cancel(STOPPED)

    sink = Sink(before)
    provider = Playing(turns, scope)
    connection = Connection(ref=REF, provider=provider, gate=Gate(clock))
    engine = Engine(connect=lambda ref: replace(connection, ref=ref), clock=clock)
    await Run(engine, request, toolbox=toolbox, sinks=[sink], scope=scope)()
    return sink.events


def moves(events: Sequence[Event]) -> list[Move]:
    states = (event for event in events if isinstance(event, ExecutionState))
    return [(event.state_from, event.state_to, event.cause) for event in states]


RANDOM_TURN = st.builds(
    Turn,
    text=st.sampled_from(["", "Well."]),
    calls=st.sampled_from([(), ("c",), ("c", "d")]),
    end=st.sampled_from([*STOPS, *FAILURES, "open", "cancelled"]),
)
MODELS = st.sampled_from([(REF,), (REF, ModelRef(provider="scripted", model="other"))])
LEFT_OPEN = (Message("user", "Go."), Message("assistant", (ToolCall("z", "nothing", {}),)))


@given(
    st.lists(RANDOM_TURN, min_size=1, max_size=5),
    MODELS,
    st.sampled_from(["", "streaming", "tool_use", "executing", "done"]),
    st.booleans(),
)
async def test_whatever_happens_each_move_is_in_the_table(
    turns: list[Turn], models: tuple[ModelRef, ...], cancel_in: str, is_resumed: bool
) -> None:
    request = replace(REQUEST, models=models)
    if is_resumed:
        request = replace(request, messages=LEFT_OPEN, kept_messages=2, due=LEFT_OPEN[1].tool_calls)
    events = await events_of(turns, request, cancel_in=cancel_in)
    made = moves(events)
    assert {(source, target) for source, target, _ in made} <= LEGAL
    assert all(before[1] == after[0] for before, after in pairwise(made))
    assert not made or (made[0][0], made[-1][1]) == ("idle", "idle")
    for source, target, cause in made:
        assert (cause is not None) == (target == "idle" and source != "done")


@given(st.lists(RANDOM_TURN, min_size=1, max_size=5), MODELS)
async def test_each_call_that_is_run_was_announced_in_the_attempt_that_counts(
    turns: list[Turn], models: tuple[ModelRef, ...]
) -> None:
    announced: dict[str, str] = {}
    for event in await events_of(turns, replace(REQUEST, models=models)):
        match event:
            case AgentTurnStart() | AgentRetry() | AgentFailover():
                announced = {}
            case AgentToolCall(status="announced"):
                assert event.input is None
                assert event.call_id not in announced
                announced[event.call_id] = event.name
            case AgentToolCall(status="requested"):
                assert announced[event.call_id] == event.name
            case _:
                pass


FEW_TURNS = replace(REQUEST, limits=RunLimits(max_turns=1))
RESUMED = replace(REQUEST, messages=LEFT_OPEN, kept_messages=2, due=LEFT_OPEN[1].tool_calls)
TWO_MODELS = replace(REQUEST, models=(REF, ModelRef(provider="scripted", model="other")))
ANSWER = Turn(text="Well.")
RUNS: dict[str, tuple[list[Turn], RunRequest, str, list[Move]]] = {
    "an answer": ([ANSWER], REQUEST, "", [("idle", "streaming", None), ("streaming", "done", None)]),
    "calls": (
        [CALLS, ANSWER],
        REQUEST,
        "",
        [
            ("idle", "streaming", None),
            ("streaming", "tool_use", None),
            ("tool_use", "executing", None),
            ("executing", "streaming", None),
            ("streaming", "done", None),
        ],
    ),
    "a retry": (
        [Turn(end="overloaded"), ANSWER],
        REQUEST,
        "",
        [("idle", "streaming", None), ("streaming", "idle", "retry"), ("idle", "streaming", None)],
    ),
    "a retry after a call was announced": (
        [Turn(calls=("c",), end="open"), ANSWER],
        REQUEST,
        "",
        [("idle", "streaming", None), ("streaming", "tool_use", None), ("tool_use", "idle", "retry")],
    ),
    "a failover": (
        [Turn(end="quota"), ANSWER],
        TWO_MODELS,
        "",
        [("idle", "streaming", None), ("streaming", "idle", "failover"), ("idle", "streaming", None)],
    ),
    "a failure": ([Turn(end="auth")], REQUEST, "", [("idle", "streaming", None), ("streaming", "idle", "failed")]),
    "calls that are void": (
        [Turn(calls=("c",), end="max_tokens")],
        REQUEST,
        "",
        [("idle", "streaming", None), ("streaming", "tool_use", None), ("tool_use", "done", None)],
    ),
    "a cancellation while calls run": (
        [CALLS],
        REQUEST,
        "executing",
        [
            ("idle", "streaming", None),
            ("streaming", "tool_use", None),
            ("tool_use", "executing", None),
            ("executing", "idle", "cancelled"),
        ],
    ),
    "a limit of turns": (
        [CALLS],
        FEW_TURNS,
        "",
        [
            ("idle", "streaming", None),
            ("streaming", "tool_use", None),
            ("tool_use", "executing", None),
            ("executing", "done", None),
            ("done", "idle", None),
        ],
    ),
    "calls that were left open": (
        [ANSWER],
        RESUMED,
        "",
        [("idle", "executing", None), ("executing", "streaming", None), ("streaming", "done", None)],
    ),
}


@pytest.mark.parametrize("name", RUNS)
async def test_a_run_makes_the_moves_of_what_happens_to_it(name: str) -> None:
    turns, request, cancel_in, expected = RUNS[name]
    made = moves(await events_of(turns, request, cancel_in=cancel_in))
    assert made[: len(expected)] == expected


def test_every_move_of_the_table_is_made_by_one_of_these_runs() -> None:
    made = {(source, target) for *_, expected in RUNS.values() for source, target, _ in expected}
    assert made == LEGAL
