"""The messages between finclaw and an editor: one JSON object a line."""

from __future__ import annotations

import asyncio
import json
from typing import Any

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line ends the connection."""
_NO_JSON, _NO_MESSAGE = (-32700, "Parse error"), (-32600, "Invalid request")


class EditorMessages:
    """A `Transport` of the SDK over two streams. A line that is no message is answered with an error, and ends nothing.

    Args of the constructor:
        reader: what the editor sends; its limit is that of a line.
        writer: what it gets.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None where the editor has left, or has sent a line that is too long."""
        while line := await self._line():
            if not line.strip():
                continue
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                await self._refuse(*_NO_JSON)
                continue
            if _is_message(message):
                return dict(message)
            await self._refuse(*_NO_MESSAGE)
        return None

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message, when the editor has taken most of those before."""
        self._writer.write(json.dumps(message, allow_nan=False).encode() + b"\n")
        await self._writer.drain()

    async def close(self) -> None:
        """Send nothing more."""
        self._writer.close()

    async def _line(self) -> bytes:
        try:
            return await self._reader.readuntil(b"\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            return b""

    async def _refuse(self, code: int, message: str) -> None:
        await self.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})


def _is_message(value: object) -> bool:
    """Whether it is a request, a notification or an answer, as far as their names and ids go."""
    if not isinstance(value, dict):
        return False
    number = value.get("id")
    is_named = isinstance(value.get("method"), str)
    return (is_named or "id" in value) and (number is None or (isinstance(number, int | str) and number is not True))
