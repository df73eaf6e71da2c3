"""How much a server takes, and how long it waits."""

from __future__ import annotations

from finclaw_cli.core.record import record

_OTHERS = 32
CONNECTIONS_A_CLIENT, CONNECTIONS = 3, 2 * _OTHERS
"""How many connections there are at most for each client, and beside these: those with the token, and those without."""


@record(kw_only=True)
class Limits:
    """The limits of one server; times are seconds."""

    runs: int = 8
    """The most runs at once."""
    clients: int = 32
    """The most open streams of events."""
    body_bytes: int = 1024 * 1024
    """The longest body of a request."""
    request_s: float = 10.0
    """The longest that the body of a request may take to come in."""
    unknown_s: float = 5.0
    """How long such a connection stays open."""
    starts_a_minute: int = 120
    """The most runs, approvals and cancellations that are asked for in a minute."""
    absence_s: float = 5.0
    """How long an approval waits while no client is connected that could answer it."""
    stalled_s: float = 10.0
    """How long a client that reads nothing stays connected."""
    drain_s: float = 3.0
    """How long clients may take to read the ends of their streams when the server stops."""

    @property
    def connections(self) -> int:
        """The most open connections of clients, those without a stream included."""
        return 2 * self.clients + _OTHERS

    @property
    def unknown_connections(self) -> int:
        """The most open connections on which no request had the token; all clients may connect at once."""
        return self.clients + _OTHERS
