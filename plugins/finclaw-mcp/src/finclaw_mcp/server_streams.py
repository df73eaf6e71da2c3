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
from pydantic_core import from_json

from finclaw_cli.sdk.jsonrpc import refusal
from finclaw_mcp.transport import MAX_LINE_BYTES

NO_MESSAGE = (
    'Invalid request: a message is an object with "jsonrpc": "2.0", the method as a text, params as an object, and an '
    "id that is a text or a whole number"
)


@asynccontextmanager
async def standard_streams(writing: int) -> AsyncIterator[tuple[Any, Any]]:
    """What comes from stdin, and what goes to the descriptor `writing`; each has a thread, as either may block.

    A line that is no message gets an error as its answer. One of more than 4 MiB ends the connection, as
    the end of stdin does. Tools read nothing from stdin.
    """
    received, incoming = anyio.create_memory_object_stream[Any](0)
    outgoing, sent = anyio.create_memory_object_stream[Any](0)
    stdin = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    tasks = [asyncio.create_task(_read(stdin, received, outgoing.clone())), asyncio.create_task(_write(writing, sent))]
    try:
        yield incoming, outgoing
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for stream in (received, incoming, outgoing, sent):
            stream.close()


async def _read(stdin: BinaryIO, received: Any, refused: Any) -> None:
    """Pass on the messages of stdin; what is none is answered, and ends nothing."""
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
    async with received, refused:
        while line := await loop.run_in_executor(thread, stdin.readline, MAX_LINE_BYTES):
            if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
                return
            if not line.strip():
                continue
            try:
                message = _message(line)
            except ValueError as error:
                await refused.send(SessionMessage(types.JSONRPCError(**refusal(line, str(error)))))
            else:
                await received.send(SessionMessage(message))


def _message(line: bytes) -> types.JSONRPCMessage:
    """The message of a line.

    Raises:
        ValueError: it is none.
    """
    try:
        value = from_json(line)
    except ValueError as error:
        raise ValueError(f"The line cannot be read: {error}") from None
    try:
        message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError:
        raise ValueError(NO_MESSAGE) from None
    if isinstance(message, types.JSONRPCNotification) and value.get("id") is not None:  # it was left out as no id
        raise ValueError(NO_MESSAGE)
    return message


async def _write(writing: int, sent: Any) -> None:
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
    async for message in sent:
        line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        await loop.run_in_executor(thread, _write_all, writing, line)


def _write_all(writing: int, line: bytes) -> None:
    while line:
        line = line[os.write(writing, line) :]
