"""OpenAI's SDK as an HTTP client: its connections, its authentication, its errors; the bytes are read by us."""

from __future__ import annotations

from finclaw_cli.http import httpx_settings
from finclaw_cli.http.client import COMMON_HEADERS, Client
from finclaw_cli.http.sse import HttpStream
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.failures import refused


def connect(config: ProviderConfig, provider: str, key: str, root: str, path: str) -> Client:
    """Make the SDK's client, with our key and nothing else of the environment.

    Raises:
        ProviderError: the environment's proxies or authorities cannot be used.
    """
    import httpx2
    import openai

    http = httpx_settings.make(
        openai.DefaultAsyncHttpxClient, provider=provider, url=root, connect_timeout_s=config.connect_timeout_s
    )
    client = openai.AsyncOpenAI(
        api_key=key,
        base_url=root,
        http_client=http,
        max_retries=0,
        timeout=http.timeout,
        # Given once more, because OPENAI_CUSTOM_HEADERS would win over `api_key`.
        default_headers={"Authorization": f"Bearer {key}", **config.headers},
    )
    # The SDK takes these from the environment; they are meant for OpenAI alone, and were not asked for.
    client.organization = client.project = None

    async def post(content: bytes) -> HttpStream:
        # What the SDK's own `with_streaming_response` does: give the response as it is, unread.
        headers = {**COMMON_HEADERS, "X-Stainless-Raw-Response": "stream"}
        try:
            return await client.post(
                path,
                cast_to=httpx2.Response,
                content=content,
                options={"headers": headers, "follow_redirects": False},
            )
        except openai.APIStatusError as error:
            refusal = error.response
            raise refused(provider, refusal.status_code, refusal.headers, refusal.text) from error

    return Client(post, client.close)
