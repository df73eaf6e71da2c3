"""The messages between finclaw and an editor: one JSON object a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import Any

from finclaw_cli.sdk.jsonrpc import INVALID_REQUEST, is_id, refusal

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line is refused."""
_PROMPT, _CANCEL, _CANCEL_REQUEST = "session/prompt", "session/cancel", "$/cancel_request"
_ENDING = frozenset({_CANCEL, "session/close"})
"""Methods that end the run of their session."""
_NO_ANSWER = {"code": INVALID_REQUEST, "message": "The answer has no result, or not a result alone"}
_TOO_LONG = f"A message has more than {MAX_LINE_BYTES:,} bytes"


class EditorMessages:
    """A `Transport` of the SDK over two streams. A line that is no message is answered with an error, and ends nothing.

    Args of the constructor:
        reader: what the editor sends; its limit is `MAX_LINE_BYTES`.
        writer: what it gets.
        end_run: called with the id of a session as soon as a message is read that ends its run, so that no message
            after it counts for that run.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end_run: Callable[[str], None]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._end_run = end_run
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
        """Send a message, when the editor has taken most of those before; one that has left gets none."""
        if "method" not in message:
            self._asked.pop(str(message.get("id")), None)
        self._writer.write(json.dumps(message, default=str, allow_nan=False).encode() + b"\n")
        with suppress(ConnectionError):
            await self._writer.drain()

    async def close(self) -> None:
        """Send nothing more."""
        self._writer.close()

    def _understood(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message; one that cancels the request of a prompt is one that cancels the run, which answers it."""
        method, given = message.get("method"), message.get("params")
        if method is None:
            return _checked_answer(message)
        session = given.get("sessionId") if isinstance(given, dict) else None
        if method == _PROMPT:
            self._asked[str(message.get("id"))] = session
        elif method == _CANCEL_REQUEST:
            request = given.get("requestId") if isinstance(given, dict) else None
            method, session = _CANCEL, self._asked.get(str(request)) or ""
            message = {"jsonrpc": "2.0", "method": method, "params": {"sessionId": session}}
        if method in _ENDING and isinstance(session, str):
            self._end_run(session)
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


def _checked_answer(message: dict[str, Any]) -> dict[str, Any]:
    """The answer; an error in its place where it is not a result alone."""
    if message.get("jsonrpc") == "2.0" and "result" in message and "error" not in message:
        return message
    return {"jsonrpc": "2.0", "id": message["id"], "error": _NO_ANSWER}


def _is_message(value: object) -> bool:
    """Whether it is a request, a notification or an answer, as far as their names and ids go."""
    if not isinstance(value, dict):
        return False
    is_named = isinstance(value.get("method"), str)
    is_answer = "id" in value and value.get("method") is None
    return (is_named or is_answer) and (value.get("id") is None or is_id(value["id"]))
