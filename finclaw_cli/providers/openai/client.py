"""OpenAI's SDK as a transport: its connections, its authentication, its errors; the bytes are read by us.

The SDK is imported at the first request, in a thread: it takes a second, in which a signal must still be heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from urllib.parse import urlsplit

from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.providers.authorities import trusted
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.sse import HttpStream, opened
from finclaw_cli.providers.transport import RawEvent

OPENAI_URL = "https://api.openai.com/v1"
# Servers of one's own ask for no key, but the SDK does.
_NO_KEY = "no-key"
_ENDPOINTS = ("/chat/completions", "/responses")


def address(config: ProviderConfig) -> str:
    """Where the API stands: OpenAI's own address, or the given one, in the form that the SDK wants.

    Raises:
        UsageError: when it is no address at all.
    """
    if config.base_url is None:
        return OPENAI_URL
    url = config.base_url.strip().rstrip("/")
    for endpoint in _ENDPOINTS:
        url = url.removesuffix(endpoint)
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(
            f"not an address: {config.base_url!r}", hint="write it in full, as in http://localhost:11434/v1"
        )
    return url if parts.path else f"{url}/v1"


def require_key(config: ProviderConfig) -> None:
    """A server of one's own may need no key; OpenAI does.

    Raises:
        CredentialsError: when there is none.
    """
    if config.api_key is None and config.base_url is None:
        raise CredentialsError(
            "no key for OpenAI", hint="set OPENAI_API_KEY, or name a server of your own with --base-url"
        )


@dataclass(frozen=True, slots=True)
class _Sdk:
    """What is used of the SDK's client."""

    post: Callable[[str, JsonObject], Awaitable[HttpStream]]
    close: Callable[[], Awaitable[None]]


class OpenAITransport:
    """Posts to one endpoint through the official client, without its retries and its clocks."""

    def __init__(self, config: ProviderConfig, *, provider: str, endpoint: str) -> None:
        require_key(config)
        self._config = config
        self._address = address(config)
        self._provider = provider
        self._endpoint = endpoint
        self._sdk: _Sdk | None = None
        self._connecting = asyncio.Lock()

    def open(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[RawEvent]]:
        """Post one request and read its events."""
        return opened(self._post(body), self._provider)

    async def aclose(self) -> None:
        if self._sdk is not None:
            await self._sdk.close()

    async def _post(self, body: JsonObject) -> HttpStream:
        async with self._connecting:
            if self._sdk is None:
                self._sdk = await asyncio.to_thread(_connect, self._config, self._address)
        return await self._sdk.post(self._endpoint, body)


def _connect(config: ProviderConfig, base_url: str) -> _Sdk:
    import httpx2
    import openai

    key = config.api_key or _NO_KEY
    client = openai.AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        http_client=openai.DefaultAsyncHttpxClient(verify=trusted(base_url)),
        max_retries=0,
        timeout=httpx2.Timeout(None, connect=config.connect_timeout_s),
        # Said once more, because OPENAI_CUSTOM_HEADERS would win over `api_key`.
        default_headers={"Authorization": f"Bearer {key}"},
    )
    # The SDK takes these from the environment; they are nobody's business but OpenAI's, and were not asked for.
    client.organization = client.project = None

    async def post(endpoint: str, body: JsonObject) -> HttpStream:
        # What the SDK's own `with_streaming_response` does: give the response as it is, unread.
        headers = {"X-Stainless-Raw-Response": "stream", "Accept": "text/event-stream"}
        return await client.post(
            endpoint,
            cast_to=httpx2.Response,
            body=body,
            # Without redirects: what is asked goes to the server that was named, and to no other.
            options={"headers": headers, "follow_redirects": False},
        )

    return _Sdk(post, client.close)
