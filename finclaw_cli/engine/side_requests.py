"""Requests that are no turns, whose replies are no part of the conversation: for a summary, for sources of figures."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.events.budget import SidePurpose
from finclaw_cli.core.ports import ModelRequest, SideReply
from finclaw_cli.core.usage import StopReason
from finclaw_cli.engine.assemble import Assembled, Assembler
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.spending import Expected, RequestPosition

# Half a sentence may be half a figure. A call of a tool is never run, so what is written beside it is whole.
_WHOLE: dict[SidePurpose, frozenset[StopReason]] = {
    "compaction": frozenset({"end_turn", "stop_sequence", "unknown"}),
    "numbers": frozenset({"end_turn", "stop_sequence", "unknown", "tool_use"}),
}


class SideRequests:
    """The requests of one purpose to one model, each one attempt; kept, counted and paid for like those of turns."""

    def __init__(
        self, connection: Connection, exchange: ModelRequestRunner, *, purpose: SidePurpose, within_s: float
    ) -> None:
        self._connection = connection
        self._exchange = exchange
        self._purpose: SidePurpose = purpose
        self._within_s = within_s
        self._calls = 0

    async def __call__(self, turn: int, request: ModelRequest, expected: Expected, deadline: float) -> str:
        """The text of the reply; `deadline` is a time of the event loop.

        Raises:
            ProviderError: there is none, or it is not whole.
            OverBudget: there is no money for it.
        """
        self._calls += 1
        log = self._exchange.log
        try:
            reply = await self._in_time(self._replied(turn, request, expected), deadline)
        except ProviderError as error:
            await log.add_reply(SideReply(error=error.message, reason=error.reason), self._purpose)
            raise
        except asyncio.CancelledError:
            await log.add_reply(SideReply(error="it was cut off"), self._purpose)
            raise
        await log.add_reply(SideReply(text=reply.message.text), self._purpose)
        return reply.message.text

    async def _in_time(self, work: Coroutine[Any, Any, Assembled], deadline: float) -> Assembled:
        try:
            async with asyncio.timeout_at(deadline):
                return await work
        except TimeoutError:
            raise ProviderError(f"it took longer than {self._within_s:g} s", reason="timeout") from None

    async def _replied(self, turn: int, request: ModelRequest, expected: Expected) -> Assembled:
        streamed = Assembler()

        async def take(chunk: StreamChunk) -> None:
            streamed.add(chunk)

        place = RequestPosition(turn=turn, attempt=self._calls, purpose=self._purpose)
        async with self._connection.gate:
            reply = await self._exchange(self._connection, request, place, expected, streamed=streamed, take=take)
        if reply.stop_reason not in _WHOLE[self._purpose]:
            raise ProviderError(f"{self._connection.ref} stopped with {reply.stop_reason!r}", reason="bad_request")
        return reply
