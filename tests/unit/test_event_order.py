"""The events of calls and of whole runs, each of them and in their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.events.agent import AgentToolCall, AgentWarning, Event
from finclaw_cli.core.events.internal import ExecutionLane, ExecutionState
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.sdk import tool
from finclaw_cli.testing.runs import play
from tests.unit.test_pipeline import Handler, Never, Yes, bench, echo

ASKED = ("agent.tool_call requested", "tool.register", "tool.policy_verdict")
BEGUN = (*ASKED, "tool.execute_start", "agent.tool_call running")
RUN_BEGUN = ("agent.start", "execution.lane acquired")
TURN = ("agent.turn_start", "execution.state idle streaming", "budget.reserved")
COUNTED = ("budget.spent", "agent.warning unknown_window", "context.window_status")
RUN_ENDED = ("execution.state streaming done", "execution.lane released", "execution.state done idle", "agent.result")


def named(events: Iterable[Event]) -> list[str]:
    """The types of events, with what two of one type differ in."""
    names = []
    for event in events:
        match event:
            case AgentToolCall():
                names.append(f"{event.type} {event.status}")
            case AgentWarning():
                names.append(f"{event.type} {event.code}")
            case ExecutionState():
                names.append(f"{event.type} {event.state_from} {event.state_to}")
            case ExecutionLane():
                names.append(f"{event.type} {event.step}")
            case _:
                names.append(event.type)
    return names


async def fails(given: dict[str, object], context: ToolContext) -> object:
    raise ToolError("X: no")


async def hangs(given: dict[str, object], context: ToolContext) -> object:
    await context.cancelled.wait()
    return "never"


@pytest.mark.parametrize(
    ("handler", "ended"),
    [
        (echo, ("tool.execute_end", "agent.tool_call completed")),
        (fails, ("tool.execute_error", "agent.tool_call failed")),
        (hangs, ("tool.execute_timeout", "agent.tool_call timeout")),
    ],
)
async def test_a_call_that_runs(handler: Handler, ended: tuple[str, ...]) -> None:
    it = bench(handler, timeout_s=5 if handler is not hangs else 0.05)
    await it.answer({"n": 1})
    assert named(it.events) == [*BEGUN, *ended]


async def test_a_call_with_invalid_input() -> None:
    it = bench()
    await it.answer({"n": "x"})
    assert named(it.events) == [*ASKED[:2], "tool.execute_skip", "agent.tool_call failed"]


async def test_a_call_that_is_denied() -> None:
    it = bench()
    it.services = replace(it.services, policy=Never())
    await it.answer({"n": 1})
    assert named(it.events) == [*ASKED, "tool.policy_deny", "tool.execute_skip", "agent.tool_call denied"]


@pytest.mark.parametrize("granted", [True, False])
async def test_a_call_that_needs_an_approval(granted: bool) -> None:
    it = bench(transactional=True)
    if granted:
        it.services = replace(it.services, approver=Yes())
    await it.answer({"n": 1})
    ran = (*BEGUN[-2:], "tool.execute_end", "agent.tool_call completed")
    ended = ran if granted else ("tool.execute_skip", "agent.tool_call denied")
    assert named(it.events) == [*ASKED, "agent.approval_request", "agent.approval", *ended]


async def test_a_call_that_is_repeated_too_often() -> None:
    it = bench()
    await it.answer(*[{"n": 1}] * 6)
    assert named(it.events).count("tool.loop") == 1


@tool(group="finance", read_only=True)
async def price(ctx: ToolContext, *, symbol: str) -> str:
    """Give a price.

    Args:
        ctx: given by finclaw.
        symbol: of what.
    """
    return f"{symbol}: 7"


def test_a_run_of_one_turn() -> None:
    played = play([{"text": "ok"}])
    assert named(played.events) == [*RUN_BEGUN, *TURN, "agent.delta", *COUNTED, "agent.turn_complete", *RUN_ENDED]


def test_a_run_without_an_answer() -> None:
    played = play([{"text": ""}])
    ended = (RUN_ENDED[0], "agent.warning empty_answer", *RUN_ENDED[1:])
    assert named(played.events) == [*RUN_BEGUN, *TURN, *COUNTED, "agent.turn_complete", *ended]


def test_a_run_with_a_call() -> None:
    call = {"name": "price", "input": {"symbol": "ACME"}}
    played = play([{"text": "Well.", "tool_calls": [call]}, {"text": "done"}], price)
    assert named(played.events) == [
        *(*RUN_BEGUN, *TURN, "agent.delta"),
        *("agent.tool_call announced", "execution.state streaming tool_use", *COUNTED),
        "execution.state tool_use executing",
        *(*BEGUN, "tool.execute_end", "agent.tool_call completed", "agent.turn_complete"),
        *("agent.turn_start", "execution.state executing streaming", "budget.reserved", "agent.delta", "budget.spent"),
        *("agent.turn_complete", *RUN_ENDED),
    ]
