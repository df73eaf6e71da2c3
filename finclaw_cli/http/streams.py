"""Two directions of bytes over a socket, plain or encrypted, in the loop that uses them."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from finclaw_cli.core.deadline import request_sent

READ_BYTES = 64 * 1024
WRITE_BYTES = 1024 * 1024
"""So much is encrypted at a time."""
MOST_UNASKED = 4
Hear = Callable[[bytes], bool]
"""Takes what arrives meanwhile, and an empty piece for the end; returns whether the rest is no longer needed."""


class ByteStream(Protocol):
    """Bytes to and from a server. Whatever breaks is an `OSError`; an end is an empty read."""

    async def read(self) -> bytes: ...

    async def write(self, data: bytes, hear: Hear) -> bool:
        """Send it, and listen where it does not go out at once: a server may answer before it has read all.

        Whether all was sent; if not, only reading is possible.
        """
        ...

    def is_quiet(self) -> bool:
        """Whether nothing has come since the last read, not even the end; if something has, it is lost."""
        ...

    def close(self) -> None: ...


class TcpStream:
    """Bytes as they are."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        sock.settimeout(0)

    async def read(self) -> bytes:
        with suppress(BlockingIOError):
            received = self._sock.recv(READ_BYTES)
            # A server that sends faster than this reads must not delay signals, timeouts and other readers.
            await asyncio.sleep(0)
            return received
        return await asyncio.get_running_loop().sock_recv(self._sock, READ_BYTES)

    async def write(self, data: bytes, hear: Hear) -> bool:
        left = memoryview(data)
        while True:
            with suppress(BlockingIOError):
                left = left[self._sock.send(left) :]
                request_sent()
            if not left:
                return True
            await self._is_ready()
            with suppress(BlockingIOError):
                if hear(self._sock.recv(READ_BYTES)):
                    return False

    def is_quiet(self) -> bool:
        return self.arrived() is None

    def arrived(self) -> bytes | None:
        """What has come, without waiting for it: nothing (None), the end (empty), or bytes."""
        try:
            return self._sock.recv(READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        self._sock.close()

    async def _is_ready(self) -> None:
        """Wait until it takes some bytes, or has some."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(self._sock, ready.set)
        loop.add_writer(self._sock, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._sock)
            loop.remove_writer(self._sock)


class TlsStream:
    """Bytes that are encrypted on their way; the handshake is over."""

    def __init__(self, sock: socket.socket, tls: ssl.SSLObject, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO):
        self._wire = TcpStream(sock)
        self._tls = tls
        self._incoming = incoming
        self._outgoing = outgoing

    async def read(self) -> bytes:
        while (received := self._decrypted()) is None:
            if self._outgoing.pending:
                await self._wire.write(self._outgoing.read(), self._take)
            self._take(await self._wire.read())
        return received

    async def write(self, data: bytes, hear: Hear) -> bool:
        def hear_decrypted(received: bytes) -> bool:
            self._take(received)
            return any(hear(piece) for piece in iter(self._decrypted, None))

        left = memoryview(data)
        while left:
            left = left[self._tls.write(left[:WRITE_BYTES]) :]
            if not await self._wire.write(self._outgoing.read(), hear_decrypted):
                return False
        return True

    def is_quiet(self) -> bool:
        """Tickets for another session come unasked, and say nothing."""
        for _ in range(MOST_UNASKED):
            received = self._wire.arrived()
            if received is None:
                with suppress(ssl.SSLError):
                    return self._decrypted() is None
                return False
            if self._take(received):
                break
        return False

    def close(self) -> None:
        self._wire.close()

    def _take(self, received: bytes) -> bool:
        """Keep what came; whether it was the end."""
        if received:
            self._incoming.write(received)
        else:
            self._incoming.write_eof()
        return not received

    def _decrypted(self) -> bytes | None:
        """The decrypted bytes, the end (empty), or None while more input is needed to decide."""
        try:
            return self._tls.read(READ_BYTES)
        except ssl.SSLWantReadError:
            return None
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            # Many servers do not say goodbye; whether the answer was whole, its framing and last event tell.
            return b""
