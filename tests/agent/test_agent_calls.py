"""The calls of an agent: listed, found and cancelled by their ids; the run interrupted."""

from __future__ import annotations

import asyncio

import pytest

from finclaw_cli import Agent, Approval, ApprovalRequest
from finclaw_cli.sdk import tool
from tests.agent.scripts import Scripts

pytestmark = pytest.mark.asyncio
BOTH = {"tool_calls": [{"name": "wait", "input": {}}, {"name": "quick", "input": {}}]}


async def wait() -> str:
    """Wait."""
    await asyncio.Event().wait()
    return "never"


@tool(transactional=True)
async def pay() -> str:
    """Pay, without an end."""
    await asyncio.Event().wait()
    return "never"


async def grant(request: ApprovalRequest) -> Approval:
    return request.granted(by="test")


def quick() -> str:
    """Be quick."""
    return "done"


async def test_a_running_call_is_cancelled_by_its_id_and_its_sibling_goes_on(script: Scripts):
    async with Agent(model=script(BOTH, {"text": "{{quick}}"}), tools=[wait, quick], no_plugins=True) as agent:
        assert agent.calls == ()
        assert not agent.cancel_call("call")
        async for event in agent.stream("x"):
            if event.type == "agent.tool_call" and (event.name, event.status) == ("quick", "completed"):
                waiting = next(call for call in agent.calls if call.tool == "wait")
                assert agent.cancel_call(waiting.id)
                assert not agent.cancel_call("another")
            if event.type == "agent.result":
                assert (event.text, event.tool_calls) == ("done", {"completed": 1, "cancelled": 1})
        assert {call.tool: (call.state, call.outcome) for call in agent.calls} == {
            "wait": ("cancelled", "cancelled"),
            "quick": ("completed", "completed"),
        }


async def test_an_interrupt_ends_the_run_and_the_next_one_answers(script: Scripts):
    model = script({"tool_calls": [{"name": "wait", "input": {}}]}, {"text": "next"})
    async with Agent(model=model, tools=[wait], no_plugins=True) as agent, await agent.conversation() as talk:
        async for event in talk.stream("x"):
            if event.type == "agent.tool_call" and event.status == "running":
                assert (found := talk.call(event.call_id)) is not None
                assert found.tool == "wait"
                talk.interrupt()
            if event.type == "agent.result":
                assert event.status == "aborted"
        talk.remove_tools("wait")
        assert (await talk.run("y")).text == "next"


async def test_what_a_payment_has_done_that_is_cancelled_while_it_runs_is_unknown(script: Scripts):
    model = script({"tool_calls": [{"name": "pay", "input": {}}]}, {"text": "Paid?"})
    async with Agent(model=model, tools=[pay], approver=grant, no_plugins=True) as agent:
        async for event in agent.stream("x"):
            if event.type == "agent.tool_call" and event.status == "running":
                asyncio.get_running_loop().call_soon(agent.cancel_call, event.call_id)
            if event.type == "agent.result":
                assert (event.unknown, event.tool_calls, event.exit_code) == (("pay",), {"unknown": 1}, 8)


async def test_an_approval_after_the_interrupt_of_its_run_pays_nothing(script: Scripts):
    asked, answered, paid = asyncio.Event(), asyncio.Event(), []

    async def decide(request: ApprovalRequest) -> Approval:
        asked.set()
        await answered.wait()
        return request.granted(by="test")

    @tool(transactional=True)
    async def pay_now() -> str:
        """Pay."""
        paid.append("paid")
        return "paid"

    model = script({"tool_calls": [{"name": "pay_now", "input": {}}]})
    agent = Agent(model=model, tools=[pay_now], approver=decide, no_plugins=True)
    async with agent, await agent.conversation() as talk:
        running = asyncio.create_task(talk.run("x"))
        await asked.wait()
        talk.interrupt()
        answered.set()
        result = await running
    assert (result.status, result.tool_calls, paid) == ("aborted", {"cancelled": 1}, [])
