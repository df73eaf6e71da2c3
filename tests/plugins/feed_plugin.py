"""A plugin for tests with a toolset: prices of a server that has to be started."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, ToolSet, hookimpl, tool

Path(__file__).with_suffix(".imported").touch()


class Feed:
    """What it does is one word a line in the file `feed.log` of the data folder."""

    name = "feed"

    def __init__(self) -> None:
        self._is_subscribed = False
        self._starts = 0
        self._mode: object = None

    def known(self) -> list[object]:
        if self._starts and self._mode == "known-blocks":
            time.sleep(1000)
        if self._is_subscribed and self._mode == "known-fails":
            raise RuntimeError("the market's list is gone")
        added = [self.depth] if self._is_subscribed else []
        return [self.price, self.subscribe, *added, *([5] if self._is_subscribed and self._mode == "odd" else [])]

    async def start(self, context: ToolContext) -> None:
        self._log = context.home / "feed.log"
        self._note("start")
        self._mode = context.settings.get("mode")
        self._starts += 1
        self._tasks = asyncio.TaskGroup()  # which the task that has entered it has to leave
        await self._tasks.__aenter__()
        self._server = await asyncio.create_subprocess_exec("sleep", "1000")
        self._note(f"pid={self._server.pid}")
        if self._mode == "fails" and self._starts == 1:
            raise ToolError("the market is closed")
        if self._mode == "hangs":
            await asyncio.Event().wait()
        if self._mode == "start-blocks":
            time.sleep(1000)  # noqa: ASYNC251 - what it must not do
        if self._mode == "slow":
            await asyncio.sleep(0.7)

    async def stop(self) -> None:
        if self._mode == "never-stops":
            self._note("stop")
            await asyncio.Event().wait()
        self._server.kill()
        await self._server.wait()
        await self._tasks.__aexit__(None, None, None)
        self._note("stop")

    @tool(group="finance", read_only=True)
    async def price(self, symbol: str) -> str:
        """Read a price."""
        self._note("price")
        return f"{symbol} costs 12 USD"

    @tool(group="finance")
    async def subscribe(self) -> str:
        """Subscribe to the order book."""
        self._note("subscribe")
        self._is_subscribed = True
        return "subscribed"

    @tool(group="finance", read_only=True)
    async def depth(self) -> str:
        """Read the order book."""
        self._note("depth")
        return "3 bids"

    def _note(self, word: str) -> None:
        with self._log.open("a") as log:
            log.write(f"{word}\n")


@hookimpl
def finclaw_toolsets() -> list[ToolSet]:
    return [Feed()]
