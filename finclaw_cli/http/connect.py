"""Connections to a server, made by calls that block: a thread of its own waits for names, handshakes and certificates.

What is made is a stream of bytes that belongs to no event loop until it is first read.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import time
from contextlib import suppress

from finclaw_cli.core.record import record
from finclaw_cli.http.streams import READ_BYTES, ByteStream, TcpStream, TlsStream

# The second address is tried beside the first after this long (RFC 8305, section 5): broken IPv6 is common.
NEXT_ADDRESS_S = 0.25
# A model may think for minutes, in which a gateway drops a connection without any traffic.
SILENCE_S, PROBES = 60, 5


@record
class Origin:
    """The server to connect to: host (a name or a bare address) and port, and whether the connection is encrypted."""

    host: str
    port: int
    is_encrypted: bool


class ConnectError(OSError):
    """No connection to a server that the authorities vouch for; nothing was sent."""


class ConnectTimeout(ConnectError, TimeoutError):
    """No connection before the deadline; nothing was sent."""


def dial(origin: Origin, authorities: ssl.SSLContext, deadline: float) -> ByteStream:
    """Connect, and negotiate encryption where the origin asks for it, all of it before the deadline.

    `deadline` is a time of `time.monotonic`. The system's look-up of a name cannot be limited: where that ends late,
    nothing is connected any more.

    Raises:
        ConnectError: there is no server, or none that these authorities vouch for.
        ConnectTimeout: the deadline has passed.
    """
    try:
        sock = _connected(origin, deadline)
        try:
            _set_options(sock)
            if not origin.is_encrypted:
                return TcpStream(sock)
            return _encrypted(sock, origin.host, authorities, deadline)
        except BaseException:
            sock.close()
            raise
    except TimeoutError as error:
        raise ConnectTimeout(str(error)) from error
    except UnicodeError:
        raise ConnectError(f"{origin.host[:80]} is no name of a host") from None
    except OSError as error:
        raise ConnectError(str(error)) from error


def _left_s(deadline: float) -> float:
    """The seconds until the deadline.

    Raises:
        TimeoutError: there are none.
    """
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("no connection in time")
    return left_s


def _connected(origin: Origin, deadline: float) -> socket.socket:
    # As bytes: a name as text goes through a table of all scripts first, and this one has no letter but ASCII's.
    addresses = socket.getaddrinfo(origin.host.encode("ascii"), origin.port, type=socket.SOCK_STREAM)
    if len(addresses) == 1:
        family, kind, protocol, _, address = addresses[0]
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(_left_s(deadline))
            sock.connect(address)
        except OSError:
            sock.close()
            raise
        return sock

    async def fastest() -> socket.socket:
        from aiohappyeyeballs import start_connection

        async with asyncio.timeout(_left_s(deadline)):
            return await start_connection(addresses, happy_eyeballs_delay=NEXT_ADDRESS_S)

    return asyncio.run(fastest())


def _set_options(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, SILENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES)


def _encrypted(sock: socket.socket, host: str, authorities: ssl.SSLContext, deadline: float) -> TlsStream:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    authorities.set_alpn_protocols(["http/1.1"])
    tls = authorities.wrap_bio(incoming, outgoing, server_hostname=host)
    while not _is_agreed(tls, sock, outgoing):
        # Before each call: a server that sends a byte now and then would else hold the handshake for ever.
        sock.settimeout(_left_s(deadline))
        sock.sendall(outgoing.read())
        sock.settimeout(_left_s(deadline))
        if received := sock.recv(READ_BYTES):
            incoming.write(received)
        else:
            incoming.write_eof()
    sock.settimeout(_left_s(deadline))
    sock.sendall(outgoing.read())
    return TlsStream(sock, tls, incoming, outgoing)


def _is_agreed(tls: ssl.SSLObject, sock: socket.socket, outgoing: ssl.MemoryBIO) -> bool:
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        with suppress(OSError):  # the other side gets the reason, if it still reads
            sock.sendall(outgoing.read())
        raise
    return True
