"""Tools that a program adds and removes between turns: the next request offers what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from finclaw_cli import Agent
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import AgentStart, AgentToolCall, AgentTools, Event
from finclaw_cli.sdk import tool
from tests.agent.scripts import Scripts
from tests.e2e.dialects import Anthropic
from tests.e2e.harness import Finclaw
from tests.wire.server import threaded


def rate() -> str:
    """Give the rate."""
    return "4 %"


def other_rate() -> str:
    """Give another rate."""
    return "5 %"


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "input": given}]}


async def events_of(agent: Agent, prompt: str = "x") -> list[Event]:
    return [event async for event in agent.stream(prompt)]


def ends(events: list[Event]) -> list[tuple[str, str | None]]:
    calls = (event for event in events if isinstance(event, AgentToolCall) and event.result is not None)
    return [(event.status, event.result) for event in calls]


def offered(events: list[Event]) -> list[list[str]]:
    """The names of the tools at the start, and after each change."""
    return [[each.name for each in event.tools] for event in events if isinstance(event, AgentStart | AgentTools)]


@pytest.fixture
def command(tmp_path: Path) -> Finclaw:
    (tmp_path / "none").mkdir()
    return Finclaw(tmp_path / "home", tmp_path / "none", tmp_path, variables={"FINCLAW_PLUGINS": "none"})


async def test_a_tool_that_is_added_is_offered_by_the_next_run(script: Scripts, command: Finclaw):
    model = script(call("rate"), {"text": "{{rate}}"})
    async with Agent(model=model, no_plugins=True, tools=[], session="talk", home=command.home) as agent:
        assert ends(await events_of(agent)) == [("failed", "Unknown tool: rate.")]
        await agent.add_tools(rate)
        events = await events_of(agent)
    assert (offered(events), ends(events)) == ([["rate"]], [("completed", "4 %")])
    again = command("replay", "--verify", "talk")
    assert again.code == 0, again.text + again.stderr


async def test_a_tool_that_is_added_before_the_first_run_is_offered_by_it(script: Scripts):
    async with Agent(model=script(call("rate"), {"text": "ok"}), no_plugins=True) as agent:
        await agent.add_tools(rate)
        events = await events_of(agent)
    assert ends(events) == [("completed", "4 %")]


async def test_a_tool_that_is_added_during_a_run_is_offered_by_its_next_request(script: Scripts, command: Finclaw):
    async def enable() -> str:
        """Make the rate available."""
        await agent.add_tools(rate)
        return "enabled"

    model = script(call("enable"), call("rate"), {"text": "{{rate}}"})
    async with Agent(model=model, no_plugins=True, tools=[enable], session="talk", home=command.home) as agent:
        events = await events_of(agent)
    assert offered(events) == [["enable"], ["enable", "rate"]]
    assert ends(events) == [("completed", "enabled"), ("completed", "4 %")]
    again = command("replay", "--verify", "talk")
    assert again.code == 0, again.text + again.stderr


async def test_a_tool_that_is_removed_is_unknown_from_the_next_turn_on(script: Scripts, command: Finclaw):
    async def disable() -> str:
        """Make the rate unavailable."""
        await agent.remove_tools("rate")
        return "disabled"

    model = script(call("rate"), call("disable"), call("rate"), {"text": "ok"})
    async with Agent(model=model, no_plugins=True, tools=[rate, disable], session="talk", home=command.home) as agent:
        events = await events_of(agent)
    assert offered(events) == [["disable", "rate"], ["disable"]]
    assert ends(events)[0] == ("completed", "4 %")
    assert ends(events)[2][1] == "Unknown tool: rate."
    again = command("replay", "--verify", "talk")
    assert again.code == 0, again.text + again.stderr


async def test_a_tool_takes_the_place_of_an_earlier_one_of_its_name(script: Scripts):
    model = script(call("rate"), {"text": "ok"})
    async with Agent(model=model, no_plugins=True, tools=[rate]) as agent:
        first = await events_of(agent)
        await agent.add_tools(tool(name="rate")(other_rate))
        second = await events_of(agent)
    assert (ends(first), ends(second)) == ([("completed", "4 %")], [("completed", "5 %")])


async def test_a_tool_that_needs_an_approval_does_not_get_it_by_being_added(script: Scripts):
    @tool(transactional=True)
    def pay() -> str:
        """Pay."""
        raise AssertionError("it ran")

    async with Agent(model=script(call("pay"), {"text": "ok"}), no_plugins=True) as agent:
        await agent.add_tools(pay)
        assert [status for status, _ in ends(await events_of(agent))] == ["denied"]


async def test_a_name_that_was_approved_for_a_removed_tool_is_approved_no_more(script: Scripts):
    @tool(name="rate", requires_approval=True)
    def asking() -> str:
        """Give the rate, if the user agrees."""
        raise AssertionError("it ran")

    async with Agent(model=script(call("rate"), {"text": "ok"}), no_plugins=True, tools=[rate]) as agent:
        await agent.add_tools(asking)
        assert [status for status, _ in ends(await events_of(agent))] == ["denied"]


async def test_names_of_tools_cannot_be_added(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True) as agent:
        with pytest.raises(UsageError, match="add_tools takes functions, not names: 'price'"):
            await agent.add_tools("price")  # type: ignore[arg-type]


async def test_only_tools_of_the_caller_can_be_removed(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True, tools=[rate]) as agent:
        with pytest.raises(UsageError, match="'load_skill' is no tool of the caller; these are: rate"):
            await agent.remove_tools("load_skill")


async def test_the_next_request_declares_what_is_there(tmp_path: Path):
    dialect = Anthropic()
    with threaded(dialect.text("Hi."), dialect.text("Hi.")) as server:
        async with Agent(
            model=dialect.model, base_url=server.url, keys={dialect.key: "sk-ant-0123456789"}, no_plugins=True
        ) as agent:
            await agent.run("x")
            await agent.add_tools(rate)
            await agent.run("y")
        first, second = server.bodies
    assert [each["name"] for each in first.get("tools", [])] == []
    assert [each["name"] for each in second["tools"]] == ["rate"]
    assert "rate" in str(second["system"])


async def test_a_tool_of_the_caller_that_is_called_again_and_again_is_not_approved_for_that(script: Scripts):
    async with Agent(model=script(*[call("rate")] * 7, {"text": "ok"}), no_plugins=True, tools=[rate]) as agent:
        statuses = [status for status, _ in ends(await events_of(agent))]
    assert (statuses[0], statuses[-1]) == ("completed", "denied")
