"""Server-sent events off an open HTTP response, with our own caps: what every HTTP transport stands on.

Linear in the bytes that come, whichever way they are split; nothing is decoded before its line is whole, so a code
point cut in two is never seen.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import lru_cache
from typing import Protocol

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.http.codings import readable
from finclaw_cli.http.connection_failures import from_exception
from finclaw_cli.http.failures import malformed, not_a_stream, oversized, truncated
from finclaw_cli.http.transport import MAX_EVENT_BYTES, MAX_TURN_BYTES, RawEvent

DONE_MARKER = "[DONE]"
WHOLE_BODY = "json"
# What may follow a turn's last event: the end of the body, at once, or else it is not waited for.
MAX_REST_BYTES = 64 * 1024
MAX_REST_S = 0.1
LONGEST_KEPT_NAME = 64
_BOM = b"\xef\xbb\xbf"
_NEWLINES = (b"\n", b"\r")
_OWN_NAMES = (DONE_MARKER, WHOLE_BODY)
_DECODER = json.JSONDecoder()


class HttpStream(Protocol):
    """The part of an HTTP client's streamed response that is needed here."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    def aiter_raw(self) -> AsyncIterator[bytes]: ...

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
        self.is_silent = True
        """No event has come yet."""

    def feed(self, piece: bytes) -> Iterator[RawEvent]:
        """The events that became whole with this piece."""
        self._turn_bytes += len(piece)
        if self._turn_bytes > MAX_TURN_BYTES:
            raise oversized(self._provider, "answer", MAX_TURN_BYTES)
        for line in self._whole_lines(piece):
            if line.startswith(b"data:"):
                self._data.append(line[5:])
                self._event_bytes += len(line)
            elif line.startswith(b"event:") and len(line) <= LONGEST_KEPT_NAME:
                self._name = _name(line[6:])
            elif line:
                self._field(line)
            elif event := self._dispatch():
                yield event
        if self._event_bytes + len(self._tail) > MAX_EVENT_BYTES:
            raise oversized(self._provider, "event", MAX_EVENT_BYTES)

    def finish(self) -> RawEvent | None:
        """Return a last event that lacks nothing but its blank line.

        Raises:
            ProviderError: the body ended inside an event, or inside a line that is not a comment.
        """
        line = self._completed(b"")
        if line:
            self._field(line)
        try:
            event = self._dispatch()
        except (ValueError, RecursionError):
            raise truncated(self._provider) from None
        if event is None and line and not line.startswith(b":"):
            raise truncated(self._provider)
        return event

    def _whole_lines(self, piece: bytes) -> list[bytes]:
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
            self._after_cr = False
        if not piece:
            return []
        self._after_cr = piece.endswith(b"\r")
        lines = piece.splitlines()
        rest = b"" if piece.endswith(_NEWLINES) else lines.pop()
        if lines:
            lines[0] = self._completed(lines[0])
        self._tail += rest
        return lines

    def _completed(self, line: bytes) -> bytes:
        if self._tail:
            line = bytes(self._tail) + line
            self._tail.clear()
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(_BOM)
        return line

    def _field(self, line: bytes) -> None:
        field, _, value = line.partition(b":")
        if field == b"data":  # at the very end, or without a colon
            self._data.append(value)
        elif field == b"event":
            self._name = _name(value) if len(value) <= LONGEST_KEPT_NAME else value.decode("utf-8", "replace").strip()

    def _dispatch(self) -> RawEvent | None:
        data, name = self._data, self._name
        self._name = ""
        if not data:
            return None
        self._data, self._event_bytes = [], 0
        # The one space that may stand before a value is none of JSON's.
        text = (data[0] if len(data) == 1 else b"\n".join(data)).decode("utf-8", "replace").strip()
        if not text:
            return None
        self.is_silent = False
        if text == DONE_MARKER:
            return RawEvent(DONE_MARKER, None)
        value, end = _DECODER.raw_decode(text)  # half of what `json.loads` takes, which looks for blanks once more
        if end != len(text):
            raise ValueError("more than one JSON value")
        # Our own two names must not be forged by a server's.
        return RawEvent("" if name in _OWN_NAMES else name, value)


@lru_cache(maxsize=64)
def _name(value: bytes) -> str:
    """A stream has a handful of names, ten thousand times."""
    return value.decode("utf-8", "replace").strip()


@asynccontextmanager
async def opened(sending: Awaitable[HttpStream], provider: str) -> AsyncGenerator[AsyncIterator[RawEvent], None]:
    """Await the response and read its events; whatever goes wrong is a `ProviderError`.

    Leaving closes the connection at once, also when the task was cancelled in the middle of a read. Only after a turn
    that was read in peace the connection is kept for the next one.
    """
    try:
        response = await sending
    except Exception as error:
        raise from_exception(error, provider) from error
    pieces = response.aiter_raw()
    try:
        async with aclosing(read_events(pieces, response.headers, provider)) as events:
            yield events
        await _read_rest(pieces)
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()
        await response.aclose()


async def _read_rest(pieces: AsyncIterator[bytes]) -> None:
    """Read to the end of the body, without which an HTTP client cannot use the connection again."""
    rest = 0
    with suppress(Exception):  # nothing that breaks here takes anything away from the turn
        async with asyncio.timeout(MAX_REST_S):
            async for piece in pieces:
                rest += len(piece)
                if rest > MAX_REST_BYTES:
                    return


async def read_events(
    pieces: AsyncIterator[bytes], headers: Mapping[str, str], provider: str
) -> AsyncGenerator[RawEvent, None]:
    """The events of one response: of a stream, or the one event `json` of a plain JSON body."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    parser = SseParser(provider)
    try:
        async with readable(pieces, headers, provider) as body:
            first = await _first_piece(body)
            if _is_json(kind, first):
                yield RawEvent(WHOLE_BODY, await _whole_json(first, body, provider))
                return
            for event in parser.feed(_streamed(first, kind, provider)):
                yield event
            async for piece in body:
                for event in parser.feed(piece):
                    yield event
        if last := _last(parser, kind, provider):
            yield last
    except Exception as error:
        raise _named(error, provider) from error


def _streamed(first: bytes, kind: str, provider: str) -> bytes:
    if "html" in kind or first[:1] == b"<":
        raise not_a_stream(provider, kind)
    return first


def _last(parser: SseParser, kind: str, provider: str) -> RawEvent | None:
    is_no_stream = parser.is_silent and kind != "text/event-stream"
    try:
        last = parser.finish()
    except ProviderError:
        if not is_no_stream:
            raise
        last = None
    if last is None and is_no_stream:
        raise not_a_stream(provider, kind)
    return last


def _named(error: Exception, provider: str) -> ProviderError:
    return malformed(provider) if isinstance(error, ValueError | RecursionError) else from_exception(error, provider)


async def _first_piece(pieces: AsyncIterator[bytes]) -> bytes:
    async for piece in pieces:
        if piece:
            return piece
    return b""


def _is_json(kind: str, first: bytes) -> bool:
    """Whether it is JSON by its header, or, where that does not decide, by its first byte."""
    if kind == "text/event-stream":
        return False
    return first[:1] in (b"{", b"[") or (kind.endswith("json") and not first.startswith((b"data", b"event", b":")))


async def _whole_json(first: bytes, pieces: AsyncIterator[bytes], provider: str) -> JsonValue:
    body = bytearray(first)
    async for piece in pieces:
        body += piece
        if len(body) > MAX_EVENT_BYTES:
            raise oversized(provider, "answer", MAX_EVENT_BYTES)
    parsed: JsonValue = json.loads(body.decode("utf-8", "replace"))
    return parsed
