"""The direct way to a server, for plain keys: httpx2 alone, whose import takes a tenth of an SDK's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from finclaw_cli import __version__
from finclaw_cli.core.record import record
from finclaw_cli.providers import http_client
from finclaw_cli.providers.http import COMMON_HEADERS, Client
from finclaw_cli.providers.sse import HttpStream


@record(kw_only=True)
class Target:
    """Where requests go, and what stands over each of them. The headers hold the key, and never show in a `repr`."""

    provider: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    connect_timeout_s: float


def connect(target: Target) -> Client:
    """Make the client.

    Raises:
        ProviderError: what the environment says of proxies or authorities cannot be used.
    """
    import httpx2

    client = http_client.make(
        httpx2.AsyncClient,
        provider=target.provider,
        url=target.url,
        connect_timeout_s=target.connect_timeout_s,
    )
    headers = {**COMMON_HEADERS, "User-Agent": f"finclaw/{__version__}", **target.headers}

    async def post(content: bytes) -> HttpStream:
        request = client.build_request("POST", target.url, content=content, headers=headers)
        response = await client.send(request, stream=True)
        if response.is_success:
            return response
        await response.aread()
        raise http_client.refused(target.provider, response)

    return Client(post, client.aclose)
