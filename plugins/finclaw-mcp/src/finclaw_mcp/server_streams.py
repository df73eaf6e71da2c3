"""The server's end of stdin and stdout: one message a line, bounded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from finclaw_mcp.transport import MAX_LINE_BYTES


@asynccontextmanager
async def standard_streams(writing: int) -> AsyncIterator[tuple[Any, Any]]:
    """What comes from stdin, and what goes to the descriptor `writing`; each has a thread, as either may block.

    A line of more than 4 MiB ends the connection, as the end of stdin does. Tools read nothing from stdin.
    """
    received, incoming = anyio.create_memory_object_stream[Any](0)
    outgoing, sent = anyio.create_memory_object_stream[Any](0)
    stdin = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    tasks = [asyncio.create_task(_read(stdin, received)), asyncio.create_task(_write(writing, sent))]
    try:
        yield incoming, outgoing
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for stream in (received, incoming, outgoing, sent):
            stream.close()


async def _read(stdin: BinaryIO, received: Any) -> None:
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
    async with received:
        while line := await loop.run_in_executor(thread, stdin.readline, MAX_LINE_BYTES):
            if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
                return
            if line.strip():
                await received.send(_message(line))


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(writing: int, sent: Any) -> None:
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
    async for message in sent:
        line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        await loop.run_in_executor(thread, _write_all, writing, line)


def _write_all(writing: int, line: bytes) -> None:
    while line:
        line = line[os.write(writing, line) :]
