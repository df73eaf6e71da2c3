"""The port between a decoder and whatever carries the bytes.

A transport posts one JSON body and gives back the server's events, undecoded but for their JSON. Behind it stands
HTTP/1.1 of our own, httpx2, or an official SDK's client; a decoder does not know which.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.record import record

# No event of a sane server is larger, and a line without an end must not fill the memory.
MAX_EVENT_BYTES = 8 * 1024 * 1024
MAX_TURN_BYTES = 64 * 1024 * 1024

OnAnswer = Callable[[str, Mapping[str, str], float], None]
"""Takes the model, the headers of an answer, and how many seconds after its request they came; must not raise."""


@record
class RawEvent:
    """One event of the wire: its `event:` name ("" where the server sends none) and its parsed JSON.

    Two names are ours: `[DONE]` (data is None) for that marker, and `json` for a server that answered a streaming
    request with one plain JSON body.
    """

    name: str
    data: JsonValue


class Transport(Protocol):
    """Posts a request and streams the answer.

    Raises `ProviderError` for every failure: statuses, transport errors, malformed or oversized events. It does not
    retry, and does not judge how a stream ends: demanding the terminal marker is the decoder's work. Leaving the
    context by an error or a cancel closes the connection at once; after a turn that was read it may serve the next.
    """

    def prepare(self) -> None:
        """Begin to connect, if that is possible; the first request reports a failure."""
        ...

    async def ready(self) -> None:
        """Wait until a request can be sent; if none can, the request reports the reason."""
        ...

    def open(self, body: JsonObject) -> AbstractAsyncContextManager[AsyncIterator[RawEvent]]: ...

    async def aclose(self) -> None: ...
