"""Talking to a server at an address: everything goes to its own origin, and what it answers is bounded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp.client.streamable_http import streamable_http_client

from finclaw_mcp.transport import MAX_LINE_BYTES

CONNECT_S = 10.0
STREAM = "text/event-stream"
_ERRORS, _FAILURES = 400, 500
_WITHOUT_KEY = frozenset({401, 403})
_THIS_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})


def is_of_this_machine(url: str) -> bool:
    """Whether an address is one of this machine, which no proxy leads to."""
    return urlsplit(url).hostname in _THIS_MACHINE


class HttpServer:
    """A server at an address.

    Args of the constructor:
        url: where its endpoint is.
        headers: what is sent with each request, keys among them.
        proxies: whether the proxies and authorities that the environment names are used.
    """

    def __init__(self, url: str, headers: Mapping[str, str], *, proxies: bool) -> None:
        self._url = url
        self._headers = {**headers, "Accept-Encoding": "identity"}
        self._proxies = proxies
        self.stderr = ""
        """It has none."""
        self.fault = ""
        """Why a request was given up, if one was."""
        self.ended = asyncio.Event()
        """Never set: a server that does not answer is asked again."""

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """What the server sends can be read from the first stream, and what it is to get be written to the second."""
        client = httpx2.AsyncClient(
            headers=self._headers,
            timeout=httpx2.Timeout(None, connect=CONNECT_S),  # the calls have deadlines of their own
            follow_redirects=False,
            trust_env=self._proxies,
            event_hooks={"response": [self._bound]},
        )
        async with (
            client,
            streamable_http_client(self._url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as (read, write),
        ):
            yield read, write

    async def _bound(self, response: Any) -> None:
        """Bound the body of an answer; the events of a stream are bounded one by one, by the SDK."""
        if response.request.method == "POST":
            self._note_status(response.status_code)
        if response.headers.get("content-encoding", "identity") != "identity":
            self.fault = "it sent a compressed answer, which was not asked for"
            raise httpx2.ReadError(self.fault)
        if not response.headers.get("content-type", "").startswith(STREAM):
            response.stream = _Bounded(response.stream, self)

    def _note_status(self, status: int) -> None:
        """Keep why a request has failed; the stream that a GET asks for, a server need not have.

        Raises:
            httpx2.ReadError: the server or a gateway failed, perhaps after the server did what it was asked.
        """
        self.fault = "" if status < _ERRORS else f"it answered {status}"
        if status in _WITHOUT_KEY:
            self.fault += ": it wants a key, or another one"
        if status >= _FAILURES:
            raise httpx2.ReadError(self.fault)


class _Bounded(httpx2.AsyncByteStream):
    """A body that may have so many bytes."""

    def __init__(self, stream: Any, server: HttpServer) -> None:
        self._stream = stream
        self._server = server

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > MAX_LINE_BYTES:
                self._server.fault = f"it sent an answer of more than {MAX_LINE_BYTES:,} bytes"
                raise httpx2.ReadError(self._server.fault)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
