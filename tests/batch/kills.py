"""Batches whose process is killed again and again, with a tool whose effects are counted outside.

`python -m tests.batch.kills ITEMS KILLS` makes a long trial, and prints what it came to.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import BatchStatus
from finclaw_cli.core.ports import Approval, ApprovalRequest
from finclaw_cli.core.record import record
from finclaw_cli.sdk import ToolContext, tool
from tests.batch.model_server import ModelServer

CONCURRENCY = 8


@tool(transactional=True)
def pay(order: str, ctx: ToolContext) -> str:
    """Pay."""
    fd = os.open(Path(ctx.home) / "paid", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(fd, f"{order}\n".encode())  # one write, which survives the process
    os.close(fd)
    return f"paid {order}"


async def approve(request: ApprovalRequest) -> Approval:
    return request.granted("test")


def paying_batch(items: int, url: str, home: Path) -> Batch:
    """A batch of which each item pays once."""
    options = AgentOptions(
        model="openai-chat:m",
        base_url=url,
        keys={"OPENAI_API_KEY": "k"},
        tools=[pay],
        approver=approve,
        no_plugins=True,
        home=home,
        models={"openai-chat:m": {"input_usd": "1", "output_usd": "1"}},
        max_cost="1000",
    )
    return Batch([f"pay {number}" for number in range(items)], concurrency=CONCURRENCY, **options)


@record(kw_only=True)
class Ended:
    """What a trial came to."""

    status: BatchStatus
    paid: Counter[str]
    """How often each order was paid."""
    kills: int
    """How many processes were killed before they had ended."""

    @property
    def doubles(self) -> int:
        """How many orders were paid more than once."""
        return sum(count > 1 for count in self.paid.values())

    @property
    def lost(self) -> int:
        """How many items ended well without having paid, or ended as something other than ok or unknown."""
        states = self.status.states
        return self.status.items - states["ok"] - states["unknown"] + max(0, states["ok"] - len(self.paid))


async def trial(home: Path, items: int, kills: int) -> Ended:
    """Kill the process `kills` times, each after its share of the items, and let the last one end."""
    async with ModelServer() as server:
        killed = 0
        for number in range(1, kills + 1):
            share = 2 * items * number // (kills + 1)  # each item takes two requests
            killed += await _killed_after(server, share, items, home)
        async with paying_batch(items, server.url, home) as batch:
            status = await batch.run()
    paid = Counter((home / "paid").read_text().splitlines())
    return Ended(status=status, paid=paid, kills=killed)


async def _killed_after(server: ModelServer, requests: int, items: int, home: Path) -> bool:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.batch.kills", str(items), server.url, str(home)
    )
    ending = asyncio.create_task(process.wait())
    while server.asked.total() < requests and not ending.done():
        server.arrived.clear()
        arriving = asyncio.create_task(server.arrived.wait())
        await asyncio.wait([arriving, ending], return_when=asyncio.FIRST_COMPLETED)
        arriving.cancel()
    is_killed = not ending.done()
    if is_killed:
        process.kill()
    await ending
    return is_killed


def main() -> None:
    items = int(sys.argv[1])
    if len(sys.argv) > 3:
        paying_batch(items, sys.argv[2], Path(sys.argv[3])).run_sync()
        return
    with tempfile.TemporaryDirectory() as home:
        ended = asyncio.run(trial(Path(home), items, int(sys.argv[2])))
    states = {state: count for state, count in ended.status.states.items() if count}
    print(f"{ended.kills} kills, {ended.doubles} doubles, {ended.lost} lost, {states}")


if __name__ == "__main__":
    main()
