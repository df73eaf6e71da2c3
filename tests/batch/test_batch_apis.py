"""The batch APIs of both providers, as rounds use them: one contract."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from finclaw_cli.errors import ProviderError
from finclaw_cli.http.transport import MAX_TURN_BYTES
from finclaw_cli.providers.batches import EXPIRED, UNKNOWN_BATCH, BatchApi, Batched, BatchRequest
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.registry import anthropic, openai_chat, openai_responses
from finclaw_cli.testing.batch_apis import BatchApis
from tests.wire.server import Reply, VectorServer

LONG_AGO = datetime.now(UTC) - timedelta(days=1)
BODY = (
    b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],"input":[{"role":"user","content":"a"}]}'
)


@pytest.fixture(params=[anthropic, openai_responses, openai_chat])
async def api(request: pytest.FixtureRequest, apis: BatchApis) -> AsyncIterator[BatchApi]:
    provider = request.param(ProviderConfig(api_key="k", base_url=apis.url))
    assert isinstance(provider, Batched)
    made = provider.batch_api()
    yield made
    await made.aclose()


def requests(name: str, count: int) -> list[BatchRequest]:
    return [BatchRequest(custom_id=f"{name}-{number}", body=BODY) for number in range(count)]


async def test_every_request_has_one_result(api: BatchApi):
    batch = await api.create("n", requests("n", 40))
    results = [result async for result in api.results(batch)]
    assert sorted(result.custom_id for result in results) == sorted(f"n-{number}" for number in range(40))
    assert all(result.body and result.error is None for result in results)


async def test_a_batch_is_found_by_its_name_among_many_of_its_size(api: BatchApi):
    made = {name: await api.create(name, requests(name, 2)) for name in "abcdefg"}
    for name, batch in made.items():
        assert (await api.find(name, 2, LONG_AGO)).id == batch


async def test_a_batch_that_is_not_there_is_not_found(api: BatchApi):
    await api.create("a", requests("a", 2))
    found = await api.find("b", 2, LONG_AGO)
    assert (found.id, found.is_certain) == (None, True)


async def test_what_was_made_before_is_not_looked_at(api: BatchApi):
    for name in "abcd":
        await api.create(name, requests(name, 2))
    assert (await api.find("x", 2, datetime.now(UTC) + timedelta(hours=1))).id is None


async def test_a_batch_that_runs_is_found_or_its_absence_is_not_certain(api: BatchApi, apis: BatchApis):
    apis.is_held = True
    batch = await api.create("a", requests("a", 2))
    found = await api.find("a", 2, LONG_AGO)
    assert found.id == batch or not found.is_certain
    assert not (await api.state(batch)).has_ended


async def test_a_batch_of_another_round_that_runs_leaves_no_doubt(api: BatchApi, apis: BatchApis):
    apis.is_held = True
    other = await api.create("a", requests("a", 2))
    found = await api.find("b", 2, LONG_AGO, {other})
    assert (found.id, found.is_certain) == (None, True)


async def test_a_cancelled_batch_ends(api: BatchApi, apis: BatchApis):
    apis.is_held = True
    batch = await api.create("a", requests("a", 1))
    await api.cancel(batch)
    assert (await api.state(batch)).has_ended
    (result,) = [result async for result in api.results(batch)]
    assert result.error is not None
    assert not result.error.retryable


async def test_what_expired_is_not_billed_and_may_be_asked_again(api: BatchApi, apis: BatchApis):
    apis.endings["a"] = deque(["expired"])
    batch = await api.create("n", requests("n", 1))
    (result,) = [result async for result in api.results(batch)]
    assert result.error is not None
    assert (result.error.code, result.error.retryable) == (EXPIRED, True)


async def test_a_batch_of_another_account_is_an_error_of_the_key(api: BatchApi):
    with pytest.raises(ProviderError) as caught:
        await api.state("batch_other")
    assert (caught.value.code, caught.value.reason) == (UNKNOWN_BATCH, "auth")


async def test_a_state_larger_than_any_answer_is_cut_off():
    async with VectorServer(Reply(body=b" " * (MAX_TURN_BYTES + 1), content_type="application/json")) as server:
        provider = anthropic(ProviderConfig(api_key="k", base_url=server.url))
        assert isinstance(provider, Batched)
        api = provider.batch_api()
        with pytest.raises(ProviderError) as caught:
            await api.state("b")
        await api.aclose()
    assert caught.value.code == "stream_oversized"


RESULT = b'{"custom_id": "n-%d", "result": {"type": "succeeded", "message": {}}}'


@pytest.mark.parametrize("line", [b"not JSON", b"[" * 100_000, b'{"custom_id": "n-1", "result": NaN}', b"\xff"])
async def test_a_line_that_is_no_result_costs_its_own_question_only(line: bytes):
    lines = b"\n".join((RESULT % 1, line, b"", RESULT % 2)) + b"\n"
    async with VectorServer(Reply(body=lines)) as server:
        provider = anthropic(ProviderConfig(api_key="k", base_url=server.url))
        assert isinstance(provider, Batched)
        api = provider.batch_api()
        results = [result.custom_id async for result in api.results("b")]
        await api.aclose()
    assert [each for each in results if each] == ["n-1", "n-2"]


async def test_results_that_are_cut_off_are_an_error():
    async with VectorServer(Reply(body=RESULT % 1 + b"\n" + (RESULT % 2)[:-5])) as server:
        provider = anthropic(ProviderConfig(api_key="k", base_url=server.url))
        assert isinstance(provider, Batched)
        api = provider.batch_api()
        with pytest.raises(ProviderError) as caught:
            _ = [result async for result in api.results("b")]
        await api.aclose()
    assert caught.value.code == "stream_malformed"
