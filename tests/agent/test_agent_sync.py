"""`run_sync`: an agent where no event loop runs."""

from __future__ import annotations

import asyncio

import pytest

from finclaw_cli import Agent
from finclaw_cli.errors import UsageError
from tests.agent.scripts import Scripts


def test_each_prompt_is_a_conversation_of_its_own(script: Scripts):
    agent = Agent(model=script({"text": "Hi."}), no_plugins=True)
    first, second = agent.run_sync("a"), agent.run_sync("b")
    assert [message.text for message in second.messages] == ["b", "Hi."]
    assert first.session_id != second.session_id


def test_an_agent_that_was_left_open_in_another_event_loop_is_refused(script: Scripts):
    agent = Agent(model=script({"text": "Hi."}), no_plugins=True)
    asyncio.run(agent.run("a"))
    with pytest.raises(UsageError, match="another event loop"):
        asyncio.run(agent.run("b"))
