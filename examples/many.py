"""A thousand runs in one event loop, fifty at a time."""

import asyncio

from script import model

from finclaw_cli import Agent

AT_ONCE = 50


async def main() -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async with Agent(model=model({"text": "Nothing to report."}), save=False) as agent:

        async def ask(number: int) -> int:
            async with places, await agent.conversation() as conversation:
                return (await conversation.run(f"Report on company {number}.")).exit_code

        async with asyncio.TaskGroup() as group:
            runs = [group.create_task(ask(number)) for number in range(1_000)]
    print(f"{sum(run.result() == 0 for run in runs)} of {len(runs)} runs were answered")


asyncio.run(main())
