"""The channel of an agent's runs, which rules of the policy name, and the tools that they begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli import Agent, call_tool_sync
from finclaw_cli.errors import UsageError
from tests.agent.scripts import Scripts

RULE = '[[rule]]\nscope = "channel"\nsubject = "mcp"\nverdict = "deny"\nreason = "not from there"\n'


def doubled(number: int) -> int:
    """Double a number."""
    return 2 * number


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    (folder / "policy.toml").write_text(RULE)
    return folder


@pytest.mark.parametrize(("channel", "calls"), [("mcp", {"denied": 1}), ("serve", {"completed": 1})])
async def test_a_rule_of_a_channel_is_for_its_runs(script: Scripts, home: Path, channel: str, calls: dict[str, int]):
    model = script({"tool_calls": [{"name": "doubled", "input": {"number": 4}}]}, {"text": "done"})
    async with Agent(model=model, tools=[doubled], no_plugins=True, home=home, channel=channel) as agent:
        assert (await agent.run("x")).tool_calls == calls


def test_a_rule_of_a_channel_is_for_its_single_calls(home: Path):
    call = call_tool_sync("doubled", {"number": 4}, tools=[doubled], no_plugins=True, home=home, channel="mcp")
    assert (call.status, "not from there" in call.content) == ("denied", True)


async def test_a_channel_that_there_is_not_is_refused(script: Scripts):
    with pytest.raises(UsageError, match="there is no channel 'telex'"):
        await Agent(model=script({"text": "x"}), no_plugins=True, channel="telex").run("x")


async def test_the_tools_that_runs_begin_with_are_known_before(script: Scripts):
    async with Agent(model=script({"text": "x"}), tools=[doubled], no_plugins=True) as agent:
        assert [tool.name for tool in await agent.offered_tools()] == ["doubled"]
