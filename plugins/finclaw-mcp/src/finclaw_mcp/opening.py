"""Opening the connection to a server from its entry."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from finclaw_cli.sdk import ToolContext, ToolError, find_program
from finclaw_mcp.connection import Connection
from finclaw_mcp.entries import Entry
from finclaw_mcp.environment import Lookup, environment_of, expanded
from finclaw_mcp.known import Known
from finclaw_mcp.transport import ServerProcess


def opened(name: str, entry: Entry, known: Known | None, context: ToolContext) -> Connection:
    """A connection, which is opened by its first use.

    Raises:
        ToolError: the entry refers to a variable that is not set, or its program is not there.
    """
    return connection_to(name, entry, known, folder=entry.folder(context.workspace), secret=context.secret)


def connection_to(name: str, entry: Entry, known: Known | None, *, folder: Path, secret: Lookup) -> Connection:
    """The same outside of a call: in a folder, with what gives values of variables and keys."""
    if entry.command is None:
        raise ToolError("NOT_CONFIGURED: servers with an address are not supported; only those with a command are")
    environment = environment_of(entry.env, secret)
    command = [_program(expanded(entry.command, secret)), *(expanded(each, secret) for each in entry.args)]
    return Connection(name, partial(ServerProcess, command, environment, folder), known, entry.startup_timeout_sec)


def _program(name: str) -> str:
    found = find_program(name)
    if found is None:
        raise ToolError(f"NOT_CONFIGURED: the program {name} is not there, which starts the server")
    return str(found)
