"""Print the answer as it comes, and each tool call when it begins."""

import asyncio

from finclaw_cli import Agent
from finclaw_cli.events import AgentDelta, AgentResult, AgentToolCall


async def main() -> None:
    async with Agent(model="demo") as agent:
        async for event in agent.stream("How did ACME do this year?"):
            match event:
                case AgentDelta(text=text):
                    print(text, end="", flush=True)
                case AgentToolCall(status="running", name=name):
                    print(f"\n[{name}]")
                case AgentResult(exit_code=code):
                    print(f"\nexit code {code}")
                case _:
                    pass


asyncio.run(main())
