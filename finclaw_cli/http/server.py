"""A server, and the connections to it: whichever is free takes the next request."""

from __future__ import annotations

import asyncio
import ssl
import time
from concurrent.futures import Future

import h11

from finclaw_cli.core.record import record
from finclaw_cli.http.client import in_thread
from finclaw_cli.http.connect import ConnectTimeout, Origin, dial
from finclaw_cli.http.http1 import Answer, Connection

# Servers keep an idle connection for a minute and more; tools between two turns take seconds.
MAX_IDLE_S = 30.0
GRACE_S = 0.2
"""How long after its deadline a connection is awaited: so that the thread that makes it can report what happened."""


@record
class _Dialling:
    """A connection that is being made in a thread. Times are those of `time.monotonic`."""

    connection: Future[Connection]
    since: float
    deadline: float


class Server:
    """One origin, and who is trusted to be it."""

    def __init__(self, origin: Origin, authorities: ssl.SSLContext, connect_timeout_s: float) -> None:
        self._origin = origin
        self._authorities = authorities
        self._connect_timeout_s = connect_timeout_s
        self._free: list[tuple[Connection, float]] = []
        self._coming: _Dialling | None = None

    def begin(self) -> None:
        """Begin to connect; the first request takes that connection, and reports its failure."""
        self._coming = self._dial()

    async def send(self, request: h11.Request, content: bytes) -> Answer:
        """Send it over a connection that is free, or a new one; the answer's body is still to be read.

        Raises:
            OSError: there is no connection, or it broke.
            h11.ProtocolError: the request cannot be sent, or the response is no HTTP.
        """
        connection = await self._begun() or self._taken() or await _awaited(self._dial())
        try:
            return Answer(connection, await connection.send(request, content), self._release)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Close what is free, and what is being made."""
        if self._coming is not None:
            self._coming.connection.add_done_callback(_hang_up)
            self._coming = None
        while self._free:
            self._free.pop()[0].close()

    def _dial(self) -> _Dialling:
        since = time.monotonic()
        deadline = since + self._connect_timeout_s
        connection = in_thread(lambda: Connection(dial(self._origin, self._authorities, deadline)))
        return _Dialling(connection, since, deadline)

    async def _begun(self) -> Connection | None:
        """The connection that was begun; it is used by one attempt, and another attempt makes its own."""
        coming, self._coming = self._coming, None
        return None if coming is None else _usable(await _awaited(coming), coming.since)

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
    """The connection, if it was not idle for too long, was not closed, and has received nothing unasked."""
    if time.monotonic() - since <= MAX_IDLE_S and connection.is_quiet():
        return connection
    connection.close()
    return None


async def _awaited(dialling: _Dialling) -> Connection:
    """The connection, before its deadline; one that comes later is closed as soon as it does."""
    try:
        async with asyncio.timeout(dialling.deadline + GRACE_S - time.monotonic()):
            return await asyncio.wrap_future(dialling.connection)
    except asyncio.CancelledError:
        dialling.connection.add_done_callback(_hang_up)
        raise
    except TimeoutError as error:
        dialling.connection.add_done_callback(_hang_up)
        raise error if isinstance(error, ConnectTimeout) else ConnectTimeout("no connection in time") from None


def _hang_up(dialled: Future[Connection]) -> None:
    if dialled.exception() is None:
        dialled.result().close()
