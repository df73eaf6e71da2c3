"""The stream of a plugin's provider: each chunk is checked, and each fault of the plugin is an error that names it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

import pytest

from finclaw_cli.core.chunks import Done, RawTurn, StreamChunk, TextDelta
from finclaw_cli.core.errors import PLUGIN_FAILED, ProviderError
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.engine import plugin_provider
from finclaw_cli.engine.plugin_provider import PluginOrigin, PluginProvider

REQUEST = ModelRequest(model="m", messages=(Message("user", "One?"),))
DONE = Done(stop_reason="end_turn")


class Streaming:
    """A provider of a plugin whose `stream` is a function of the test."""

    name = "acme"

    def __init__(self, stream: Callable[[ModelRequest], object]) -> None:
        self.stream = stream

    async def aclose(self) -> None:
        """Nothing is open."""


async def taken(stream: Callable[[ModelRequest], object]) -> list[StreamChunk]:
    provider = PluginProvider(
        cast("Provider", Streaming(stream)), PluginOrigin(provider="acme", dist="acme-provider"), 10
    )
    return [chunk async for chunk in provider.stream(REQUEST)]


def yielding(*chunks: object) -> Callable[[ModelRequest], AsyncGenerator[object, None]]:
    async def stream(_: ModelRequest) -> AsyncGenerator[object, None]:
        for chunk in chunks:
            yield chunk

    return stream


async def failed(stream: Callable[[ModelRequest], object]) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        await taken(stream)
    return raised.value


async def test_the_chunks_are_handed_on_in_their_order() -> None:
    raw = RawTurn(dialect="acme", model="m", blocks=({"type": "text"},))
    chunks = [TextDelta("One "), TextDelta("two."), Done(stop_reason="end_turn", raw=raw)]
    assert await taken(yielding(*chunks)) == chunks


@pytest.mark.parametrize(
    ("chunk", "kind"), [("words", "a value of type str"), (TextDelta, "the class TextDelta")], ids=["value", "class"]
)
async def test_what_is_no_chunk_is_a_fault_of_the_plugin(chunk: object, kind: str) -> None:
    error = await failed(yielding(chunk))
    assert (error.code, error.provider) == (PLUGIN_FAILED, "acme")
    assert f"its stream yielded {kind}, which is no chunk" in error.message


async def test_a_chunk_with_a_value_of_another_type_is_a_fault_of_the_plugin() -> None:
    assert (await failed(yielding(TextDelta(cast("Any", 7))))).code == PLUGIN_FAILED


async def test_a_chunk_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_provider, "MAX_EVENT_BYTES", 10)
    assert "event" in (await failed(yielding(TextDelta("x" * 11), DONE))).message


async def test_an_answer_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_provider, "MAX_TURN_BYTES", 10)
    assert "answer" in (await failed(yielding(TextDelta("x" * 6), TextDelta("x" * 6), DONE))).message


async def test_an_error_of_the_plugin_keeps_its_values_and_has_texts_of_bounded_length() -> None:
    async def stream(_: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        yield TextDelta("One ")
        raise ProviderError("x" * 100_000, reason="rate_limit", status=429, retry_after_s=2.5)

    error = await failed(stream)
    assert (error.reason, error.status, error.retry_after_s) == ("rate_limit", 429, 2.5)
    assert len(error.message) < 10_000


async def test_an_error_of_the_plugin_with_a_value_of_another_type_is_a_fault_of_the_plugin() -> None:
    async def stream(_: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        yield TextDelta("One ")
        raise ProviderError("no", reason="rate_limit", status=cast("Any", "429"))

    assert (await failed(stream)).code == PLUGIN_FAILED


async def coroutine(_: ModelRequest) -> None:
    """Yields nothing: no generator."""


@pytest.mark.parametrize(
    ("stream", "kind"), [(coroutine, "coroutine"), (lambda _: [DONE], "list")], ids=["a coroutine", "a list"]
)
async def test_a_stream_that_is_no_generator_is_a_fault_of_the_plugin(
    stream: Callable[[ModelRequest], object], kind: str
) -> None:
    expected = f"stream() returned a value of type {kind} in place of an asynchronous generator"
    assert expected in (await failed(stream)).message
