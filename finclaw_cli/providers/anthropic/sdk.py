"""Anthropic's SDK as an HTTP client: its address, its credentials, its proxies and its errors, without its retries."""

from __future__ import annotations

from typing import cast

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http import httpx_settings
from finclaw_cli.http.client import COMMON_HEADERS, Client
from finclaw_cli.http.sse import HttpStream
from finclaw_cli.providers.anthropic.blocks import PROVIDER
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.failures import refused


def connect(config: ProviderConfig, key: str | None, root: str | None, path: str) -> Client:
    """Make the SDK's client; without a key it looks for credentials of its own, and they may name the address.

    Raises:
        ProviderError: it has no credentials either, or the environment's proxies or authorities cannot be used.
    """
    import httpx2
    from anthropic import APIStatusError, AsyncAnthropic, AsyncStream, DefaultAsyncHttpxClient

    http = httpx_settings.make(
        DefaultAsyncHttpxClient, provider=PROVIDER, url=root, connect_timeout_s=config.connect_timeout_s
    )
    try:
        client = AsyncAnthropic(
            api_key=key,
            base_url=root,
            http_client=http,
            timeout=http.timeout,
            max_retries=0,
            default_headers=dict(config.headers),
            open_telemetry=False,
        )
    except httpx2.InvalidURL:
        raise
    except Exception as error:  # what a profile of the SDK's may be is the SDK's affair
        raise _no_credentials(type(error).__name__) from error
    if not (client.api_key or client.auth_token or client.credentials):
        raise _no_credentials("there are none")

    async def post(content: bytes) -> HttpStream:
        try:
            response = await client.post(
                path,
                cast_to=httpx2.Response,
                content=content,
                options={"headers": COMMON_HEADERS, "follow_redirects": False},
                stream=True,
                stream_cls=AsyncStream[object],
            )
        except APIStatusError as error:
            refusal = error.response
            raise refused(PROVIDER, refusal.status_code, refusal.headers, refusal.text) from error
        # Asked to cast to it, the SDK returns the response itself, unread; its signature does not say so.
        return cast("HttpStream", response)

    return Client(post, client.close)


def _no_credentials(why: str) -> ProviderError:
    return ProviderError(
        f"anthropic: its SDK has no credentials that can be used ({why})",
        reason="auth",
        code="no_credentials",
        provider=PROVIDER,
        hint="set ANTHROPIC_API_KEY, or ANTHROPIC_AUTH_TOKEN, or log in as the SDK's documentation describes",
    )
