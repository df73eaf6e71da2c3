"""Cancel a run: it ends in order, and its session records how."""

import asyncio

from script import model

from finclaw_cli import Agent


async def slow_report() -> str:
    """Make a report, which takes an hour."""
    await asyncio.sleep(3_600)
    return "done"


async def main() -> None:
    script = model({"tool_calls": [{"name": "slow_report", "input": {}}]}, {"text": "Here is the report."})
    async with Agent(model=script, tools=[slow_report], session="reports") as agent:
        try:
            async with asyncio.timeout(1):
                await agent.run("Make a report.")
        except TimeoutError:
            print("cancelled after a second; `finclaw sessions show reports` shows what was done")


asyncio.run(main())
