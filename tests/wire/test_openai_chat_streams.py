"""Every Chat Completions vector, as bytes through a real socket, by either transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
import pytest_asyncio

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from tests.wire.openai_chat_vectors import ALL
from tests.wire.openai_chat_wire import STOP, calls, entry, stream, usage, words
from tests.wire.openai_turns import Fault, Vector, ask, fault_of, raw_of, read, same
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import TRANSPORTS

# One loop, server and client for all: a client of its own would cost each test the reading of every trusted root.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=TRANSPORTS)
async def running(request: pytest.FixtureRequest) -> AsyncIterator[tuple[VectorServer, Provider]]:
    async with VectorServer() as server:
        provider = create_chat(ProviderConfig(base_url=server.url, transport=request.param))
        yield server, provider
        await provider.aclose()


@pytest.fixture
def server(running: tuple[VectorServer, Provider]) -> VectorServer:
    running[0].requests.clear()
    return running[0]


@pytest.fixture
def provider(running: tuple[VectorServer, Provider]) -> Provider:
    return running[1]


@pytest.mark.parametrize("split", ["whole", "bytes"])
@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.says)
async def test_the_stream_means(
    vector: Vector, split: Literal["whole", "bytes"], server: VectorServer, provider: Provider
) -> None:
    server.replies = [Reply(body=vector.body, content_type=vector.content_type, split=split)]
    if isinstance(vector.means, Fault):
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        assert fault_of(caught.value, vector.means) == vector.means
        assert caught.value.provider == "openai-compatible"
    else:
        chunks = await ask(provider)
        assert same(read(chunks), vector.means)
        if vector.echo is not None:
            assert raw_of(chunks).blocks == vector.echo
    assert len(server.requests) == 1


ANSWER = stream(words("Hello"), STOP)


BROKEN = [
    pytest.param({"ending": "cut", "framing": "chunked"}, id="no last chunk"),
    pytest.param({"ending": "cut", "framing": "length"}, id="too few bytes"),
    pytest.param({"ending": "reset"}, id="a reset"),
]


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("before", [b"stop", b'{"id": "chatcmpl-1", "choices": [], "usage"', b"data: [DONE]"])
async def test_a_connection_that_breaks_before_the_done_marker_is_a_failure(
    broken: dict[str, Any], before: bytes, server: VectorServer, provider: Provider
) -> None:
    body = stream(words("Hello"), STOP, usage())
    server.replies = [Reply(body=body, cut_at=body.index(before), **broken)]
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    assert (caught.value.reason, caught.value.code) == ("connection", "disconnected")


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_connection_that_breaks_behind_usage_is_a_failure(
    broken: dict[str, Any], server: VectorServer, provider: Provider
) -> None:
    body = stream(calls(entry(0, "call_1", "pay", "")), usage(), calls(entry(0, args='{"to":"bob"}')))
    server.replies = [Reply(body=body, cut_at=body.index(b"data: [DONE]"), **broken)]
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    assert (caught.value.reason, caught.value.code) == ("connection", "disconnected")


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_connection_that_breaks_behind_the_done_marker_takes_nothing_away(
    broken: dict[str, Any], server: VectorServer, provider: Provider
) -> None:
    body = ANSWER + b": more that never comes"
    server.replies = [Reply(body=body, cut_at=len(ANSWER), **broken)]
    assert read(await ask(provider)).text == "Hello"


async def test_the_done_marker_ends_the_turn_although_the_server_keeps_the_line_open(
    server: VectorServer, provider: Provider
) -> None:
    server.replies = [Reply(body=ANSWER, stall=True)]
    assert read(await ask(provider)).text == "Hello"


async def test_a_web_page_is_not_an_answer(server: VectorServer, provider: Provider) -> None:
    server.replies = [Reply(body=b"<html>hello</html>", content_type="text/html")]
    with pytest.raises(ProviderError) as caught:
        await ask(provider)
    assert caught.value.code == "not_a_stream"


async def test_generated_ids_are_the_ones_that_go_back(server: VectorServer, provider: Provider) -> None:
    server.replies = [Reply(body=stream(calls(entry(0, None, "pay", "{}"), entry(1, None, "pay", "{}")), STOP))]
    chunks = await ask(provider)
    [message] = raw_of(chunks).blocks
    assert [call[0] for call in read(chunks).calls] == [call["id"] for call in message["tool_calls"]]  # type: ignore[index, union-attr, call-overload]
