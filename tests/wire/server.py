"""A loopback server that plays scripted bytes: the other end of the wire, with all its faults.

Raw sockets and no HTTP framework, so that a test decides about every byte, every pause and the way the connection ends.
Used inside a test's loop (`async with VectorServer(reply) as server`) or from a thread of its own, for tests that start
a subprocess (`with threaded(reply) as server`).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

Ending = Literal["clean", "cut", "reset"]
Split = Literal["whole", "bytes", "events"] | Sequence[int]

MAX_HEAD = 1 << 20
GOODBYE_S = 0.1  # asyncio would wait half a minute for a client's
STEPS_TO_A_HANDLER = 5  # of the loop, from a connection that was accepted: in between nobody can close it


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted answer.

    `cut_at` drops the body from that offset on; `ending` says what happens after the last byte: `clean` (the framing's
    own end), `cut` (the connection closes without the last chunk), `reset` (RST). `stall` sends the bytes and then
    nothing, for ever. `delay_s` lies between two pieces, `wait_s` before the status line. `keep_alive` leaves the
    connection open for another request.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream; charset=utf-8"
    split: Split = "whole"
    delay_s: float = 0.0
    wait_s: float = 0.0
    cut_at: int | None = None
    ending: Ending = "clean"
    framing: Literal["chunked", "close", "length"] = "chunked"
    stall: bool = False
    keep_alive: bool = False

    @property
    def pieces(self) -> list[bytes]:
        """The body as it is written: cut off, then split."""
        body = self.body if self.cut_at is None else self.body[: self.cut_at]
        match self.split:
            case "whole":
                return [body] if body else []
            case "bytes":
                return [body[at : at + 1] for at in range(len(body))]
            case "events":
                return [part + b"\n\n" for part in body.split(b"\n\n") if part]
            case offsets:
                marks = [0, *sorted(offset for offset in offsets if 0 < offset < len(body)), len(body)]
                return [body[start:end] for start, end in itertools.pairwise(marks) if end > start]

    def head(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} Scripted", f"Content-Type: {self.content_type}"]
        if not self.keep_alive:
            lines.append("Connection: close")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if self.framing == "chunked":
            lines.append("Transfer-Encoding: chunked")
        elif self.framing == "length":
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode()

    def frame(self, piece: bytes) -> bytes:
        return b"%x\r\n%s\r\n" % (len(piece), piece) if self.framing == "chunked" else piece


@dataclass(slots=True)
class Seen:
    """One request as the server saw it. `left_at` is set when the client went away before the answer had ended."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    at: float
    left_at: float | None = None
    left: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def body(self) -> Any:
        """The parsed JSON body, or None."""
        return json.loads(self.raw) if self.raw else None


