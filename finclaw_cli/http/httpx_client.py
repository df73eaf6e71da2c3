"""Without an SDK, but by httpx2, which knows proxies, names in any script, and all that an address may hold."""

from __future__ import annotations

from finclaw_cli.http import httpx_settings
from finclaw_cli.http.client import Client, Target
from finclaw_cli.http.sse import HttpStream


def connect(target: Target) -> Client:
    """Make the client.

    Raises:
        ProviderError: the proxies or authorities of the environment cannot be used.
    """
    import httpx2

    client = httpx_settings.make(
        httpx2.AsyncClient,
        provider=target.provider,
        url=target.url,
        connect_timeout_s=target.connect_timeout_s,
    )

    async def post(content: bytes) -> HttpStream:
        request = client.build_request("POST", target.url, content=content, headers=target.headers)
        response = await client.send(request, stream=True)
        if response.is_success:
            return response
        await response.aread()
        raise target.refused(target.provider, response.status_code, response.headers, response.text)

    return Client(post, client.aclose)
