"""`call_tool_sync`: one tool without a model, also where an event loop runs."""

from __future__ import annotations

import asyncio
import threading

import pytest

from finclaw_cli import Agent, Approval, ApprovalRequest, call_tool_sync
from finclaw_cli.errors import UsageError
from finclaw_cli.sdk import ToolError, tool

PAID: list[str] = []


def doubled(number: int) -> int:
    """Double a number."""
    return 2 * number


def fails() -> str:
    """Fail."""
    raise ToolError("there is nothing")


async def waits() -> str:
    """Wait."""
    await asyncio.Event().wait()
    return "never"


def keyed() -> str:
    """Give private data."""
    return "card 4111 1111 1111 1111"


@tool(transactional=True)
def pay(amount: str) -> str:
    """Pay."""
    PAID.append(amount)
    return "paid"


@pytest.fixture(autouse=True)
def unpaid() -> None:
    PAID.clear()


def test_a_tool_is_called_by_its_name():
    result = call_tool_sync("doubled", {"number": 4}, tools=[doubled], no_plugins=True)
    assert (result.status, result.content, result.is_error) == ("completed", "8", False)


async def test_a_tool_is_called_where_an_event_loop_runs():
    here = threading.get_ident()
    result = call_tool_sync("doubled", {"number": 4}, tools=[doubled], no_plugins=True)
    assert (result.content, threading.get_ident()) == ("8", here)


def test_the_tool_of_an_agent_is_called():
    assert Agent(tools=[doubled], no_plugins=True).call_tool_sync("doubled", {"number": 1}).content == "2"


def test_an_installed_tool_is_called():
    result = call_tool_sync("get_price_history", {"symbol": "ACME"})
    assert (result.status, "126.89" in result.content) == ("completed", True)


@pytest.mark.parametrize(
    ("name", "arguments", "status", "words"),
    [
        ("doubled", {"number": "four"}, "failed", "Invalid tool input"),
        ("fails", {}, "failed", "there is nothing"),
        ("waits", {}, "timeout", "timed out after 0.2 s"),
        ("pay", {"amount": "5"}, "denied", "needs approval"),
    ],
)
def test_a_call_that_fails_is_a_result(name: str, arguments: dict[str, object], status: str, words: str):
    tools = [doubled, fails, waits, pay]
    result = call_tool_sync(name, arguments, timeout_s=0.2, tools=tools, no_plugins=True)
    assert (result.status, result.is_error, PAID) == (status, True, [])
    assert words in result.content


def test_what_moves_money_is_asked_about():
    async def approve(request: ApprovalRequest) -> Approval:
        return request.granted(by="rule")

    result = call_tool_sync("pay", {"amount": "5"}, tools=[pay], approver=approve, no_plugins=True)
    assert (result.content, PAID) == ("paid", ["5"])


def test_the_result_has_passed_the_guard():
    result = call_tool_sync("keyed", tools=[keyed], no_plugins=True)
    assert (result.content, dict(result.masked)) == ("card [REDACTED:card]", {"card": 1})


@pytest.mark.parametrize(("name", "arguments"), [("dubled", {}), ("doubled", {"number": object()})])
def test_a_wrong_name_and_arguments_that_are_no_json_are_errors(name: str, arguments: dict[str, object]):
    with pytest.raises(UsageError):
        call_tool_sync(name, arguments, tools=[doubled], no_plugins=True)


@pytest.mark.parametrize("timeout_s", [0, -1, float("inf"), float("nan")])
def test_a_time_limit_is_above_nothing(timeout_s: float):
    with pytest.raises(UsageError, match="timeout_s is a number of seconds above 0"):
        Agent(tools=[doubled], no_plugins=True).call_tool_sync("doubled", {"number": 1}, timeout_s=timeout_s)
