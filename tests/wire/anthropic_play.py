"""Playing a reply to the real adapter, or its bytes to the decoder alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import aclosing

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.http.sse import SseParser
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.anthropic.adapter import create
from finclaw_cli.providers.anthropic.decode import Decoder
from tests.wire.anthropic_events import begin, call, end, text, thinking
from tests.wire.server import Reply, VectorServer, anthropic_sse
from tests.wire.transports import Configure

QUESTION = ModelRequest(model="claude-sonnet-5", messages=(Message("user", "hi"),))
WITH_CALL = anthropic_sse([begin(), *thinking(0), *text(1, "안녕"), *call(2, '{"a": 1}'), *end("tool_use")])


async def play(reply: Reply, config: Configure) -> tuple[list[StreamChunk], ProviderError | None]:
    """One request to a server that plays the reply: the chunks until the end, and the error where there is one."""
    async with VectorServer(reply) as server:
        provider = create(config(api_key="sk-ant-secret", base_url=server.url))
        chunks: list[StreamChunk] = []
        try:
            async with aclosing(provider.stream(QUESTION)) as stream:
                async for chunk in stream:
                    chunks.append(chunk)  # noqa: PERF401 - what came before an error counts
        except ProviderError as error:
            return chunks, error
        finally:
            await provider.aclose()
        return chunks, None


def fed(events: Iterable[RawEvent], model: str = "m") -> Iterator[StreamChunk]:
    """What the events of a turn come to, as the adapter takes them."""
    decoder = Decoder(model)
    for event in events:
        yield from decoder.feed(event)
        if decoder.ended:
            return
    decoder.finish()


def parsed(body: bytes) -> list[RawEvent]:
    parser = SseParser("anthropic")
    events = list(parser.feed(body))
    last = parser.finish()
    return [*events, last] if last else events


def decoded(body: bytes) -> list[StreamChunk]:
    """The same without a socket, and with a clean end wherever the bytes stop."""
    return list(fed(parsed(body)))
