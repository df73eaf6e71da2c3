"""The connection to the editor: JSON-RPC over stdin and stdout."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence

from acp import run_agent

from finclaw_acp.agent import EditorAgent
from finclaw_acp.messages import MAX_LINE_BYTES, EditorMessages


async def serve(models: Sequence[str], writing: int) -> None:
    """Serve the editor at stdin until it leaves; then end all runs.

    Args:
        models: those that the editor may choose.
        writing: the descriptor that messages to it are written to.
    """
    logging.getLogger().addHandler(logging.NullHandler())  # the SDK reports to the editor what it logs with a traceback
    reader, writer = await _streams(writing)
    await serve_streams(EditorAgent(models), reader, writer)


async def serve_streams(agent: EditorAgent, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve an editor at these streams until it leaves; then end all runs."""
    try:
        await run_agent(agent, EditorMessages(reader, writer), use_unstable_protocol=True)
    finally:
        await asyncio.shield(agent.aclose())


async def _streams(writing: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """What comes from stdin, and what goes to a descriptor. Tools read nothing from stdin."""
    loop = asyncio.get_running_loop()
    stdin, nowhere = os.fdopen(os.dup(0), "rb"), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    reader = asyncio.StreamReader(limit=MAX_LINE_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(writing, "wb"))
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)
