"""Connections to a server, made by calls that block: a thread of its own waits for names, handshakes and certificates.

What is made is a stream of bytes that belongs to no event loop until somebody reads it.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from contextlib import suppress

from finclaw_cli.core.record import record
from finclaw_cli.providers.streams import READ_BYTES, ByteStream, TcpStream, TlsStream

# The second address is tried beside the first after this long (RFC 8305, section 5): broken IPv6 is common.
NEXT_ADDRESS_S = 0.25
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
    # As bytes: a name as text goes through a table of all scripts first, and this one has no letter but ASCII's.
    addresses = socket.getaddrinfo(origin.host.encode("ascii"), origin.port, type=socket.SOCK_STREAM)
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
