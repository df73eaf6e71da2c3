"""The socket of a server, who gets an answer on it, and how uvicorn is used: for any application."""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.serve.access import MOST_HEAD_BYTES, Access, AccessMiddleware
from finclaw_cli.serve.connections import Connections, protocols
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.token import Token

LOOPBACK = ("127.0.0.1", "::1", "localhost")
KEEP_ALIVE_S = 5
MOST_FRAME_BYTES = 64 * 1024
BACKLOG = 512
SEND_BUFFER_BYTES = 256 * 1024
"""How much the system buffers for a client that reads slowly."""
DEFAULT_PORTS = {"http": 80, "https": 443}


@record(kw_only=True)
class ServerOptions:
    """Where a server listens, and what it takes."""

    token: Token
    host: str = "127.0.0.1"
    port: int = 0
    allowed_hosts: tuple[str, ...] = ()
    """Further values of `Host`, such as that of a proxy in front."""
    limits: Limits = Limits()
    tls_cert: Path | None = None
    tls_key: Path | None = None

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return "http" if self.tls_cert is None else "https"


class Listener:
    """Listens as soon as it is made; requests wait until an application answers them.

    Args:
        options: where it listens, and what it takes.

    Raises:
        UsageError: the address cannot be listened on, or the certificate cannot be used.
    """

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self._tls = _tls(options)
        self._socket = _listening(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]

    @property
    def origin(self) -> str:
        """The address without a path."""
        return f"{self._options.scheme}://{_in_url(self._options.host)}:{self.port}"

    def server(self, app: ASGIApp) -> uvicorn.Server:
        """What answers requests that have the token; set its `should_exit` to end it."""
        return _Uvicorn(self._config(AccessMiddleware(app, self._access())))

    async def serve(self, server: uvicorn.Server) -> None:
        """Answer requests until the server is to exit."""
        await server.serve([self._socket])

    def _access(self) -> Access:
        return Access(token=self._options.token, hosts=self._hosts(), scheme=self._options.scheme)

    def _hosts(self) -> frozenset[str]:
        host = self._options.host
        names = ("127.0.0.1", "localhost", "[::1]") if host in LOOPBACK else (_in_url(host),)
        is_default = self.port == DEFAULT_PORTS[self._options.scheme]
        own = {f"{name}:{self.port}" for name in names} | (set(names) if is_default else set())
        return frozenset(own | set(self._options.allowed_hosts))

    def _config(self, app: AccessMiddleware) -> uvicorn.Config:
        tls = self._tls
        http, websocket = protocols(Connections(self._options.limits))
        for name in ("uvicorn.error", "uvicorn.access"):
            logging.getLogger(name).disabled = True  # addresses and bodies of requests are not to be logged
        return uvicorn.Config(
            app,
            http=http,
            ws=websocket,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=1,
            ws_max_size=MOST_FRAME_BYTES,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=MOST_HEAD_BYTES,
            ssl_context_factory=None if tls is None else lambda *_: tls,
        )


class _Uvicorn(uvicorn.Server):
    """Leaves signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _tls(options: ServerOptions) -> ssl.SSLContext | None:
    if options.tls_cert is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(options.tls_cert, options.tls_key)
    except OSError as error:  # also where they are no certificate and no key
        raise UsageError(
            f"--tls-cert {options.tls_cert} cannot be used: {error.strerror or error}", code="bad_file"
        ) from error
    return context


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(
            f"{host}:{port} cannot be listened on: {error.strerror or error}",
            hint="Another server may be running there; --port 0 takes a free port.",
            code="bad_address",
        ) from error
    listening.setblocking(False)  # noqa: FBT003 - its name
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
