"""Connections to a server, made by calls that block: a thread of its own waits for names, handshakes and certificates.

What is made is a stream of bytes that belongs to no event loop until somebody reads it.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from contextlib import suppress
from typing import Protocol

from finclaw_cli.core.record import record

READ_BYTES = 64 * 1024
# The second address is tried beside the first after this long (RFC 8305, section 5): broken IPv6 is common.
NEXT_ADDRESS_S = 0.25
MOST_UNASKED = 4
# A model may think for minutes, in which a gateway forgets whoever says nothing at all.
SILENCE_S, PROBES = 60, 5


@record
class Origin:
    """Who is called: host (a name or a bare address) and port, and whether what is said is encrypted."""

    host: str
    port: int
    is_encrypted: bool


class ConnectError(OSError):
    """Nobody could be reached, or nobody who can be trusted."""


class ByteStream(Protocol):
    """Two directions of bytes. Whatever breaks is an `OSError`; an end is an empty read."""

    async def read(self) -> bytes: ...

    async def write(self, data: bytes) -> None: ...

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
            # Whoever sends faster than we read must not keep signals, timeouts and other readers waiting.
            await asyncio.sleep(0)
            return received
        return await asyncio.get_running_loop().sock_recv(self._sock, READ_BYTES)

    async def write(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._sock, data)

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


class TlsStream:
    """Bytes that are encrypted on their way; the handshake is over."""

    def __init__(self, sock: socket.socket, tls: ssl.SSLObject, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO):
        self._wire = TcpStream(sock)
        self._tls = tls
        self._incoming = incoming
        self._outgoing = outgoing

    async def read(self) -> bytes:
        while True:
            with suppress(ssl.SSLWantReadError):
                try:
                    return self._tls.read(READ_BYTES)
                except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                    # Many servers do not say goodbye; whether the answer was whole, its framing and last event tell.
                    return b""
            await self._exchange()

    async def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            with suppress(ssl.SSLWantReadError):
                left = left[self._tls.write(left) :]
                continue
            await self._exchange()
        await self._wire.write(self._outgoing.read())

    def is_quiet(self) -> bool:
        for _ in range(MOST_UNASKED):
            received = self._wire.arrived()
            if received is None:
                return self._has_said_nothing()
            self._incoming.write(received)
            if not received:
                break
        return False

    def _has_said_nothing(self) -> bool:
        """Tickets for another session come unasked, and say nothing."""
        try:
            self._tls.read(1)
        except ssl.SSLWantReadError:
            return True
        except ssl.SSLError:
            pass
        return False

    def close(self) -> None:
        self._wire.close()

    async def _exchange(self) -> None:
        if self._outgoing.pending:
            await self._wire.write(self._outgoing.read())
        if received := await self._wire.read():
            self._incoming.write(received)
        else:
            self._incoming.write_eof()


def dial(origin: Origin, authorities: ssl.SSLContext, timeout_s: float) -> ByteStream:
    """Connect, and agree on a cipher where that is wanted; each of the two may take that long.

    Raises:
        ConnectError: nobody is there, or nobody whom these authorities know.
        TimeoutError: nobody answers.
    """
    try:
        sock = _connected(origin, timeout_s)
        try:
            _set_options(sock)
            return _encrypted(sock, origin.host, authorities) if origin.is_encrypted else TcpStream(sock)
        except BaseException:
            sock.close()
            raise
    except TimeoutError:
        raise
    except UnicodeError:
        raise ConnectError(f"{origin.host[:80]} is no name of a host") from None
    except OSError as error:
        raise ConnectError(str(error)) from error


def _connected(origin: Origin, timeout_s: float) -> socket.socket:
    addresses = socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
    if len(addresses) == 1:
        family, kind, protocol, _, address = addresses[0]
        sock = socket.socket(family, kind, protocol)
        sock.settimeout(timeout_s)
        try:
            sock.connect(address)
        except OSError:
            sock.close()
            raise
        return sock

    async def fastest() -> socket.socket:
        from aiohappyeyeballs import start_connection

        async with asyncio.timeout(timeout_s):
            return await start_connection(addresses, happy_eyeballs_delay=NEXT_ADDRESS_S)

    sock = asyncio.run(fastest())
    sock.settimeout(timeout_s)
    return sock


def _set_options(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, SILENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES)


def _encrypted(sock: socket.socket, host: str, authorities: ssl.SSLContext) -> TlsStream:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    authorities.set_alpn_protocols(["http/1.1"])
    tls = authorities.wrap_bio(incoming, outgoing, server_hostname=host)
    while not _is_agreed(tls, sock, outgoing):
        sock.sendall(outgoing.read())
        if received := sock.recv(READ_BYTES):
            incoming.write(received)
        else:
            incoming.write_eof()
    sock.sendall(outgoing.read())
    return TlsStream(sock, tls, incoming, outgoing)


def _is_agreed(tls: ssl.SSLObject, sock: socket.socket, outgoing: ssl.MemoryBIO) -> bool:
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        with suppress(OSError):  # the other side hears why, if it still listens
            sock.sendall(outgoing.read())
        raise
    return True
