"""HTTP/1.1 over one connection: requests one after the other, each with an answer that is read as it comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping

import h11

from finclaw_cli.http.connection_failures import UNANSWERED
from finclaw_cli.http.streams import ByteStream

# Servers that say much about themselves come with some ten thousand bytes of headers.
MAX_HEAD_BYTES = 100 * 1024
MAX_EARLY_BYTES = 1024 * 1024
"""How much of an answer is kept while its question is still being sent."""
FIRST_NO_SUCCESS = 300
MAX_HINTS = 100
"""How often a server may say that an answer will come (the statuses from 100 to 199)."""


class Connection:
    """A stream that speaks HTTP/1.1, and takes its next request when the answer to the last was read to its end."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
        self._has_sent_all = True
        self._early: list[bytes] = []
        self._is_over = False

    async def send(self, request: h11.Request, content: bytes) -> h11.Response:
        """Send a request and await the head of its answer, which may come before the request is sent.

        Raises:
            h11.ProtocolError: the request cannot be sent, or the response is no HTTP.
            OSError: the connection broke.
        """
        beginning = _Beginning(self._http)
        events = (request, h11.Data(data=content), h11.EndOfMessage())
        words = b"".join(self._http.send(event) or b"" for event in events)
        broken: ConnectionError | None = None
        try:
            self._has_sent_all = await self._stream.write(words, beginning.settles)
        except ConnectionError as error:
            # A server may refuse what it has only begun to read, and close: its response can still be read.
            broken, self._has_sent_all = error, False
        while beginning.head is None:
            received = await self._stream.read()
            if not received and broken:
                raise broken
            beginning.receive(received)
        self._early, self._is_over = beginning.pieces, beginning.is_over
        return beginning.head

    async def body(self) -> AsyncGenerator[bytes, None]:
        """The answer's bytes: all that has come in one piece, as soon as it has come."""
        pieces, self._early = self._early, []
        while not self._is_over:
            try:
                event = _next(self._http)
                while isinstance(event, h11.Data):
                    pieces.append(bytes(event.data))
                    event = _next(self._http)
            except h11.RemoteProtocolError:
                if pieces:
                    yield b"".join(pieces)
                raise
            if pieces:
                yield b"".join(pieces)
            if event is not h11.NEED_DATA:
                return
            pieces = []
            self._http.receive_data(await self._stream.read())
        yield b"".join(pieces)

    def take_next(self) -> bool:
        """Make ready for another request, if that is possible: bytes behind an answer would pass for the next one's."""
        if not self._has_sent_all or self._http.trailing_data != (b"", False):
            return False
        states = {self._http.our_state, self._http.their_state}
        if states == {h11.DONE}:
            self._http.start_next_cycle()
        return states in ({h11.DONE}, {h11.IDLE})

    def is_quiet(self) -> bool:
        """Whether the server has neither closed it nor sent anything unasked."""
        return self._stream.is_quiet()

    def close(self) -> None:
        self._stream.close()


class _Beginning:
    """An answer until its head is whole, and all of it that comes while the question is still being sent."""

    def __init__(self, http: h11.Connection) -> None:
        self._http = http
        self._hints = 0
        self._early_bytes = 0
        self.head: h11.Response | None = None
        self.pieces: list[bytes] = []
        self.is_over = False

    def settles(self, received: bytes) -> bool:
        """Take what arrives early; return whether the rest of the request is no longer needed."""
        self._early_bytes += len(received)
        if self._early_bytes > MAX_EARLY_BYTES:
            raise h11.RemoteProtocolError("the server answers at length, and does not listen")
        self.receive(received)
        if self.head is None:
            return False
        return not received or self.head.status_code >= FIRST_NO_SUCCESS or self._is_whole()

    def receive(self, received: bytes) -> None:
        """Take what came, and the head if it is whole with it.

        Raises:
            h11.RemoteProtocolError: no answer can come any more.
        """
        if not received and self.head is None:
            raise h11.RemoteProtocolError(UNANSWERED)
        self._http.receive_data(received)
        while self.head is None:
            match _next(self._http):
                case h11.Response() as response:
                    self.head = response
                case h11.InformationalResponse() if self._hints < MAX_HINTS:
                    self._hints += 1
                case h11.InformationalResponse():
                    raise h11.RemoteProtocolError("the server announces its answer, and never gives it")
                case h11.NEED_DATA:
                    return
                case event:
                    raise h11.RemoteProtocolError(f"{event!r} where an answer was expected")

    def _is_whole(self) -> bool:
        event = _next(self._http)
        while isinstance(event, h11.Data):
            self.pieces.append(bytes(event.data))
            event = _next(self._http)
        self.is_over = event is not h11.NEED_DATA
        return self.is_over


def _next(http: h11.Connection) -> type[h11.NEED_DATA | h11.PAUSED] | h11.Event:
    try:
        return http.next_event()
    except h11.RemoteProtocolError as error:
        message, quoted, _ = str(error).partition(": bytearray")
        raise h11.RemoteProtocolError(f"what came back is no HTTP/1.1: {message}" if quoted else message) from None


class Answer:
    """An answer whose body is still to be read. To leave it early costs the connection."""

    def __init__(self, connection: Connection, head: h11.Response, leave: Callable[[Connection], None]) -> None:
        self._connection = connection
        self._leave: Callable[[Connection], None] | None = leave
        self.head = head
        self.status_code = head.status_code
        self.headers = _joined(head)

    @property
    def is_success(self) -> bool:
        return 200 <= self.status_code < 300  # noqa: PLR2004 - the class of statuses

    def aiter_raw(self) -> AsyncIterator[bytes]:
        """The body as it comes, in its coding."""
        return self._connection.body()

    async def aclose(self) -> None:
        """Give the connection back. May be called more than once."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave(self._connection)


def _joined(head: h11.Response) -> Mapping[str, str]:
    """The headers by their names in lower case; the values of a repeated header are joined."""
    values: dict[str, list[str]] = {}
    for name, value in head.headers:
        values.setdefault(name.decode("ascii"), []).append(value.decode("utf-8", "replace"))
    return {name: ", ".join(parts) for name, parts in values.items()}
