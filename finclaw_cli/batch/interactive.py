"""A run that shares a key with batches: its requests come before theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from finclaw_cli.batch.buckets import INTERACTIVE, Taker
from finclaw_cli.batch.pacing import Pacing
from finclaw_cli.batch.queue import QueueFailed
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from finclaw_cli.core.record import record
from finclaw_cli.engine.lanes import MOST_REQUESTS
from finclaw_cli.engine.pacing import PacedRequest, Pacer
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import home

PATIENCE_S: Final = 10.0
"""The longest such a request waits; after that the server decides."""


def interactive_pacer(settings: Settings, provider: str, config: ProviderConfig) -> Pacer:
    """The rate limits of one provider and key, for a run that a user waits for."""
    taker = Taker(id="interactive", rank=INTERACTIVE)
    pacing = Pacing(SqliteQueue(home()).buckets, taker, MOST_REQUESTS)
    return _Patient(inner=pacing.of(settings.models).pacer(provider, config))


@record(kw_only=True)
class _Patient:
    """Neither waits for long, nor fails where the queue of batches does."""

    inner: Pacer

    def admitted(self, model: str, input_tokens: int) -> AbstractAsyncContextManager[PacedRequest]:
        return self._admitted(model, input_tokens)

    def answered(self, model: str, headers: Mapping[str, str], after_s: float) -> None:
        self.inner.answered(model, headers, after_s)

    @asynccontextmanager
    async def _admitted(self, model: str, input_tokens: int) -> AsyncGenerator[PacedRequest, None]:
        request = PacedRequest()
        async with AsyncExitStack() as stack:
            with suppress(TimeoutError, QueueFailed):
                async with asyncio.timeout(PATIENCE_S):
                    request = await stack.enter_async_context(self.inner.admitted(model, input_tokens))
            yield request
