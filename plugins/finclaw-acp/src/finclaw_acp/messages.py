"""The messages between finclaw and an editor: one JSON object a line."""

from __future__ import annotations

import asyncio
import json
from math import isfinite
from typing import Any

from finclaw_cli.sdk.jsonrpc import is_id, refusal

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line is refused."""
_PROMPT, _CANCEL, _CANCEL_REQUEST = "session/prompt", "session/cancel", "$/cancel_request"
_TOO_LONG = f"A message has more than {MAX_LINE_BYTES:,} bytes"


class EditorMessages:
    """A `Transport` of the SDK over two streams. A line that is no message is answered with an error, and ends nothing.

    Args of the constructor:
        reader: what the editor sends; its limit is `MAX_LINE_BYTES`.
        writer: what it gets.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._asked: dict[str, object] = {}
        """The sessions of the prompts that have no answer yet, by the ids of their requests."""

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None where the editor has left."""
        while line := await self._line():
            if not line.strip():
                continue
            try:
                message = json.loads(line, parse_constant=_finite, parse_float=_finite)
            except (ValueError, RecursionError):
                await self.send(refusal(line, "Parse error"))
                continue
            if _is_message(message):
                return self._understood(message)
            await self.send(refusal(line, "Invalid request"))
        return None

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message, when the editor has taken most of those before."""
        if "method" not in message:
            self._asked.pop(str(message.get("id")), None)
        self._writer.write(json.dumps(message, default=str, allow_nan=False).encode() + b"\n")
        await self._writer.drain()

    async def close(self) -> None:
        """Send nothing more."""
        self._writer.close()

    def _understood(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message; one that cancels the request of a prompt is one that cancels the run, which answers it."""
        given = message.get("params")
        params: dict[str, Any] = given if isinstance(given, dict) else {}
        if message.get("method") == _PROMPT:
            self._asked[str(message.get("id"))] = params.get("sessionId")
        elif message.get("method") == _CANCEL_REQUEST:
            session = self._asked.get(str(params.get("requestId")))
            return {"jsonrpc": "2.0", "method": _CANCEL, "params": {"sessionId": session or ""}}
        return message

    async def _line(self) -> bytes:
        """The next line; an empty text where the editor has left."""
        try:
            return await self._whole_line()
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""

    async def _whole_line(self) -> bytes:
        """The next line; a blank one in place of one that is too long, which is refused."""
        skipped = 0
        line = b""
        while not line:
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                skipped += len(await self._reader.readexactly(error.consumed))
        if skipped:
            await self.send(refusal(b"null", _TOO_LONG))
            return b"\n"
        return line


def _finite(text: str) -> float:
    """A finite number of JSON.

    Raises:
        ValueError: it is infinite, or no number.
    """
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _is_message(value: object) -> bool:
    """Whether it is a request, a notification or an answer, as far as their names and ids go."""
    if not isinstance(value, dict):
        return False
    is_named = isinstance(value.get("method"), str)
    return (is_named or "id" in value) and (value.get("id") is None or is_id(value["id"]))
