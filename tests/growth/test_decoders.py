"""Decoding takes time in proportion to what came."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from finclaw_cli.core.chunks import MAX_BLOCKS, MAX_CALLS
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from finclaw_cli.providers.openai.responses_decode import ResponsesDecoder
from finclaw_cli.testing.growth import MOST, growth
from tests.wire.anthropic_play import fed
from tests.wire.many_events import (
    Events,
    anthropic_calls,
    chat_calls,
    chat_named_pieces,
    chat_parts,
    chat_pieces_by_id,
    citations,
    response_items,
    responses_calls,
)
from tests.wire.openai_turns import decode_events


def decode_anthropic(events: Sequence[RawEvent]) -> object:
    return list(fed(events))


def decode_chat(events: Sequence[RawEvent]) -> object:
    return decode_events(ChatDecoder(provider="test", model="m"), events)


def decode_responses(events: Sequence[RawEvent]) -> object:
    return decode_events(ResponsesDecoder(provider="test", model="m"), events)


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
