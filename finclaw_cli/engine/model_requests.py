"""One request to a model: kept before it is sent, watched while it streams, and paid for however it ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.deadline import ProgressTimeout
from finclaw_cli.core.errors import PLUGIN_FAILED, ProviderError
from finclaw_cli.core.ports import ConversationLog, ModelRequest, SupportsWarmup
from finclaw_cli.core.record import record
from finclaw_cli.engine.assemble import Assembled, Assembler
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.request import ModelRef, RunLimits
from finclaw_cli.engine.spending import Expected, FinishedRequest, RequestPosition, Spending, StartedRequest

# After these the server may have done its work all the same.
_UNHEARD = frozenset({"timeout", "connection", PLUGIN_FAILED})
_NEVER_SENT = frozenset({"connect_failed", "connect_timeout", "proxy_failed"})

Take = Callable[[StreamChunk], Awaitable[None] | None]
"""Takes a chunk; returns what is to be awaited, where it has to be shown."""


@record(kw_only=True)
class ModelRequestRunner:
    """Makes the requests of one run."""

    spending: Spending
    log: ConversationLog
    limits: RunLimits

    async def __call__(
        self,
        connection: Connection,
        request: ModelRequest,
        place: RequestPosition,
        expected: Expected,
        *,
        streamed: Assembler,
        take: Take,
    ) -> Assembled:
        """Stream one answer; `take` is called with each chunk and gives `streamed` what belongs to it.

        Raises:
            ProviderError: there was none, or it is not whole.
            OverBudget: there is no money for it.
        """
        async with connection.pacer.admitted(connection.ref.model, expected.tokens) as paced:
            begun = await self.spending.begin(connection, request, place, expected)
            ended = FinishedRequest(status="interrupted", streamed=streamed)
            try:
                turn = await self._answer(begun, streamed, take)
                ended = FinishedRequest(status="complete", streamed=streamed)
            except ProviderError as error:
                ended = FinishedRequest(status="failed", streamed=streamed, took_nothing=_took_nothing(error, streamed))
                raise
            finally:
                paced.usage = (await self.spending.end(begun, ended)).usage
        return turn

    async def _answer(self, begun: StartedRequest, streamed: Assembler, take: Take) -> Assembled:
        connection, place = begun.connection, begun.place
        await self.log.add_request(
            begun.request,
            provider=connection.ref.provider,
            turn=place.turn,
            attempt=place.attempt,
            purpose=place.purpose,
        )
        if isinstance(connection.provider, SupportsWarmup):
            await connection.provider.ready()
        stream = connection.provider.stream(begun.request)
        try:
            async with (
                aclosing(stream),
                ProgressTimeout(first_s=self.limits.first_chunk_s, idle_s=self.limits.idle_s) as progress,
            ):
                async for chunk in stream:
                    progress.hold()  # while our own readers are slow, the provider is not to blame
                    if (pending := take(chunk)) is not None:
                        await pending
                    progress.touch()
        except TimeoutError:
            raise _stalled(connection.ref) from None
        return streamed.turn()


def _stalled(ref: ModelRef) -> ProviderError:
    return ProviderError(
        f"{ref} sent nothing for too long",
        reason="timeout",
        code="stream_stalled",
        provider=ref.provider,
        hint="Raise --first-chunk-timeout or --idle-timeout if the model needs longer.",
    )


def _took_nothing(error: ProviderError, streamed: Assembler) -> bool:
    """Whether a request was refused before anything was done for it, which is not billed."""
    return streamed.is_empty and (_UNHEARD.isdisjoint({error.reason, error.code}) or error.code in _NEVER_SENT)
