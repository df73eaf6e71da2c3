"""Every Responses vector, as bytes through a real socket, by either transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

import pytest
import pytest_asyncio

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire.openai_responses_vectors import ALL
from tests.wire.openai_responses_wire import over, stream, text_of
from tests.wire.openai_turns import Fault, Vector, ask, fault_of, raw_of, read, same
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import TRANSPORTS

# One loop, server and client for all: a client of its own would cost each test the reading of every trusted root.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=TRANSPORTS)
async def running(request: pytest.FixtureRequest) -> AsyncIterator[tuple[VectorServer, Provider]]:
    async with VectorServer() as server:
        provider = create_responses(ProviderConfig(base_url=server.url, transport=request.param))
        yield server, provider
        await provider.aclose()


@pytest.mark.parametrize("split", ["whole", "bytes"])
@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.says)
async def test_the_stream_means(
    vector: Vector, split: Literal["whole", "bytes"], running: tuple[VectorServer, Provider]
) -> None:
    server, provider = running
    server.requests.clear()
    server.replies = [Reply(body=vector.body, content_type=vector.content_type, split=split)]
    if isinstance(vector.means, Fault):
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        assert fault_of(caught.value, vector.means) == vector.means
        assert caught.value.provider == "openai"
    else:
        chunks = await ask(provider)
        assert same(read(chunks), vector.means)
        if vector.echo is not None:
            assert raw_of(chunks).blocks == vector.echo
    assert len(server.requests) == 1


@pytest.mark.parametrize("ending", ["cut", "reset"])
async def test_a_connection_that_breaks_before_the_end_is_a_failure(
    ending: Literal["cut", "reset"], running: tuple[VectorServer, Provider]
) -> None:
    server, provider = running
    server.replies = [Reply(body=stream(text_of("Hi")), ending=ending)]
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    assert (caught.value.reason, caught.value.code) == ("connection", "disconnected")


async def test_the_terminal_event_ends_the_turn_although_the_server_keeps_the_line_open(
    running: tuple[VectorServer, Provider],
) -> None:
    server, provider = running
    server.replies = [Reply(body=stream(text_of("Hi"), over()), stall=True)]
    assert read(await ask(provider)).text == "Hi"
