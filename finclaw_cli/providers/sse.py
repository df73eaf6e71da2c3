"""Server-sent events off an open HTTP response, with our own caps: what every SDK transport stands on.

Linear in the bytes that come, whichever way they are split; nothing is decoded before its line is whole, so a code
point cut in two is never seen.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Protocol

from pydantic import JsonValue

from finclaw_cli.providers.failures import from_exception, malformed, not_a_stream, oversized
from finclaw_cli.providers.transport import MAX_EVENT_BYTES, MAX_TURN_BYTES, RawEvent

DONE_MARKER = "[DONE]"
WHOLE_BODY = "json"
_BOM = b"\xef\xbb\xbf"
_NEWLINES = (b"\n", b"\r")


class HttpStream(Protocol):
    """The part of an HTTP client's streamed response that is needed here."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def aiter_bytes(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class SseParser:
    """Bytes in, events out. Feed it pieces cut anywhere, then `finish` once the body has ended cleanly."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._tail = bytearray()
        self._after_cr = False
        self._first_line = True
        self._name = ""
        self._data: list[bytes] = []
        self._event_bytes = 0
        self._turn_bytes = 0

    def feed(self, piece: bytes) -> Iterator[RawEvent]:
        """The events that became whole with this piece."""
        self._turn_bytes += len(piece)
        if self._turn_bytes > MAX_TURN_BYTES:
            raise oversized(self._provider, "answer", MAX_TURN_BYTES)
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
            self._after_cr = False
        if not piece:
            return
        self._after_cr = piece.endswith(b"\r")
        lines = piece.splitlines()
        rest = b"" if piece.endswith(_NEWLINES) else lines.pop()
        for line in lines:
            if event := self._line(self._completed(line)):
                yield event
        self._tail += rest
        if self._event_bytes + len(self._tail) > MAX_EVENT_BYTES:
            raise oversized(self._provider, "event", MAX_EVENT_BYTES)

    def finish(self) -> RawEvent | None:
        """A last event that lacks nothing but its blank line. Half an event is none: the decoder will miss it."""
        try:
            return self._line(self._completed(b"")) or self._line(b"")
        except (ValueError, RecursionError):
            return None

    def _completed(self, line: bytes) -> bytes:
        if self._tail:
            line = bytes(self._tail) + line
            self._tail.clear()
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(_BOM)
        return line

    def _line(self, line: bytes) -> RawEvent | None:
        if not line:
            return self._dispatch()
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value[1:] if value.startswith(b" ") else value)
            self._event_bytes += len(line)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace").strip()
        return None

    def _dispatch(self) -> RawEvent | None:
        text = (self._data[0] if len(self._data) == 1 else b"\n".join(self._data)).decode("utf-8", "replace")
        name = self._name
        self._data, self._name, self._event_bytes = [], "", 0
        if not text.strip():
            return None
        if text.strip() == DONE_MARKER:
            return RawEvent(DONE_MARKER, None)
        # Our own two names must not be forged by a server's.
        return RawEvent("" if name in (DONE_MARKER, WHOLE_BODY) else name, json.loads(text))


@asynccontextmanager
async def opened(sending: Awaitable[HttpStream], provider: str) -> AsyncGenerator[AsyncIterator[RawEvent], None]:
    """Await the response and read its events; whatever goes wrong is a `ProviderError`.

    Leaving closes the connection at once, also when the task was cancelled in the middle of a read.
    """
    try:
        response = await sending
    except Exception as error:
        raise from_exception(error, provider) from error
    try:
        async with aclosing(read_events(response, provider)) as events:
            yield events
    finally:
        await response.aclose()


async def read_events(response: HttpStream, provider: str) -> AsyncGenerator[RawEvent, None]:
    """The events of one response: of a stream, or the one event `json` of a plain JSON body."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    pieces = response.aiter_bytes()
    try:
        async with aclosing(_events(pieces, kind, provider)) as events:
            async for event in events:
                yield event
    except Exception as error:
        raise from_exception(error, provider) from error
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def _events(pieces: AsyncIterator[bytes], kind: str, provider: str) -> AsyncGenerator[RawEvent, None]:
    first = await _first_piece(pieces)
    if _is_json(kind, first):
        yield RawEvent(WHOLE_BODY, await _whole_json(first, pieces, provider))
        return
    if "html" in kind or first[:1] == b"<":
        raise not_a_stream(provider, kind)
    silent = True
    async with aclosing(_parsed(first, pieces, provider)) as events:
        async for event in events:
            silent = False
            yield event
    if silent and kind != "text/event-stream":
        raise not_a_stream(provider, kind)


async def _parsed(first: bytes, pieces: AsyncIterator[bytes], provider: str) -> AsyncGenerator[RawEvent, None]:
    parser = SseParser(provider)
    try:
        for event in parser.feed(first):
            yield event
        async for piece in pieces:
            for event in parser.feed(piece):
                yield event
    except (ValueError, RecursionError) as error:
        raise malformed(provider) from error
    if last := parser.finish():
        yield last


async def _first_piece(pieces: AsyncIterator[bytes]) -> bytes:
    async for piece in pieces:
        if piece:
            return piece
    return b""


def _is_json(kind: str, first: bytes) -> bool:
    """What the header says, or, where it says nothing of use, what the first byte says."""
    if kind == "text/event-stream":
        return False
    return first[:1] in (b"{", b"[") or (kind.endswith("json") and not first.startswith((b"data", b"event", b":")))


async def _whole_json(first: bytes, pieces: AsyncIterator[bytes], provider: str) -> JsonValue:
    body = bytearray(first)
    async for piece in pieces:
        body += piece
        if len(body) > MAX_EVENT_BYTES:
            raise oversized(provider, "answer", MAX_EVENT_BYTES)
    try:
        parsed: JsonValue = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise malformed(provider) from error
    return parsed
