"""A transport over HTTP: one request, one streamed answer, by whichever client was chosen for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.providers.sse import HttpStream, opened
from finclaw_cli.providers.transport import RawEvent

# A compressing gateway would hold small deltas back until its window is full.
COMMON_HEADERS = {
    "Accept": "text/event-stream",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
}


@record
class Client:
    """What is used of an HTTP client: it posts a JSON body to the one address that it was made for."""

    post: Callable[[bytes], Awaitable[HttpStream]]
    """Gives the answer unread; whatever is no success is raised."""
    close: Callable[[], Awaitable[None]]


class HttpTransport:
    """Posts through a client that is made at the first request."""

    def __init__(self, provider: str, connect: Callable[[], Client]) -> None:
        self._provider = provider
        self._connect = connect
        self._client: Client | None = None
        self._connecting = asyncio.Lock()

    def open(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[RawEvent]]:
        """Post one request and read its events."""
        return opened(self._post(body), self._provider)

    async def aclose(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _post(self, body: JsonObject) -> HttpStream:
        content = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        async with self._connecting:
            if self._client is None:
                # Its import takes up to two seconds, in which the terminal and signals must not stand still.
                self._client = await asyncio.to_thread(self._connect)
        return await self._client.post(content)
