"""Streams with as many calls, blocks and parts of answers as a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.wire import anthropic_events as anthropic
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses

Event = dict[str, Any]
Events = Callable[[int], Iterable[Event]]


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


def other_blocks(count: int) -> Iterable[Event]:
    for number in range(count):
        yield from [anthropic.start(number, "future_block"), anthropic.stop(number)]
    yield from anthropic.end()


def nameless_calls(count: int) -> Iterable[Event]:
    yield from (chat.calls(chat.entry(number, f"c{number}", None, "{}")) for number in range(count))
    yield chat.STOP
