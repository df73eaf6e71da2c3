"""Opening the connection to a server from its entry."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, find_program
from finclaw_mcp.connection import Connection, Peer, Tools
from finclaw_mcp.entries import Entry
from finclaw_mcp.environment import Lookup, environment_of, expanded
from finclaw_mcp.http_server import HttpServer, is_of_this_machine
from finclaw_mcp.known import Known
from finclaw_mcp.transport import ServerProcess


def opened(name: str, entry: Entry, known: Known, context: ToolContext, listed: Callable[[Tools], None]) -> Connection:
    """A connection, which is opened by its first use.

    Raises:
        ToolError: the entry refers to a variable that is not set, or its program is not there.
    """
    peer = peer_of(entry, entry.folder(context.workspace), context.secret)
    return Connection(name, peer, known, entry.startup_timeout_sec, listed)


def peer_of(entry: Entry, folder: Path, secret: Lookup) -> Callable[[], Peer]:
    """Makes the server of an entry, each time anew.

    Args:
        entry: the entry.
        folder: where a program runs.
        secret: gives values of variables and keys.

    Raises:
        ToolError: as for `opened`.
    """
    if entry.url is not None:
        headers = {name: expanded(value, secret) for name, value in entry.http_headers.items()}
        if entry.bearer_token_env_var is not None:
            headers["Authorization"] = f"Bearer {expanded('${' + entry.bearer_token_env_var + '}', secret)}"
        return partial(HttpServer, entry.url, headers, proxies=not is_of_this_machine(entry.url))
    environment = environment_of(entry.env, secret)
    command = [_program(expanded(entry.command or "", secret)), *(expanded(each, secret) for each in entry.args)]
    return partial(ServerProcess, command, environment, folder)


def _program(name: str) -> str:
    found = find_program(name)
    if found is None:
        raise ToolError(f"NOT_CONFIGURED: the program {name} is not there, which starts the server")
    return str(found)
