"""Decoding takes time in proportion to what came, and an answer has no more calls and blocks than a turn may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from finclaw_cli.core.chunks import MAX_BLOCKS, MAX_CALLS
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from finclaw_cli.providers.openai.responses import create_responses
from finclaw_cli.providers.openai.responses_decode import ResponsesDecoder
from tests.growth import MOST, growth
from tests.wire import anthropic_events as anthropic
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.anthropic_play import fed
from tests.wire.openai_turns import ask, decode_events
from tests.wire.server import Reply, VectorServer, anthropic_sse
from tests.wire.transports import Configure

Event = dict[str, Any]
Events = Callable[[int], Iterable[Event]]


def decode_anthropic(events: Sequence[RawEvent]) -> object:
    return list(fed(events))


def decode_chat(events: Sequence[RawEvent]) -> object:
    return decode_events(ChatDecoder(provider="test", model="m"), events)


def decode_responses(events: Sequence[RawEvent]) -> object:
    return decode_events(ResponsesDecoder(provider="test", model="m"), events)


def anthropic_calls(same: bool, *pieces: str, stop: str = "tool_use") -> Events:
    def events(count: int) -> Iterable[Event]:
        for number in range(count):
            call = anthropic.call(number, *pieces, call_id="c" if same else f"c{number}", name="pay")
            yield from call if stop == "tool_use" else call[:-1]
        yield from anthropic.end(stop)

    return events


def citations(count: int) -> Iterable[Event]:
    begin, end = anthropic.text(0)
    cited = (anthropic.delta(0, "citations_delta", citation={"url": "u"}) for _ in range(count))
    return [begin, *cited, end, *anthropic.end()]


def chat_calls(same: bool) -> Events:
    def events(count: int) -> Iterable[Event]:
        for number in range(count):
            yield chat.calls(chat.entry(number, "c" if same else f"c{number}", "pay", "{}"))
        yield chat.USE

    return events


def chat_pieces_by_id(count: int) -> Iterable[Event]:
    """Ten pieces of each call, found by its id alone."""
    ids = [f"c{number}" for number in range(count)]
    yield from (chat.calls(chat.entry(number, name, "pay", '{"a":"')) for number, name in enumerate(ids))
    yield from (chat.calls(chat.entry(None, name, None, "x")) for name in ids * 10)
    yield chat.STOP


def chat_named_pieces(count: int) -> Iterable[Event]:
    """One call whose name comes with every piece, each of which may be the end of an object."""
    yield chat.calls(chat.entry(0, "c", "pay", '{"a":"'))
    yield from (chat.calls(chat.entry(0, "c", "pay", "}" * 10)) for _ in range(count))
    yield chat.calls(chat.entry(0, "c", "pay", '"}'), finish="tool_calls")


def chat_parts(count: int) -> Iterable[Event]:
    yield from (chat.chunk({"content": [{"type": "reference", "id": number}]}) for number in range(count))
    yield chat.STOP


def chat_details(count: int) -> Iterable[Event]:
    yield from (chat.chunk({"reasoning_details": [{"type": "t", "index": number}]}) for number in range(count))
    yield chat.STOP


def responses_calls(same: bool) -> Events:
    def events(count: int) -> Iterable[Event]:
        for number in range(count):
            yield from responses.call_of("c" if same else f"c{number}", "pay", "{}", index=number)
        yield responses.over()

    return events


def response_items(count: int) -> Iterable[Event]:
    yield responses.over(output=[{"type": "web_search_call", "id": f"ws_{number}"} for number in range(count)])


FEW, MANY = MAX_CALLS // 4, 5_000
LINEAR = {
    "anthropic: calls": (decode_anthropic, anthropic_calls(False, "{}"), FEW),
    "anthropic: calls of one id": (decode_anthropic, anthropic_calls(True, "{}"), FEW),
    "anthropic: calls that were cut": (decode_anthropic, anthropic_calls(False, "{", stop="max_tokens"), FEW),
    "anthropic: citations": (decode_anthropic, citations, MAX_BLOCKS // 4),
    "chat: calls": (decode_chat, chat_calls(False), FEW),
    "chat: calls of one id": (decode_chat, chat_calls(True), FEW),
    "chat: pieces by id": (decode_chat, chat_pieces_by_id, FEW),
    "chat: pieces with names": (decode_chat, chat_named_pieces, MANY),
    "chat: parts": (decode_chat, chat_parts, MAX_BLOCKS // 4),
    "responses: calls": (decode_responses, responses_calls(False), FEW),
    "responses: calls of one id": (decode_responses, responses_calls(True), FEW),
    "responses: items": (decode_responses, response_items, MAX_BLOCKS // 4),
}


@pytest.mark.parametrize(("decode", "events", "size"), LINEAR.values(), ids=LINEAR)
def test_four_times_the_events_take_four_times_the_work(
    decode: Callable[[Sequence[RawEvent]], object], events: Events, size: int
) -> None:
    def prepare(count: int) -> Callable[[], object]:
        raw = [RawEvent("", event) for event in events(count)]
        return lambda: decode(raw)

    assert growth(prepare, size) < MOST


def other_blocks(count: int) -> Iterable[Event]:
    for number in range(count):
        yield from [anthropic.start(number, "future_block"), anthropic.stop(number)]
    yield from anthropic.end()


def nameless_calls(count: int) -> Iterable[Event]:
    yield from (chat.calls(chat.entry(number, f"c{number}", None, "{}")) for number in range(count))
    yield chat.STOP


CAPPED = {
    "anthropic: calls": (create_anthropic, anthropic_calls(True, "{}"), MAX_CALLS, "calls"),
    "anthropic: blocks": (create_anthropic, other_blocks, MAX_BLOCKS, "blocks"),
    "anthropic: citations": (create_anthropic, citations, MAX_BLOCKS, "citations"),
    "chat: calls": (create_chat, chat_calls(True), MAX_CALLS, "calls"),
    "chat: calls without a name": (create_chat, nameless_calls, MAX_BLOCKS, "blocks"),
    "chat: parts": (create_chat, chat_parts, MAX_BLOCKS, "blocks"),
    "chat: details": (create_chat, chat_details, MAX_BLOCKS, "blocks"),
    "responses: calls": (create_responses, responses_calls(True), MAX_CALLS, "calls"),
    "responses: items": (create_responses, response_items, MAX_BLOCKS, "blocks"),
}


def body_of(create: Callable[[ProviderConfig], Provider], events: Iterable[Event]) -> bytes:
    if create is create_anthropic:
        return anthropic_sse(events)
    return chat.stream(*events) if create is create_chat else responses.stream(*events)


@pytest.mark.parametrize(("create", "events", "most", "what"), CAPPED.values(), ids=CAPPED)
async def test_an_answer_with_more_than_a_turn_may_have_is_an_error(
    create: Callable[[ProviderConfig], Provider], events: Events, most: int, what: str, config: Configure
) -> None:
    async with VectorServer(
        Reply(body=body_of(create, events(most))), Reply(body=body_of(create, events(most + 1)))
    ) as server:
        provider = create(config(api_key="k", base_url=server.url))
        assert await ask(provider)
        with pytest.raises(ProviderError, match=f"more than {most:,} {what}") as caught:
            await ask(provider)
        await provider.aclose()
    assert (caught.value.reason, caught.value.code) == ("server_error", "stream_oversized")
