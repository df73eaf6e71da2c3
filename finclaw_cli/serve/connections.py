"""Connections of uvicorn with what it has no settings for: limits on their number, on their time, and a way to cut off.

A connection is unknown until a request on it has the token. There are few unknown ones, each for a short time, and the
earliest makes room for a new one: they keep no client with the token out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.problems import Problem


class Connections:
    """The open connections of one server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: set[asyncio.Transport] = set()
        self._unknown: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def opened(self, transport: asyncio.Transport) -> None:
        """Count a new connection, in the place of the earliest unknown one where there are too many of them."""
        if len(self._unknown) >= self._limits.unknown_connections:
            earliest = next(iter(self._unknown))
            self.closed(earliest)
            earliest.abort()
        timer = asyncio.get_running_loop().call_later(self._limits.unknown_s, transport.abort)
        self._unknown[transport] = timer

    def known(self, transport: asyncio.Transport) -> None:
        """Count a connection as that of a client with the token.

        Raises:
            Problem: there are too many of them.
        """
        if transport in self._known:
            return
        if len(self._known) >= self._limits.connections:
            raise Problem(
                HTTPStatus.SERVICE_UNAVAILABLE, "too_many_connections",
                f"{self._limits.connections} connections are open already",
                "Close some, or start the server with a higher --max-clients.",
            )  # fmt: skip
        self.closed(transport)
        self._known.add(transport)

    def closed(self, transport: asyncio.Transport) -> None:
        """Count a connection no more."""
        self._known.discard(transport)
        if (timer := self._unknown.pop(transport, None)) is not None:
            timer.cancel()


def make_known(scope: Scope) -> None:
    """Count the connection of a request that has the token as that of a client.

    Raises:
        Problem: there are too many of them.
    """
    make: Callable[[], None] = scope.get("state", {}).get("make_known", lambda: None)
    make()


def cut_off_of(scope: Scope) -> Callable[[], None]:
    """What cuts the connection of a request off, without waiting for its client."""
    cut_off: Callable[[], None] = scope.get("state", {}).get("cut_off", lambda: None)
    return cut_off


def protocols(connections: Connections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes of HTTP connections and of WebSockets, which begin as the former, on the same transport."""

    class HttpConnection(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.app_state = {
                **self.app_state,
                "cut_off": transport.abort,
                "make_known": lambda: connections.known(transport),
            }
            connections.opened(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self.transport)
            super().connection_lost(exc)

    class WebSocketConnection(WebSocketsSansIOProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self.transport)
            super().connection_lost(exc)

    return HttpConnection, WebSocketConnection
