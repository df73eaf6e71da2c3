"""A transport over HTTP: one request, one streamed answer, by whichever client was chosen for it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import field
from typing import TypeVar

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.http.sse import HttpStream, opened
from finclaw_cli.http.transport import OnAnswer, RawEvent

# A compressing gateway would hold small deltas back until its window is full.
COMMON_HEADERS = {
    "Accept": "text/event-stream",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
}


T = TypeVar("T")


Refused = Callable[[str, int, Mapping[str, str], str], ProviderError]
"""Takes the provider, the status, the headers and the text of a refusal."""


@record(kw_only=True)
class Target:
    """Where requests go, and what stands over each of them. The headers hold the key, and never show in a `repr`."""

    provider: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    connect_timeout_s: float
    refused: Refused
    """Names a refusal."""


@record
class Client:
    """What is used of an HTTP client: it posts a JSON body to the one address that it was made for."""

    post: Callable[[bytes], Awaitable[HttpStream]]
    """Gives the answer unread; whatever is no success is raised."""
    close: Callable[[], Awaitable[None]]


class HttpTransport:
    """Posts through a client that is made before it is needed, or else at the first request."""

    def __init__(self, provider: str, connect: Callable[[], Client], on_answer: OnAnswer) -> None:
        self._provider = provider
        self._connect = connect
        self._on_answer = on_answer
        self._making: Future[Client] | None = None

    def prepare(self) -> None:
        """Begin to connect; the first request reports a failure."""
        self._made()

    async def ready(self) -> None:
        """Wait until a request can be sent, or it is known that none can."""
        with suppress(Exception):  # the request reports it
            await asyncio.wrap_future(self._made())

    def open(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[RawEvent]]:
        """Post one request and read its events."""
        return opened(self._post(body), self._provider)

    async def aclose(self) -> None:
        making, self._making = self._making, None
        if making is None:
            return
        if making.done():
            if making.exception() is None:
                await making.result().close()
        else:
            making.add_done_callback(_close)

    async def _post(self, body: JsonObject) -> HttpStream:
        content = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        making = self._made()
        try:
            client = await asyncio.wrap_future(making)
        except Exception:
            if self._making is making:
                self._making = None  # another attempt may have more luck
            raise
        sent_at = time.monotonic()
        answer = await client.post(content)
        self._on_answer(str(body.get("model", "")), answer.headers, time.monotonic() - sent_at)
        return answer

    def _made(self) -> Future[Client]:
        if self._making is None:
            # The import of an SDK takes up to two seconds, in which the terminal and signals must not stand still.
            self._making = in_thread(self._connect)
        return self._making


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Run it in a daemon thread, which cannot be cancelled."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name="finclaw-connecting", daemon=True).start()
    return future


def _close(made: Future[Client]) -> None:
    """Close the connection in the thread that made it, as it is no longer wanted."""
    if made.exception() is None:
        asyncio.run(_closed(made.result()))


async def _closed(client: Client) -> None:
    await client.close()
