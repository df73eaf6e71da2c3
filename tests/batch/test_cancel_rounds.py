"""Rounds of which it is not known whether their batch was made, when the whole batch is cancelled."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.batch.cancel_rounds import CancelledRounds, cancel_rounds
from finclaw_cli.batch.queue import BatchQueue
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.providers.batches import Batched, BatchRequest
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.registry import anthropic
from finclaw_cli.testing.batch_apis import BatchApis
from tests.batch.queues import ask_in_round, new_items, one

BODY = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}]}'


@pytest.fixture
async def rounds(queue: BatchQueue) -> BatchQueue:
    await queue.submit("b", new_items(1), Decimal(1))
    await one(queue)
    await ask_in_round(queue, "first", "key")
    return queue


async def cancelled(queue: BatchQueue, url: str) -> CancelledRounds:
    provider = anthropic(ProviderConfig(api_key="k", base_url=url))

    def connect(ref: ModelRef) -> Connection:
        return Connection(ref=ref, provider=provider, gate=Gate(SystemClock(), max_requests=1))

    under_way = await queue.rounds.under_way("b")
    return await cancel_rounds(queue.rounds, under_way, connect)


async def make(url: str) -> None:
    provider = anthropic(ProviderConfig(api_key="k", base_url=url))
    assert isinstance(provider, Batched)
    api = provider.batch_api()
    await api.create("first", [BatchRequest(custom_id="first-key", body=BODY)])
    await api.aclose()


async def test_one_whose_batch_may_run_unseen_goes_on_and_is_named(rounds: BatchQueue, apis: BatchApis):
    apis.is_held = True
    await make(apis.url)
    found = await cancelled(rounds, apis.url)
    assert (found.requests, len(found.failed)) == (0, 1)
    assert [each.id for each in await rounds.rounds.under_way("b")] == ["first"]


async def test_one_that_was_never_made_ends(rounds: BatchQueue, apis: BatchApis):
    found = await cancelled(rounds, apis.url)
    assert (found.requests, found.failed) == (1, [])
    assert await rounds.rounds.under_way("b") == []
