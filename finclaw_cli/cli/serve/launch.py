"""From the command line to the end of a server's process."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import NoReturn

from finclaw_cli.cli.leave import leave
from finclaw_cli.cli.open_files import FILES_A_RUN, allow_open_files
from finclaw_cli.cli.own_stdout import own_stdout
from finclaw_cli.cli.plugins.event_loop import plugin_runner
from finclaw_cli.cli.terminal.signals import SignalHandling, StopScope
from finclaw_cli.core import exits
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.load import load_settings


@record(kw_only=True)
class Serving:
    """The options of the command line."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...]
    token_file: Path | None
    max_runs: int
    max_clients: int
    tls_cert: Path | None
    tls_key: Path | None
    open_page: bool


def serve_until_stopped(wanted: Serving) -> NoReturn:
    """Serve until a signal comes, and end the process: with 0, once all runs and their readers have ended.

    Raises:
        UsageError: an option has no usable value, the extra is missing, or the address cannot be listened on.
    """
    _require_extra()
    from finclaw_cli.serve.limits import CONNECTIONS, CONNECTIONS_A_CLIENT, Limits
    from finclaw_cli.serve.listener import LOOPBACK, ServerOptions
    from finclaw_cli.serve.server import Server
    from finclaw_cli.serve.token import new_token, token_from

    if wanted.host not in LOOPBACK and wanted.token_file is None:
        raise UsageError(
            f"--host {wanted.host} can be reached from other machines: that needs --token-file",
            hint="Better, leave it at 127.0.0.1, and put a proxy with TLS in front.",
        )
    if (wanted.tls_cert is None) != (wanted.tls_key is None):
        raise UsageError("--tls-cert and --tls-key go together")
    limits = Limits(runs=wanted.max_runs, clients=wanted.max_clients)
    files = FILES_A_RUN * limits.runs + CONNECTIONS
    allow_open_files("--max-clients", limits.clients, CONNECTIONS_A_CLIENT, files)
    load_settings()  # a mistake in them is reported at once, and their keys are masked
    fd = own_stdout()
    runner = plugin_runner()
    options = ServerOptions(
        token=new_token() if wanted.token_file is None else token_from(wanted.token_file),
        host=wanted.host,
        port=wanted.port,
        allowed_hosts=wanted.allowed_hosts,
        limits=limits,
        tls_cert=wanted.tls_cert,
        tls_key=wanted.tls_key,
    )
    server = Server(options, notice, _keep_what_is_there)
    SignalHandling(StopScope(server.stop)).attach(runner.get_loop())
    os.write(fd, f"{server.url}\n".encode())
    if wanted.open_page:
        _open_page(server.url)
    runner.run(server.serve())
    leave(exits.OK)


def _keep_what_is_there() -> None:
    """Leave the modules and plugins to no later garbage collection, which would stop a run for as long as it begins."""
    gc.collect()
    gc.freeze()


def _open_page(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        notice("finclaw: no browser could be opened: open the address above")


def _require_extra() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"finclaw serve needs the extra `serve`: {error.name} is not installed",
            hint="pip install 'finclaw-cli[serve]'",
            code="missing_extra",
        ) from None
