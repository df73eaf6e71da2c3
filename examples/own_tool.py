"""Let the model call a function of your own: its types and docstring describe it."""

import asyncio
from decimal import Decimal

from script import model

from finclaw_cli import Agent

HELD = {"ACME": Decimal(12), "GLOBEX": Decimal(3)}


def held_shares(symbol: str) -> dict[str, object]:
    """Count the shares of a company that are held.

    Args:
        symbol: the ticker, such as ACME.
    """
    return {"symbol": symbol, "shares": HELD.get(symbol, Decimal(0))}


async def main() -> None:
    script = model(
        {"tool_calls": [{"name": "held_shares", "input": {"symbol": "ACME"}}]},
        {"text": "You hold {{held_shares.shares}} shares of ACME."},
    )
    async with Agent(model=script, tools=[held_shares]) as agent:
        print((await agent.run("How many shares of ACME do I hold?")).text)


asyncio.run(main())
