"""The connection to the editor: JSON-RPC over stdin and stdout."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

from acp import run_agent

from finclaw_acp.agent import EditorAgent
from finclaw_acp.messages import MAX_LINE_BYTES, EditorMessages
from finclaw_cli.errors import UsageError


async def serve(agent: EditorAgent, writing: int) -> None:
    """Serve the editor at stdin until it leaves; then end all runs.

    Args:
        agent: what it starts.
        writing: the descriptor that messages to it are written to.

    Raises:
        UsageError: stdin or stdout is a file.
    """
    logging.getLogger().addHandler(logging.NullHandler())  # the SDK reports to the editor what it logs with a traceback
    try:
        reader, writer = await _streams(writing)
    except (ValueError, OSError) as error:
        raise UsageError(
            "stdin and stdout have to be pipes", hint="Name the command finclaw acp in the settings of an editor."
        ) from error
    await serve_streams(agent, reader, writer)


async def serve_streams(agent: EditorAgent, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve an editor at these streams until it leaves; then end all runs."""
    known: Any = agent  # methods that it does not have are unknown ones for the SDK
    try:
        await run_agent(known, EditorMessages(reader, writer, agent.end_run), use_unstable_protocol=True)
    finally:
        await asyncio.shield(agent.aclose())


class _Written(asyncio.streams.FlowControlMixin):
    """What goes to the editor; where it reads no more, it has left, and nothing more is read from it."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__()
        self._reader = reader

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._reader.set_exception(ConnectionResetError())


async def _streams(writing: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """What comes from stdin, and what goes to a descriptor. Tools read nothing from stdin."""
    loop = asyncio.get_running_loop()
    stdin, nowhere = os.fdopen(os.dup(0), "rb"), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    reader = asyncio.StreamReader(limit=MAX_LINE_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    transport, protocol = await loop.connect_write_pipe(lambda: _Written(reader), os.fdopen(writing, "wb"))
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)
