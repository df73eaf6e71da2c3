"""A provider over one wire dialect: encode, send, adapt where a server refuses a parameter, decode."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Generic, Protocol, TypeVar

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import ProviderError, UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.record import record
from finclaw_cli.http.sse import WHOLE_BODY
from finclaw_cli.http.transport import RawEvent, Transport
from finclaw_cli.providers.batches import BatchApi


class Profile(Protocol):
    """The parameters that a server accepts, as far as both dialects have them."""

    @property
    def temperature(self) -> bool:
        """Whether a temperature is sent."""


P = TypeVar("P", bound=Profile)


class Decoder(Protocol):
    """Turns the events of one turn into chunks."""

    @property
    def ended(self) -> bool:
        """Whether the terminal marker came; nothing after it is read."""

    def feed(self, event: RawEvent) -> Iterable[StreamChunk]: ...

    def finish(self) -> Iterable[StreamChunk]:
        """End the turn, after the terminal marker or a clean end of the body.

        Raises:
            ProviderError: the turn is not whole.
        """
        ...


@record(kw_only=True)
class Dialect(Generic[P]):
    """How one wire is spoken. `P` is what is known about the server's ways."""

    encode: Callable[[ModelRequest, P], JsonObject]
    """Makes the body of a request, without lone surrogates, which cannot be sent."""
    decoder: Callable[[str], Decoder]
    """Makes a decoder for a model's turn."""
    adapt: Callable[[P, ProviderError, JsonObject], P | None]
    """What a refusal teaches about the server, if anything."""


_OF_STREAMS = frozenset({"stream", "stream_options"})


def no_batches() -> BatchApi:
    """The batch API of a server that has none.

    Raises:
        UsageError: always.
    """
    raise UsageError("this server has no batch API", code="no_batch_api")


class WireProvider(Generic[P]):
    """A `Provider` over one dialect. What a server refused is remembered, per model, for as long as this lives."""

    def __init__(
        self,
        *,
        name: str,
        transport: Transport,
        dialect: Dialect[P],
        profile: P,
        batch_api: Callable[[], BatchApi] = no_batches,
    ) -> None:
        self.batch_api = batch_api
        """Makes the way to the server's batches, which the caller closes."""
        self._name = name
        self._transport = transport
        self._dialect = dialect
        self._profile = profile
        self._learnt: dict[str, P] = {}

    @property
    def name(self) -> str:
        return self._name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        """Yield the chunks of one turn; closing the generator closes the connection at once.

        Raises:
            ProviderError: there is no whole turn; a connection that broke before the terminal marker gives none.
        """
        decoder = self._dialect.decoder(request.model)
        async with AsyncExitStack() as stack:
            async for event in await self._open(request, stack):
                for chunk in decoder.feed(event):
                    yield chunk
                if decoder.ended:
                    break
        for chunk in decoder.finish():
            yield chunk

    def left_out(self, model: str) -> frozenset[str]:
        """The fields that the server refused for this model and that are no longer sent."""
        return frozenset() if self._profile_of(model).temperature else frozenset({"temperature"})

    def body(self, request: ModelRequest) -> JsonObject:
        """The body of a request that is not streamed, as in a batch."""
        body = self._dialect.encode(request, self._profile_of(request.model))
        return {key: value for key, value in body.items() if key not in _OF_STREAMS}

    def answer(self, model: str, body: JsonObject) -> Sequence[StreamChunk]:
        """The chunks of an answer that came in one piece.

        Raises:
            ProviderError: it is not whole.
        """
        decoder = self._dialect.decoder(model)
        return [*decoder.feed(RawEvent(WHOLE_BODY, body)), *decoder.finish()]

    def adapted(self, request: ModelRequest, sent: JsonObject, error: ProviderError) -> JsonObject:
        """The body to send in place of one that was refused; the same where the refusal teaches nothing."""
        learnt = self._dialect.adapt(self._profile_of(request.model), error, sent)
        if learnt is not None:
            self._learnt[request.model] = learnt
        return self.body(request)

    def prepare(self) -> None:
        """Begin to connect."""
        self._transport.prepare()

    async def ready(self) -> None:
        """Wait until a request can be sent."""
        await self._transport.ready()

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def _open(self, request: ModelRequest, stack: AsyncExitStack) -> AsyncIterator[RawEvent]:
        tried: list[P] = []
        while True:
            profile = self._profile_of(request.model)
            tried.append(profile)
            body = self._dialect.encode(request, profile)
            try:
                return await stack.enter_async_context(self._transport.open(body))
            except ProviderError as error:
                learnt = self._dialect.adapt(profile, error, body)
                # Nothing is tried twice: a server that refuses both of two ways is not asked for ever.
                if learnt is None or learnt in tried:
                    raise
                self._learnt[request.model] = learnt

    def _profile_of(self, model: str) -> P:
        return self._learnt.get(model, self._profile)
