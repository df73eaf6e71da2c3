"""One server: its parts, its socket, its start and its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.serve.access import MOST_HEAD_BYTES, Access, AccessMiddleware
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.clients import Clients
from finclaw_cli.serve.connections import Connections, protocols
from finclaw_cli.serve.cursors import Cursors
from finclaw_cli.serve.limits import Limits
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.presence import Presence
from finclaw_cli.serve.rate import Rate
from finclaw_cli.serve.routes import application
from finclaw_cli.serve.runs import Runs
from finclaw_cli.serve.shared_installed import SharedInstalled
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


class Server:
    """Listens as soon as it is made; `serve` answers requests until `stop` was called.

    Args:
        options: where it listens, and what it takes.
        report: shows a line that belongs to no run.
        prepared: called once what the first run needs is there.

    Raises:
        UsageError: the address cannot be listened on, or the certificate cannot be used.
    """

    def __init__(
        self, options: ServerOptions, report: Callable[[str], None], prepared: Callable[[], None] = lambda: None
    ) -> None:
        self._options = options
        self._tls = _tls(options)
        self._socket = _listening(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]
        self._report = report
        self._prepared = prepared
        self._stop: asyncio.Event = asyncio.Event()
        self._reason: Cancellation | None = None

    @property
    def url(self) -> str:
        """The address with the token, for the user alone."""
        return f"{self._options.scheme}://{_in_url(self._options.host)}:{self.port}/#{self._options.token.text}"

    def stop(self, reason: Cancellation) -> None:
        """End all runs for this reason, then their readers, then the server; from the thread of the event loop."""
        self._reason = self._reason or reason
        self._stop.set()

    async def serve(self) -> None:
        """Answer requests until `stop`."""
        limits = self._options.limits
        presence = Presence(limits.absence_s)
        approvals, clients = Approvals(presence), Clients(presence, limits)
        installed = SharedInstalled()
        runs = Runs(installed, approvals, limits, self._report)
        parts = Parts(
            runs=runs, installed=installed, approvals=approvals, clients=clients, limits=limits, report=self._report,
            starts=Rate(limits.starts_a_minute), cursors=Cursors(),
        )  # fmt: skip
        server = _Uvicorn(self._config(AccessMiddleware(application(parts), self._access())))
        serving = asyncio.create_task(server.serve([self._socket]))
        watching = asyncio.create_task(clients.watch())
        preparing, beating = asyncio.create_task(self._prepare(runs)), asyncio.create_task(runs.beat())
        stopping = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if self._reason is not None:
                await runs.end_all(self._reason)
            await clients.drained()
        finally:
            server.should_exit = True
            for task in (watching, beating, stopping):
                task.cancel()
            await serving
            await preparing
            await runs.aclose()

    async def _prepare(self, runs: Runs) -> None:
        await runs.prepare()
        self._prepared()
        await runs.prepare_keys()

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
