"""A server, and the connections to it: whichever is free takes the next request."""

from __future__ import annotations

import asyncio
import ssl
import time
from concurrent.futures import Future

import h11

from finclaw_cli.providers.dial import Origin, dial
from finclaw_cli.providers.http import in_thread
from finclaw_cli.providers.http1 import Answer, Connection

# Servers keep an idle connection for a minute and more; tools between two turns take seconds.
MAX_IDLE_S = 30.0


class Server:
    """One origin, and who is trusted to be it."""

    def __init__(self, origin: Origin, authorities: ssl.SSLContext, connect_timeout_s: float) -> None:
        self._origin = origin
        self._authorities = authorities
        self._connect_timeout_s = connect_timeout_s
        self._free: list[tuple[Connection, float]] = []
        self._coming: tuple[Future[Connection], float] | None = None

    def begin(self) -> None:
        """Begin to connect; the first request takes that connection, and tells what went wrong with it."""
        self._coming = in_thread(self._dialled), time.monotonic()

    async def send(self, request: h11.Request, content: bytes) -> Answer:
        """Send it over a connection that is free, or a new one; the answer's body is still to be read.

        Raises:
            OSError: there is no connection, or it broke.
            h11.ProtocolError: what is said cannot be sent, or what comes back is no HTTP.
        """
        connection = await self._begun() or self._taken() or await _awaited(in_thread(self._dialled))
        try:
            return Answer(connection, await connection.send(request, content), self._release)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Close what is free, and what is being made."""
        if self._coming is not None:
            self._coming[0].add_done_callback(_hang_up)
            self._coming = None
        while self._free:
            self._free.pop()[0].close()

    def _dialled(self) -> Connection:
        return Connection(dial(self._origin, self._authorities, self._connect_timeout_s))

    async def _begun(self) -> Connection | None:
        """The connection that was begun; whoever awaits it has it alone, and another attempt makes its own."""
        coming, self._coming = self._coming, None
        return None if coming is None else _usable(await _awaited(coming[0]), coming[1])

    def _taken(self) -> Connection | None:
        while self._free:
            if connection := _usable(*self._free.pop()):
                return connection
        return None

    def _release(self, connection: Connection) -> None:
        if connection.take_next():
            self._free.append((connection, time.monotonic()))
        else:
            connection.close()


def _usable(connection: Connection, since: float) -> Connection | None:
    """The connection, if it was not idle for too long, and nobody has closed it or spoken unasked."""
    if time.monotonic() - since <= MAX_IDLE_S and connection.is_quiet():
        return connection
    connection.close()
    return None


async def _awaited(dialling: Future[Connection]) -> Connection:
    try:
        return await asyncio.wrap_future(dialling)
    except asyncio.CancelledError:
        dialling.add_done_callback(_hang_up)
        raise


def _hang_up(dialled: Future[Connection]) -> None:
    if dialled.exception() is None:
        dialled.result().close()
