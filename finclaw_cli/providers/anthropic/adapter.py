"""The door to Anthropic. Only here is its SDK imported, and only when a request is made.

The SDK lends its connection, its authentication and its error classes; the bytes are read by us.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from typing import cast

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import CredentialsError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.providers.anthropic.decode import PROVIDER, decode
from finclaw_cli.providers.anthropic.encode import encode
from finclaw_cli.providers.authorities import trusted
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.sse import HttpStream, opened
from finclaw_cli.providers.transport import RawEvent, Transport

BASE_URL = "https://api.anthropic.com"
_PATH = "/v1/messages"
# A server of one's own often wants no key, but the SDK always wants to send one.
_NO_KEY = "no-key"


def create(config: ProviderConfig) -> Provider:
    """Make the provider; nothing is imported or sent before its first request.

    Raises:
        CredentialsError: without a key, unless the server is another one than Anthropic's.
    """
    if not config.api_key and not config.base_url:
        raise CredentialsError(
            "there is no key for Anthropic", hint="set ANTHROPIC_API_KEY, or try `--model demo`, which needs none"
        )
    return AnthropicProvider(SdkTransport(config))


class AnthropicProvider:
    """Claude over the Messages API, or whatever a compatible server offers."""

    name = PROVIDER

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        async with (
            self._transport.open(encode(request)) as events,
            aclosing(decode(events, model=request.model)) as chunks,
        ):
            async for chunk in chunks:
                yield chunk

    async def aclose(self) -> None:
        await self._transport.aclose()


@dataclass(frozen=True, slots=True)
class _Client:
    """What we use of the SDK's client."""

    post: Callable[[bytes], Awaitable[HttpStream]]
    close: Callable[[], Awaitable[None]]


class SdkTransport:
    """Posts through the official SDK: its address, headers, proxies and error classes, without its retries."""

    def __init__(self, config: ProviderConfig) -> None:
        self._config = config
        self._client: _Client | None = None
        self._connecting = asyncio.Lock()

    def open(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[RawEvent]]:
        return opened(self._send(body), PROVIDER)

    async def aclose(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _send(self, body: JsonObject) -> HttpStream:
        content = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        async with self._connecting:
            if self._client is None:
                # Importing the SDK takes a second or two, in which the terminal and signals must not stand still.
                self._client = await asyncio.to_thread(_connect, self._config)
        return await self._client.post(content)


def _connect(config: ProviderConfig) -> _Client:
    import httpx2
    from anthropic import AsyncAnthropic, AsyncStream, DefaultAsyncHttpxClient

    base_url = _root(config.base_url)
    client = AsyncAnthropic(
        api_key=config.api_key or _NO_KEY,
        base_url=base_url,
        http_client=DefaultAsyncHttpxClient(verify=trusted(base_url)),
        # The engine's own clocks watch the stream; here only the connection is timed.
        timeout=httpx2.Timeout(None, connect=config.connect_timeout_s),
        max_retries=0,
        open_telemetry=False,
    )

    async def post(content: bytes) -> HttpStream:
        response = await client.post(
            _PATH,
            cast_to=httpx2.Response,
            content=content,
            # Without redirects: what is asked goes to the server that was named, and to no other.
            options={
                "headers": {"Accept": "text/event-stream", "Accept-Encoding": "identity"},
                "follow_redirects": False,
            },
            stream=True,
            stream_cls=AsyncStream[object],
        )
        # Asked to cast to it, the SDK returns the response itself, unread; its signature does not say so.
        return cast("HttpStream", response)

    return _Client(post, client.close)


def _root(base_url: str | None) -> str:
    """The address without the version, which the path brings: people give it either way."""
    return (base_url or BASE_URL).rstrip("/").removesuffix("/v1")
