"""Sending a request through httpx2's own connections, so that it is known how far it went out."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from finclaw_cli.core.deadline import request_sent

PIECE_BYTES = 64 * 1024


async def send_in_pieces(request: httpx2.Request) -> None:
    """Let a request's content be sent piece by piece; a hook for a client's requests."""
    request.stream = _Pieces(await request.aread())


class _Pieces(httpx2.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._content), PIECE_BYTES):
            yield self._content[start : start + PIECE_BYTES]
            request_sent()
