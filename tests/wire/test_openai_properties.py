"""What must hold for every stream, however it is cut or mixed. No sockets."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.openai.calls import Brackets
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from finclaw_cli.providers.openai.responses_decode import ResponsesDecoder
from finclaw_cli.providers.openai.usage import chat_usage, responses_usage
from finclaw_cli.providers.wire import Decoder
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.openai_turns import Turn, decode_bytes, decode_events, read


def chat_decoder() -> Decoder:
    return ChatDecoder(provider="test", model="m")


def responses_decoder() -> Decoder:
    return ResponsesDecoder(provider="test", model="m")


CHAT = chat.stream(
    chat.FIRST,
    chat.words("Hé 😀"),
    chat.calls(chat.entry(0, "call_1", "pay", '{"to":"b\\u00f6b"')),
    chat.calls(chat.entry(0, args="}")),
    chat.USE,
    chat.usage(),
)
RESPONSES = responses.stream(
    responses.created(),
    responses.text_of("Hé 😀"),
    responses.call_of("call_1", "pay", '{"to":"b\\u00f6b"', "}", index=1),
    responses.over(usage=responses.COUNTS),
)
WHOLE = [
    pytest.param(chat_decoder, CHAT, b'"tool_calls"}]}', id="chat"),
    pytest.param(responses_decoder, RESPONSES, b"event: response.completed", id="responses"),
]


@pytest.mark.parametrize(("decoder", "body", "marker"), WHOLE)
def test_a_stream_cut_at_any_byte_before_its_marker_is_a_failure_and_never_a_turn(
    decoder: Callable[[], Decoder], body: bytes, marker: bytes
) -> None:
    before = body.rindex(marker)
    for end in range(before):
        with pytest.raises(ProviderError) as caught:
            decode_bytes(decoder(), body[:end])
        assert (caught.value.reason, caught.value.code) == ("connection", "stream_truncated")


@pytest.mark.parametrize(("decoder", "body", "marker"), WHOLE)
def test_a_stream_cut_at_any_byte_behind_its_marker_is_the_same_turn_or_a_failure(
    decoder: Callable[[], Decoder], body: bytes, marker: bytes
) -> None:
    whole = read(decode_bytes(decoder(), body))
    for end in range(body.rindex(marker), len(body)):
        with contextlib.suppress(ProviderError):
            cut = read(decode_bytes(decoder(), body[:end]))
            assert (cut.text, cut.calls, cut.stop) == (whole.text, whole.calls, whole.stop)


CALLS = st.lists(
    st.tuples(st.sampled_from(["pay", "balance"]), st.dictionaries(st.text(max_size=3), st.integers(), max_size=3)),
    min_size=1,
    max_size=4,
)


def pieces_of(text: str, cuts: list[int]) -> list[str]:
    marks = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:end] for start, end in itertools.pairwise(marks)]


@st.composite
def mixed(draw: st.DrawFn) -> tuple[list[tuple[str, str]], list[tuple[int, int, str]]]:
    """Some calls, and their pieces in an order that keeps only each call's own."""
    made = [(name, json.dumps(arguments)) for name, arguments in draw(CALLS)]
    queues = [pieces_of(text, draw(st.lists(st.integers(0, 99), max_size=4))) for _, text in made]
    order: list[tuple[int, int, str]] = []
    taken = [0] * len(made)
    while open_calls := [call for call, queue in enumerate(queues) if taken[call] < len(queue)]:
        call = draw(st.sampled_from(open_calls))
        order.append((call, taken[call], queues[call][taken[call]]))
        taken[call] += 1
    return made, order


def calls_of(turn: Turn) -> list[tuple[str, str]]:
    return [(name, arguments) for _, name, arguments in turn.calls]


def in_order_of_appearance(made: list[tuple[str, str]], order: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    return [made[call] for call in dict.fromkeys(call for call, _, _ in order)]


@given(mixed(), st.booleans(), st.booleans())
def test_chat_calls_are_the_same_however_they_are_split_and_interleaved(
    mixture: tuple[list[tuple[str, str]], list[tuple[int, int, str]]], repeat_names: bool, with_index: bool
) -> None:
    made, order = mixture
    events = []
    for call, number, piece in order:
        named = repeat_names or number == 0
        identifier = f"call_{call}" if named or not with_index else None
        entry = chat.entry(call if with_index else None, identifier, made[call][0] if named else None, piece)
        events.append(RawEvent("", chat.calls(entry)))
    chunks = decode_events(chat_decoder(), [*events, RawEvent("", chat.USE)])
    assert calls_of(read(chunks)) == (made if with_index else in_order_of_appearance(made, order))


@given(mixed())
def test_responses_calls_are_the_same_however_they_are_split_and_interleaved(
    mixture: tuple[list[tuple[str, str]], list[tuple[int, int, str]]],
) -> None:
    made, order = mixture
    items = [responses.function(f"call_{call}", *made[call], call) for call in range(len(made))]
    told: list[dict[str, Any]] = [responses.added({**item, "arguments": ""}, call) for call, item in enumerate(items)]
    told += [responses.delta("function_call_arguments", piece, call) for call, _, piece in order]
    told += [responses.done(item, call) for call, item in reversed(list(enumerate(items)))]
    chunks = decode_events(responses_decoder(), [RawEvent("", event) for event in [*told, responses.over()]])
    assert calls_of(read(chunks)) == made


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab"\\\\{}[] é'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('ab"\\\\{}[]'), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON_VALUES), st.lists(st.integers(0, 200), max_size=9), st.booleans())
def test_an_object_closes_with_its_last_bracket_however_it_is_split(
    value: dict[str, Any], cuts: list[int], ascii_only: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    brackets = Brackets()
    for piece in pieces_of(text[:-1], cuts):
        brackets.feed(piece)
    assert not brackets.closed
    for piece in (text[-1], "}", '"'):
        brackets.feed(piece)
        assert brackets.closed


COUNT = st.none() | st.integers(-1, 1000)


@given(COUNT, COUNT, COUNT, COUNT)
def test_counts_are_disjoint_and_add_up_to_the_prompt(
    prompt: int | None, completion: int | None, cached: int | None, written: int | None
) -> None:
    details: JsonObject = {"cached_tokens": cached, "cache_write_tokens": written}
    for report in (
        chat_usage({"prompt_tokens": prompt, "completion_tokens": completion, "prompt_tokens_details": details}),
        responses_usage({"input_tokens": prompt, "output_tokens": completion, "input_tokens_details": details}),
    ):
        counts = (report.input, report.cache_read, report.cache_write, report.output)
        assert all(count is None or count >= 0 for count in counts)
        assert (report.input is None) == (prompt is None or prompt < 0)
        if report.input is not None:
            assert report.input + (report.cache_read or 0) + (report.cache_write or 0) == prompt


KEYS = (
    *("choices", "delta", "message", "content", "refusal", "finish_reason", "usage", "error", "status", "type"),
    *("tool_calls", "function", "index", "id", "name", "arguments", "item", "output_index", "response", "output"),
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text()
GARBAGE = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner), max_leaves=12
)


@given(GARBAGE, st.sampled_from(["", "json", "error", "response.completed", "response.output_item.done"]))
def test_garbage_is_never_more_than_a_provider_error(garbage: Any, name: str) -> None:
    for make in (chat_decoder, responses_decoder):
        with contextlib.suppress(ProviderError):
            decode_events(make(), [RawEvent(name, garbage)])