class VectorServer:
    """Plays its replies, one per request; the last one again for every further request, unless `repeat` is off."""

    def __init__(
        self, *replies: Reply, repeat: bool = True, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> None:
        self.replies = list(replies)
        self.repeat = repeat
        self.host = host
        self.connections = 0
        self._tls = tls
        self.requests: list[Seen] = []
        self.port = 0
        self.arrived = asyncio.Event()
        """Set with the first request."""
        self.connected = asyncio.Event()
        """Set with the first connection."""
        self._server: asyncio.Server | None = None
        self._handlers: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The root, as in `http://127.0.0.1:4711`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}"

    @property
    def bodies(self) -> list[Any]:
        """The JSON bodies of all requests, in order."""
        return [seen.body for seen in self.requests]

    async def __aenter__(self) -> Self:
        tls = {"ssl": self._tls, "ssl_shutdown_timeout": GOODBYE_S} if self._tls else {}
        self._server = await asyncio.start_server(self._accept, self.host, 0, limit=MAX_HEAD, **tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        for _ in range(STEPS_TO_A_HANDLER):
            await asyncio.sleep(0)
        self._server.close()
        for task in self._handlers:
            task.cancel()
        await asyncio.wait(self._handlers) if self._handlers else None
        await self._server.wait_closed()

    async def closed(self) -> None:
        """Wait until every connection is closed at this end."""
        if self._handlers:
            await asyncio.wait(self._handlers)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()
            writer.transport.abort()  # a goodbye that nobody answers is not waited for
            self._handlers.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.connected.set()
        while (await self._exchange(reader, writer)).keep_alive:
            pass

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Reply:
        seen = await _read_request(reader)
        self.requests.append(seen)
        self.arrived.set()
        reply = self._reply_for(len(self.requests) - 1)
        if reply.keep_alive:  # whoever watched for its end here would take the first byte of the next request
            await _send(reply, writer)
        else:
            await self._watched(reply, reader, writer, seen)
        return reply

    async def _watched(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Seen
    ) -> None:
        sending = asyncio.ensure_future(_send(reply, writer))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done() or sending.exception() is not None:
                seen.left_at = time.monotonic()
                seen.left.set()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.wait({sending, leaving})
            for task in (sending, leaving):
                _ = task.cancelled() or task.exception()
            seen.finished.set()

    def _reply_for(self, index: int) -> Reply:
        if index < len(self.replies):
            return self.replies[index]
        if self.repeat and self.replies:
            return self.replies[-1]
        return Reply(status=500, content_type="text/plain", body=b"the script has no reply for this", framing="length")


async def _read_request(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(method=method, path=path, headers=headers, raw=raw, at=time.monotonic())


async def _send(reply: Reply, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(reply.wait_s)
    writer.write(reply.head())
    async for piece in _paced(reply):
        writer.write(reply.frame(piece))
        await writer.drain()
    if reply.stall:
        await asyncio.Event().wait()
    if reply.ending == "reset":
        await asyncio.sleep(0.05)  # what was written must arrive first: a reset may overtake it
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    elif reply.ending == "clean" and reply.framing == "chunked":
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _paced(reply: Reply) -> AsyncIterator[bytes]:
    for number, piece in enumerate(reply.pieces):
        if number and reply.delay_s:
            await asyncio.sleep(reply.delay_s)
        yield piece


@contextlib.contextmanager
def threaded(*replies: Reply, repeat: bool = True, **address: Any) -> Iterator[VectorServer]:
    """The same server on a loop of its own thread, for tests that block: subprocesses and synchronous code."""
    server = VectorServer(*replies, repeat=repeat, **address)
    ready = threading.Event()
    stop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def run() -> None:
        stopped = asyncio.Event()
        async with server:
            stop.append((asyncio.get_running_loop(), stopped))
            ready.set()
            await stopped.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(10), "the server did not start"
    try:
        yield server
    finally:
        loop, stopped = stop[0]
        loop.call_soon_threadsafe(stopped.set)
        thread.join(10)


def sse(name: str, data: object) -> bytes:
    """One event; `data` is dumped unless it is text already, `name` is left out where empty."""
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def anthropic_sse(events: Iterable[Mapping[str, Any]]) -> bytes:
    """Named by their type, as Anthropic sends them."""
    return b"".join(sse(str(event.get("type", "")), event) for event in events)


def openai_sse(chunks: Iterable[Mapping[str, Any]], *, done: bool = True) -> bytes:
    """Unnamed, and `[DONE]` at the end, as Chat Completions sends them."""
    return b"".join(sse("", chunk) for chunk in chunks) + (b"data: [DONE]\n\n" if done else b"")


def responses_sse(events: Iterable[Mapping[str, Any]]) -> bytes:
    """Named by their type and numbered, as the Responses API sends them."""
    return b"".join(sse(str(event["type"]), {"sequence_number": at, **event}) for at, event in enumerate(events))


def json_reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A plain JSON answer: every error status, and servers that ignore `stream`."""
    return Reply(
        body=json.dumps(body).encode(),
        status=status,
        headers=headers or {},
        content_type="application/json",
        framing="length",
    )
