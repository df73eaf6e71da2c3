"""Lanes of agents in one process: the runs of one agent share them, whatever object makes them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from finclaw_cli import Agent, RunResult
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.internal import ExecutionLane
from tests.agent.scripts import Scripts

RUNS = 100


async def lane_steps(agent: Agent, steps: list[str]) -> None:
    conversation = await agent.conversation()
    async with conversation:
        async for event in conversation.stream("x", events="all"):
            add_step(event, steps)


def add_step(event: Event, steps: list[str]) -> None:
    if isinstance(event, ExecutionLane) and event.step != "queued":
        steps.append(event.step)


async def test_a_hundred_runs_in_one_loop_are_under_way_one_at_a_time(script: Scripts, tmp_path: Path) -> None:
    steps: list[str] = []
    model = script({"text": "ok"})
    agent = Agent(model=model, agent="A", home=tmp_path, tools=["none"], no_plugins=True, save=False)
    async with agent, asyncio.TaskGroup() as group:
        for _ in range(RUNS):
            group.create_task(lane_steps(agent, steps))
    assert steps == ["acquired", "released"] * RUNS


async def test_two_agents_of_one_name_and_one_data_folder_share_a_lane(script: Scripts, tmp_path: Path) -> None:
    entered, goes_on = asyncio.Event(), asyncio.Event()

    async def held() -> str:
        """Hold the run."""
        entered.set()
        await goes_on.wait()
        return "ok"

    call = {"tool_calls": [{"name": "held", "input": {}}]}
    first = Agent(model=script(call, {"text": "ok"}), agent="A", home=tmp_path, tools=[held], no_plugins=True)
    second = Agent(model=script({"text": "ok"}), agent="A", home=tmp_path, lane_wait=0.01, no_plugins=True)
    async with first, second:
        running = asyncio.create_task(first.run("x"))
        await entered.wait()
        refused: RunResult = await second.run("x")
        goes_on.set()
        assert (await running).exit_code == 0
    assert (refused.exit_code, refused.error and refused.error.code) == (11, "lane_timeout")
