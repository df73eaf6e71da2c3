"""One server: its parts, its start and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.serve.approvals import Approvals
from finclaw_cli.serve.clients import Clients
from finclaw_cli.serve.cursors import Cursors
from finclaw_cli.serve.listener import Listener, ServerOptions
from finclaw_cli.serve.parts import Parts
from finclaw_cli.serve.presence import Presence
from finclaw_cli.serve.rate import Rate
from finclaw_cli.serve.routes import application
from finclaw_cli.serve.runs import Runs
from finclaw_cli.serve.shared_installed import SharedInstalled


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
        self._listener = Listener(options)
        self.port = self._listener.port
        self._report = report
        self._prepared = prepared
        self._stop: asyncio.Event = asyncio.Event()
        self._reason: Cancellation | None = None

    @property
    def url(self) -> str:
        """The address with the token, for the user alone."""
        return f"{self._listener.origin}/#{self._options.token.text}"

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
        server = self._listener.server(application(parts))
        serving = asyncio.create_task(self._listener.serve(server))
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
