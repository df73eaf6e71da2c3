"""Connections of uvicorn with what it has no settings for: a time limit for requests, and a way to cut one off."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from finclaw_cli.serve.limits import Limits


def http_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The class of HTTP connections under these limits."""

    class HttpConnection(H11Protocol):
        """A connection that is closed while its request does not come in, and where there are too many of them."""

        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.app_state = {**self.app_state, "cut_off": transport.abort}
            if len(self.connections) > limits.connections:
                transport.abort()
                return
            self._deadline = self.loop.call_later(limits.request_s, self._close_if_idle)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
            super().connection_lost(exc)

        def _close_if_idle(self) -> None:
            """Close a connection without a whole head of a request; bodies have a limit of their own."""
            cycle: object = self.cycle  # None before the first request
            if cycle is None and self.transport.get_protocol() is self:
                self.transport.abort()

    return HttpConnection


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that can be cut off."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "cut_off": transport.abort}
