"""Decide in code about calls that move money; without a decision they are denied."""

import asyncio
from decimal import Decimal

from script import model

from finclaw_cli import Agent, Approval, ApprovalRequest
from finclaw_cli.sdk import tool

MOST = Decimal(100)


@tool(transactional=True)
def pay(amount: Decimal, to: str) -> str:
    """Pay an amount in USD.

    Args:
        amount: in USD.
        to: who is paid.
    """
    return f"paid {amount} USD to {to}"


async def decide(request: ApprovalRequest) -> Approval:
    """Approve small payments."""
    amount = Decimal(str(request.call.input["amount"]))
    if amount <= MOST:
        return request.granted(by="limit of 100 USD")
    return request.denied(by="limit of 100 USD", reason="payments above 100 USD are made by hand")


async def main() -> None:
    script = model(
        {"tool_calls": [{"name": "pay", "input": {"amount": "40", "to": "Kim"}}]},
        {"tool_calls": [{"name": "pay", "input": {"amount": "400", "to": "Lee"}}]},
        {"text": "One of two payments was made."},
    )
    async with Agent(model=script, tools=[pay], approver=decide) as agent:
        result = await agent.run("Pay Kim 40 USD and Lee 400 USD.")
    print(result.text, result.tool_calls, f"denied: {', '.join(result.denied)}")


asyncio.run(main())
