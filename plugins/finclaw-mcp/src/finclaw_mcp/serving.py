"""What `finclaw mcp serve` offers, from its options on, and the server at stdin and stdout."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from finclaw_cli import Agent
from finclaw_cli.sdk import ToolDefinition
from finclaw_mcp.client_calls import ClientCalls
from finclaw_mcp.offering import chosen
from finclaw_mcp.requested_call import MODEL
from finclaw_mcp.server import Tools
from finclaw_mcp.server_streams import standard_streams

CHANNEL = "mcp"
DEFAULT = "finance:*"
MAX_RESULT_CHARS = 100_000
END_S = 2.0
"""How long the ends of calls are waited for when the client has left."""


@dataclass(frozen=True)
class Serving:
    """The options of the command line."""

    tools: Sequence[str] = ()
    approve: Sequence[str] = ()


@asynccontextmanager
async def offered(wanted: Serving) -> AsyncIterator[Tools]:
    """The tools to offer, and what makes their calls; on leaving, all calls are ended.

    Raises:
        UsageError: a tool is not there, or a setting has a wrong value.
        ToolError: there is no tool to offer.
    """
    calls = ClientCalls()
    found = agent_of(calls, wanted, list(wanted.tools) or [DEFAULT])
    specs = await found.offered_tools()
    names = chosen(specs, wanted.tools)
    agent = found if len(names) == len(specs) else agent_of(calls, wanted, names)
    try:
        yield Tools(agent, await agent.offered_tools(), calls)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(calls.aclose(), END_S)
        await agent.aclose()
        if found is not agent:
            await found.aclose()


def agent_of(calls: ClientCalls, wanted: Serving, tools: Sequence[str | ToolDefinition]) -> Agent:
    """An agent with the user's settings, whose model is the client."""
    return Agent.from_settings(
        model=MODEL, fallback=[], tools=tools, channel=CHANNEL, approver=calls.ask, prompt_mode="none",
        verify_numbers="off", lane_unnamed=False, save=True, max_result_chars=MAX_RESULT_CHARS, retry_attempts=1,
        approve=list(wanted.approve) or None,
    )  # fmt: skip


async def serve_stdio(wanted: Serving, writing: int) -> None:
    """Serve the client at stdin, until it leaves."""
    async with offered(wanted) as tools, standard_streams(writing) as (incoming, outgoing):
        server = tools.server()
        await server.run(incoming, outgoing, server.create_initialization_options())
