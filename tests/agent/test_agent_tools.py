"""Tools of the caller's own, and approvals by a function."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from finclaw_cli import Agent, Approval, ApprovalRequest
from finclaw_cli.sdk import ToolContext, tool
from tests.agent.scripts import Scripts

pytestmark = pytest.mark.asyncio
PAID: list[str] = []


def doubled(number: int) -> int:
    """Double a number.

    Args:
        number: what is doubled.
    """
    return 2 * number


@tool(transactional=True)
def pay(amount: str) -> str:
    """Pay."""
    PAID.append(amount)
    return "paid"


@pytest.fixture(autouse=True)
def unpaid() -> None:
    PAID.clear()


def paying(script: Scripts) -> str:
    return script({"tool_calls": [{"name": "pay", "input": {"amount": "5"}}]}, {"text": "{{pay}}"})


async def test_a_plain_function_is_a_tool(script: Scripts):
    model = script({"tool_calls": [{"name": "doubled", "input": {"number": 4}}]}, {"text": "It is {{doubled}}."})
    async with Agent(model=model, tools=[doubled], no_plugins=True) as agent:
        assert (await agent.run("x")).text == "It is 8."


async def test_the_input_of_a_function_is_checked(script: Scripts):
    model = script({"tool_calls": [{"name": "doubled", "input": {"number": "four"}}]}, {"text": "ok"})
    async with Agent(model=model, tools=[doubled], no_plugins=True) as agent:
        assert (await agent.run("x")).tool_calls == {"failed": 1}


async def test_a_function_sees_the_data_folder_of_its_agent(script: Scripts, tmp_path: object):
    seen: list[str] = []

    def look(ctx: ToolContext) -> str:
        """Look."""
        seen.append(str(ctx.home))
        return "ok"

    model = script({"tool_calls": [{"name": "look", "input": {}}]}, {"text": "ok"})
    async with Agent(model=model, tools=[look], home=f"{tmp_path}/other", no_plugins=True) as agent:
        await agent.run("x")
    assert seen == [f"{tmp_path}/other"]


async def test_a_tool_that_moves_money_is_denied_without_an_approver(script: Scripts):
    async with Agent(model=paying(script), tools=[pay], no_plugins=True) as agent:
        result = await agent.run("x")
    assert (result.denied, result.exit_code, PAID) == (("pay",), 8, [])


async def test_a_function_decides_on_a_call_and_sees_its_arguments(script: Scripts):
    asked: list[object] = []

    async def approve(request: ApprovalRequest) -> Approval:
        asked.append(request.call.input)
        return request.granted("me")

    async with Agent(model=paying(script), tools=[pay], approver=approve, no_plugins=True) as agent:
        result = await agent.run("x")
    assert (result.text, asked, PAID) == ("paid", [{"amount": "5"}], ["5"])


async def _refuse(request: ApprovalRequest) -> Approval:
    return request.denied("me", "too much")


async def _raise(request: ApprovalRequest) -> Approval:
    raise RuntimeError("broken")


async def _true(request: ApprovalRequest) -> Approval:
    return cast("Approval", True)


async def _of_another_call(request: ApprovalRequest) -> Approval:
    return Approval(granted=True, by="me", request_id="another")


async def _too_late(request: ApprovalRequest) -> Approval:
    await asyncio.sleep(600)
    return request.granted("me")


@pytest.mark.parametrize("approver", [_refuse, _raise, _true, _of_another_call, _too_late])
async def test_anything_but_a_consent_to_this_call_denies_it(
    script: Scripts, approver: Callable[[ApprovalRequest], Awaitable[Approval]]
):
    async with Agent(
        model=paying(script), tools=[pay], approver=approver, approval_timeout=0.2, no_plugins=True
    ) as agent:
        result = await agent.run("x")
    assert (result.denied, PAID) == (("pay",), [])
