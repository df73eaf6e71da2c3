"""A thousand conversations in one event loop."""

from __future__ import annotations

import asyncio

from finclaw_cli.agent import Agent
from tests.agent.scripts import Scripts


async def test_a_thousand_conversations_run_side_by_side(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True) as agent:

        async def ask(number: int) -> str:
            async with await agent.conversation() as conversation:
                return (await conversation.run(f"Question {number}")).messages[0].text

        answered = [asyncio.create_task(ask(number)) for number in range(1_000)]
        assert [await each for each in answered] == [f"Question {number}" for number in range(1_000)]
