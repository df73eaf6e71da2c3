"""The content coding of an HTTP body: none is asked for, and of those that come unasked two are undone.

One coding inside another is refused, since a few bytes of them hold gigabytes.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager

from finclaw_cli.http.failures import malformed, truncated, unreadable

MAX_PIECE_BYTES = 64 * 1024
"""The most that is inflated before other tasks get their turn."""
_PLAIN = ("", "identity")
_COMPRESSED = ("gzip", "deflate")


@asynccontextmanager
async def readable(
    pieces: AsyncIterator[bytes], headers: Mapping[str, str], provider: str
) -> AsyncGenerator[AsyncIterator[bytes], None]:
    """Give the pieces of a body without its coding; leaving closes none but what was opened here.

    Raises:
        ProviderError: the coding is none of those that can be undone, the body is not of it, or ends before it does.
    """
    coding = headers.get("content-encoding", "").strip().lower()
    if coding in _PLAIN:
        yield pieces
        return
    if coding not in _COMPRESSED:
        raise unreadable(provider, coding)
    async with aclosing(_inflated(pieces, provider)) as inflated:
        yield inflated


async def _inflated(pieces: AsyncIterator[bytes], provider: str) -> AsyncGenerator[bytes, None]:
    inflater = _Inflater(provider)
    async for piece in pieces:
        left, inflated = piece, b""
        while left or len(inflated) == MAX_PIECE_BYTES:
            inflated, left = inflater.inflate(left)
            if inflated:
                yield inflated
            await asyncio.sleep(0)
    inflater.finish()


class _Inflater:
    """Undoes gzip or zlib, whichever the first bytes say."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._has_begun = False

    def inflate(self, data: bytes) -> tuple[bytes, bytes]:
        """Return at most `MAX_PIECE_BYTES`, and the data that is left for the next call."""
        self._has_begun = self._has_begun or bool(data)
        is_over = self._zlib.eof
        try:
            inflated = self._zlib.decompress(data, MAX_PIECE_BYTES)
        except zlib.error:
            raise malformed(self._provider) from None
        if self._zlib.unused_data or (is_over and data):
            raise malformed(self._provider)
        return inflated, self._zlib.unconsumed_tail

    def finish(self) -> None:
        """Check that the data came to its end.

        Raises:
            ProviderError: it did not.
        """
        if self._has_begun and not self._zlib.eof:
            raise truncated(self._provider)
