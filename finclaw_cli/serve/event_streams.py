"""Events for readers: server-sent events and WebSockets, whose data are the lines of NDJSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.serve.access import SUBPROTOCOL
from finclaw_cli.serve.clients import Client, Clients
from finclaw_cli.serve.connections import cut_off_of
from finclaw_cli.serve.follow import TooSlow
from finclaw_cli.serve.live_events import Numbered

STREAM = "text/event-stream"
KEEP_ALIVE = b": \n\n"
DONE, BAD_LINE, UNREADABLE, TOO_SLOW = 1000, 1008, 1011, 1013
GONE = 1005
"""The client has closed the connection."""
RESUME = "too slow: go on with ?after=SEQ"
MOST_REASON_BYTES = 120

Lines = AsyncGenerator[list[Numbered], None]
Obey = Callable[[dict[str, object]], str | None]
"""Does what a line of a client asks for; returns why it is none."""


class EventStream:
    """The answer that sends lines as server-sent events, where there is room for one more client."""

    def __init__(self, lines: Lines, clients: Clients, run_id: str) -> None:
        self._lines = lines
        self._clients = clients
        self._run_id = run_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request.

        Raises:
            Problem: there are too many clients; nothing was sent.
        """
        async with aclosing(self._lines):
            cut_off = cut_off_of(scope)
            with self._clients.connected(self._run_id, cut_off) as client:
                pieces = _sse_pieces(self._lines, client, cut_off)
                await StreamingResponse(pieces, media_type=STREAM)(scope, receive, send)


async def _sse_pieces(lines: Lines, client: Client, cut_off: Callable[[], None]) -> AsyncGenerator[bytes, None]:
    """The lines as server-sent events: `id` is the `seq` of the line in `data`; an empty batch is a comment.

    A reader that does not keep up is ended, as at the end of the run: it goes on by `Last-Event-ID`. Where the
    transcript cannot be read the connection is cut off, as there are lines that were not sent.
    """
    try:
        async for batch in lines:
            piece = b"".join([f"id: {of}\ndata: ".encode() + line + b"\n" for of, line in batch])
            with client.sending():
                yield piece or KEEP_ALIVE
    except TooSlow:
        pass
    except FinclawError:
        cut_off()


async def serve_websocket(socket: WebSocket, lines: Lines, clients: Clients, run_id: str, obey: Obey) -> None:
    """Send the lines, one a frame, and obey the lines that come, until the run has ended or the client has left.

    Raises:
        Problem: there are too many clients; nothing was sent.
    """
    with clients.connected(run_id, cut_off_of(socket.scope)) as client:
        await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
        sender = asyncio.create_task(_sent(socket, lines, client))
        receiver = asyncio.create_task(_obeyed(socket, obey))
        try:
            await asyncio.wait({sender, receiver}, return_when=asyncio.FIRST_COMPLETED)
            code, reason = (sender if sender.done() else receiver).result()
        finally:
            for task in (sender, receiver):
                task.cancel()
            await asyncio.wait({sender, receiver})
        if code != GONE:
            with suppress(WebSocketDisconnect, RuntimeError):
                await socket.close(code, reason)


async def _sent(socket: WebSocket, lines: Lines, client: Client) -> tuple[int, str]:
    """Send the lines; with which code and reason the connection is to be closed."""
    try:
        async with aclosing(lines):
            async for batch in lines:
                with client.sending():
                    for _, line in batch:
                        await socket.send({"type": "websocket.send", "text": line.decode("ascii")})
    except TooSlow:
        return TOO_SLOW, RESUME
    except FinclawError:
        return UNREADABLE, "the transcript cannot be read"
    except (WebSocketDisconnect, RuntimeError):  # the second where uvicorn has closed it for a frame that is too large
        return GONE, ""
    return DONE, ""


async def _obeyed(socket: WebSocket, obey: Obey) -> tuple[int, str]:
    try:
        while True:
            text = await socket.receive_text()
            if (wrong := _wrong(text, obey)) is not None:
                return BAD_LINE, wrong.encode()[:MOST_REASON_BYTES].decode("utf-8", "ignore")
    except (WebSocketDisconnect, KeyError):
        return GONE, ""


def _wrong(text: str, obey: Obey) -> str | None:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return "a line has to be JSON"
    return obey(line) if isinstance(line, dict) else "a line has to be a JSON object"
