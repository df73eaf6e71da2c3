"""Our connections under httpx2: its users, an SDK too, use the same wire as the direct way does."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator

import h11
import httpx2

from finclaw_cli.http.connect import Origin
from finclaw_cli.http.http1 import Answer
from finclaw_cli.http.server import Server


class OwnConnections(httpx2.AsyncBaseTransport):
    """Sends each request to the server that it names."""

    def __init__(self, authorities: ssl.SSLContext, connect_timeout_s: float) -> None:
        self._authorities = authorities
        self._connect_timeout_s = connect_timeout_s
        self._servers: dict[Origin, Server] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        content = await request.aread()
        server = self._server(request.url)
        asked = h11.Request(method=request.method, target=request.url.raw_path, headers=request.headers.raw)
        answer = await server.send(asked, content)
        return httpx2.Response(answer.status_code, headers=answer.head.headers.raw_items(), stream=_Body(answer))

    async def aclose(self) -> None:
        for server in self._servers.values():
            server.close()

    def _server(self, url: httpx2.URL) -> Server:
        if url.scheme not in {"http", "https"} or not url.raw_host:
            raise httpx2.UnsupportedProtocol("not an address of a web server")
        is_encrypted = url.scheme == "https"
        origin = Origin(url.raw_host.decode("ascii"), url.port or (443 if is_encrypted else 80), is_encrypted)
        if origin not in self._servers:
            self._servers[origin] = Server(origin, self._authorities, self._connect_timeout_s)
        return self._servers[origin]


class _Body(httpx2.AsyncByteStream):
    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._answer.aiter_raw()

    async def aclose(self) -> None:
        await self._answer.aclose()
