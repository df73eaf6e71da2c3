"""A provider whose answers come from rounds: a call of a model is a question of an item, and waits for its round."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from finclaw_cli.batch.collector import BatchedModel, Collector, Waiting
from finclaw_cli.batch.queue import Claim
from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.deadline import clock_held
from finclaw_cli.core.errors import ProviderError, UsageError
from finclaw_cli.core.json_text import JsonObject, canonical, jsonable
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine.connection import Connect, Connection
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.pacing import UNPACED
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.batches import EXPIRED, BatchApi, Batched

TIRED: Final = "rounds_expired"
"""The code of the error of a question that is to be asked at the full price."""
MOST_EXPIRED: Final = 2
_KEY_CHARS: Final = 32
_ADAPTED: Final = 3


Through = Callable[[Connect], Connect]
"""Puts something between a run and its connections."""


class Asking(Protocol):
    """How the items of a batch ask their models."""

    def run(self, claim: Claim) -> AbstractAsyncContextManager[Through]:
        """Run an item in the block."""
        ...

    @property
    def waiting(self) -> Waiting | None:
        """What the batch waits for; None where it does not ask in rounds."""
        ...

    async def aclose(self) -> None: ...


class AskingAtOnce:
    """Each request is made by itself."""

    waiting = None

    def run(self, claim: Claim) -> AbstractAsyncContextManager[Through]:  # noqa: ARG002
        return nullcontext(unchanged)

    async def aclose(self) -> None:
        """Close nothing."""


class AskingInRounds:
    """The requests of all items are made together, in rounds.

    Args:
        collector: makes the rounds.
        falls_back: whether a question that expired twice is asked at the full price.
    """

    def __init__(self, collector: Collector, *, falls_back: bool) -> None:
        self._collector = collector
        self._falls_back = falls_back
        self._apis: dict[Batched, BatchApi] = {}

    @property
    def waiting(self) -> Waiting | None:
        return self._collector.waiting

    @asynccontextmanager
    async def run(self, claim: Claim) -> AsyncGenerator[Through, None]:
        """Run an item in the block, in rounds unless those have expired."""
        if self._falls_back and await self._collector.expired(claim.line) >= MOST_EXPIRED:
            yield unchanged
            return
        with self._collector.run():
            yield partial(self._connect, claim)

    async def aclose(self) -> None:
        """Close the connections; what was sent goes on."""
        await self._collector.aclose()
        for api in self._apis.values():
            await api.aclose()

    def _connect(self, claim: Claim, connect: Connect) -> Connect:
        def through_rounds(ref: ModelRef) -> Connection:
            connection = connect(ref)
            wire = batched(connection)
            if wire not in self._apis:
                self._apis[wire] = wire.batch_api()
            model = BatchedModel(name=str(ref), api=self._apis[wire])
            provider = RoundProvider(
                connection.provider.name, wire, model, self._collector, claim, falls_back=self._falls_back
            )
            gate = Gate(SystemClock(), max_requests=1)
            return replace(connection, provider=provider, gate=gate, pacer=UNPACED, tier="batch")

        return through_rounds


def unchanged(connect: Connect) -> Connect:
    """The connections as they are."""
    return connect


class RoundProvider:
    """A `Provider` for the run of one item."""

    def __init__(
        self, name: str, wire: Batched, model: BatchedModel, collector: Collector, claim: Claim, *, falls_back: bool
    ) -> None:
        self.name = name
        self._wire = wire
        self._model = model
        self._collector = collector
        self._claim = claim
        self._falls_back = falls_back

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        """Yield the chunks of an answer, all at once."""
        key = question_key(self._claim, self._model.name, request)
        with clock_held():  # a round takes hours
            body = await self._answer(key, request)
        try:
            chunks = self._wire.answer(request.model, body)
        except ProviderError:
            await self._collector.forget(key)
            raise
        for chunk in chunks:
            yield chunk

    async def aclose(self) -> None:
        """Close nothing: the connection belongs to all items."""

    async def _answer(self, key: str, request: ModelRequest) -> JsonObject:
        body = self._wire.body(request)
        for _ in range(_ADAPTED):
            try:
                return await self._collector.answer(self._model, self._claim.line, key, body)
            except ProviderError as error:
                other = self._wire.adapted(request, body, error)
                if other == body:
                    raise await self._ended(error) from error
                body = other
        return await self._collector.answer(self._model, self._claim.line, key, body)

    async def _ended(self, error: ProviderError) -> ProviderError:
        may_fall_back = self._falls_back and error.code == EXPIRED
        if may_fall_back and await self._collector.expired(self._claim.line) >= MOST_EXPIRED:
            return ProviderError(error.message, reason="bad_request", code=TIRED, provider=error.provider)
        return error


def batched(connection: Connection) -> Batched:
    """The provider of a connection as one that can be asked in rounds.

    Raises:
        UsageError: it has no batch API.
    """
    if isinstance(connection.provider, Batched):
        return connection.provider
    raise UsageError(f"{connection.ref.provider} has no batch API that finclaw knows", code="no_batch_api")


def question_key(claim: Claim, model: str, request: ModelRequest) -> str:
    """The key of a question: of the item, the model, and the conversation so far.

    What may differ when a run is taken up again, the date in the system prompt for one, is no part of it.
    """
    asked = {"batch": claim.batch, "item": claim.item, "line": claim.line, "model": model}
    conversation = canonical({**asked, "messages": jsonable(request.messages), "schema": jsonable(request.schema)})
    return hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_CHARS]
