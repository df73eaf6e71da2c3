"""A plugin whose trust is revoked while a process with an agent goes on: its tools run no more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from finclaw_cli import Agent
from finclaw_cli.core.events.agent import AgentToolCall, Event
from finclaw_cli.core.events.internal import ToolUnregister
from tests.agent.scripts import Scripts
from tests.e2e.harness import Finclaw, install_module

ONLY = {"FINCLAW_PLUGINS": "acme-quotes"}
SOURCE = """
from finclaw_cli.sdk import ToolDefinition, hookimpl

async def quote(arguments, context):
    return "42.10"

@hookimpl
def finclaw_tools():
    schema = {"type": "object"}
    return [ToolDefinition(name="quote", description="A quote.", input_schema=schema, group="finance", read_only=True, handler=quote)]
"""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Finclaw:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    install_module(plugins, "acme-quotes", SOURCE)
    command = Finclaw(tmp_path / "home", plugins, tmp_path)
    assert command("plugins", "trust", "acme-quotes", env=ONLY).code == 0
    monkeypatch.syspath_prepend(plugins)
    return command


@pytest.fixture
async def agent(command: Finclaw, script: Scripts) -> AsyncIterator[Agent]:
    model = script({"tool_calls": [{"name": "quote", "input": {}}]}, {"text": "ok"})
    async with Agent(
        model=model, plugins={"only": ["acme-quotes"]}, home=command.home, approve=["quote"], tools=["quote"]
    ) as agent:
        yield agent


async def events_of(agent: Agent) -> list[Event]:
    return [event async for event in agent.stream("How much?", events="all")]


def end(events: list[Event]) -> AgentToolCall:
    return next(event for event in events if isinstance(event, AgentToolCall) and event.result is not None)


async def test_its_tools_run_no_more_and_the_events_have_the_reason(agent: Agent, command: Finclaw) -> None:
    assert end(await events_of(agent)).status == "completed"
    assert command("plugins", "revoke", "acme-quotes", env=ONLY).code == 0
    events = await events_of(agent)
    (gone,) = [event for event in events if isinstance(event, ToolUnregister)]
    assert (gone.name, gone.reason) == ("quote", "acme-quotes is no longer trusted")
    assert (end(events).status, end(events).result) == (
        "failed",
        'Tool "quote" is unavailable: acme-quotes is no longer trusted',
    )
