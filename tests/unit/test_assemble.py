"""From chunks to a turn."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import (
    MAX_BLOCKS,
    MAX_CALLS,
    Done,
    ReasoningDelta,
    StreamChunk,
    TextDelta,
    ToolInputDelta,
    ToolUseEnd,
    ToolUseStart,
    UsageReport,
)
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import ReasoningBlock, TextBlock, ToolCall
from finclaw_cli.core.usage import StopReason
from finclaw_cli.engine.assemble import Assembled, Assembler, TextJoiner, ToolInputBuffer


def assemble(*chunks: StreamChunk) -> Assembled:
    assembler = Assembler()
    for chunk in chunks:
        assembler.add(chunk)
    return assembler.turn()


def whole_call(raw: str) -> ToolCall:
    buffer = ToolInputBuffer()
    buffer.start("c", "t")
    buffer.delta("c", raw)
    call = buffer.end("c")
    assert call is not None
    return call


def test_blocks_keep_the_order_in_which_they_came() -> None:
    turn = assemble(
        ReasoningDelta("hm"),
        ReasoningDelta("", "sig"),
        TextDelta("a"),
        ToolUseStart("1", "t"),
        ToolUseStart("2", "u"),
        ToolUseEnd("2"),
        ToolInputDelta("1", "{}"),
        ToolUseEnd("1"),
        TextDelta("b"),
        Done(stop_reason="tool_use"),
    )
    assert turn.message.content == (
        ReasoningBlock("hm", "sig"),
        TextBlock("a"),
        ToolCall("1", "t", {}),
        ToolCall("2", "u", {}),
        TextBlock("b"),
    )


def test_a_stream_without_its_end_is_no_turn() -> None:
    with pytest.raises(ProviderError, match="before the turn was whole") as raised:
        assemble(TextDelta("half"))
    assert raised.value.code == "stream_truncated"


def test_a_call_that_is_still_open_makes_a_tool_turn_a_broken_stream() -> None:
    with pytest.raises(ProviderError):
        assemble(ToolUseStart("1", "t"), ToolInputDelta("1", '{"a":'), Done(stop_reason="tool_use"))


@pytest.mark.parametrize(
    "late",
    [
        TextDelta("not"),
        ReasoningDelta("hm"),
        ToolUseStart("2", "t"),
        ToolInputDelta("1", "}"),
        ToolUseEnd("1"),
        UsageReport(output=1),
        Done(stop_reason="end_turn"),
    ],
    ids=lambda chunk: chunk.type,
)
def test_a_chunk_after_done_is_an_error(late: StreamChunk) -> None:
    chunks = (ToolUseStart("1", "t"), ToolUseEnd("1"), Done(stop_reason="tool_use"))
    with pytest.raises(ProviderError) as raised:
        assemble(*chunks, late)
    assert raised.value.code == "stream_malformed"


def test_input_after_its_calls_end_is_an_error() -> None:
    with pytest.raises(ProviderError) as raised:
        assemble(ToolUseStart("1", "t"), ToolInputDelta("1", "{}"), ToolUseEnd("1"), ToolInputDelta("1", "{}"))
    assert raised.value.code == "stream_malformed"


@pytest.mark.parametrize("ended", [(), (ToolUseEnd("1"),)], ids=["open", "ended"])
def test_a_call_that_starts_twice_is_an_error(ended: tuple[StreamChunk, ...]) -> None:
    with pytest.raises(ProviderError) as raised:
        assemble(ToolUseStart("1", "t"), *ended, ToolUseStart("1", "t"))
    assert raised.value.code == "stream_malformed"


def test_a_second_end_of_a_call_is_an_error() -> None:
    with pytest.raises(ProviderError) as raised:
        assemble(ToolUseStart("1", "t"), ToolUseEnd("1"), ToolUseEnd("1"))
    assert raised.value.code == "stream_malformed"


def test_a_turn_with_more_calls_than_it_may_have_is_an_error() -> None:
    calls = [
        chunk for number in range(MAX_CALLS + 1) for chunk in (ToolUseStart(f"{number}", "t"), ToolUseEnd(f"{number}"))
    ]
    assert len(assemble(*calls[: 2 * MAX_CALLS], Done(stop_reason="tool_use")).message.tool_calls) == MAX_CALLS
    with pytest.raises(ProviderError, match="more than 1,000 calls") as raised:
        assemble(*calls)
    assert raised.value.code == "stream_oversized"


def test_a_turn_with_more_blocks_than_it_may_have_is_an_error() -> None:
    with pytest.raises(ProviderError, match="more than 10,000 blocks") as raised:
        assemble(*(chunk for _ in range(MAX_BLOCKS) for chunk in (TextDelta("a"), ReasoningDelta("b"))))
    assert raised.value.code == "stream_oversized"


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "content_filter", "end_turn", "unknown"])
def test_calls_of_a_turn_that_did_not_stop_for_them_are_dropped(stop: StopReason) -> None:
    turn = assemble(TextDelta("x"), ToolUseStart("1", "t"), ToolUseEnd("1"), Done(stop_reason=stop))
    assert turn.message.content == (TextBlock("x"),)


def test_empty_input_is_an_empty_object() -> None:
    assert whole_call("") == ToolCall("c", "t", {})


def test_numbers_are_kept_exact() -> None:
    assert whole_call('{"amount": 0.1234567890123456789}').input == {"amount": Decimal("0.1234567890123456789")}


@pytest.mark.parametrize(
    "raw",
    [
        "[1]",
        "1",
        "null",
        "{",
        '{"a":1}x',
        '{"a":1,"a":2}',
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":1e999}',
        '{"a":"\\ud800"}',
    ],
)
def test_input_that_is_not_one_strict_object_is_marked_invalid(raw: str) -> None:
    call = whole_call(raw)
    assert call.invalid
    assert call.input == {}


def test_deltas_and_ends_without_a_start_are_ignored() -> None:
    buffer = ToolInputBuffer()
    buffer.delta("x", "{}")
    assert buffer.end("x") is None


def test_the_newest_usage_wins_field_by_field() -> None:
    turn = assemble(UsageReport(input=10, output=1), UsageReport(output=7), Done(stop_reason="end_turn"))
    assert turn.usage is not None
    assert (turn.usage.input, turn.usage.output) == (10, 7)


def test_usage_that_nobody_reported_is_unknown() -> None:
    assert assemble(Done(stop_reason="end_turn")).usage is None


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.booleans()), st.data())
def test_any_split_of_the_json_gives_the_same_input(value: dict[str, object], data: st.DataObject) -> None:
    raw = json.dumps(value)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    buffer = ToolInputBuffer()
    buffer.start("c", "t")
    for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
        buffer.delta("c", raw[start:end])
    assert buffer.end("c") == whole_call(raw)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40), st.data())
def test_surrogate_pairs_cut_between_deltas_are_joined(text: str, data: st.DataObject) -> None:
    units = [chr(int.from_bytes(pair, "little")) for pair in _pairs(text.encode("utf-16-le"))]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(units)), max_size=5)))
    joiner = TextJoiner()
    parts = [joiner.feed("".join(units[a:b])) for a, b in zip([0, *cuts], [*cuts, len(units)], strict=True)]
    assert "".join(parts) + joiner.flush() == text


def _pairs(data: bytes) -> list[bytes]:
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def test_a_lone_surrogate_is_replaced() -> None:
    joiner = TextJoiner()
    assert joiner.feed("a\ud83d") + joiner.feed("b") + joiner.flush() == "a\ufffdb"


def test_a_call_that_the_decoder_found_invalid_is_a_call_with_that_reason() -> None:
    turn = assemble(ToolUseStart("c", "t"), ToolUseEnd("c", "it was cut off"), Done(stop_reason="tool_use"))
    assert turn.message.tool_calls == (ToolCall("c", "t", {}, invalid="it was cut off"),)


def test_the_end_of_a_call_that_never_began_is_passed_over() -> None:
    turn = assemble(TextDelta("a"), ToolUseEnd("c"), Done(stop_reason="end_turn"))
    assert turn.message.content == (TextBlock("a"),)


def test_words_after_the_end_of_the_answer_are_an_error() -> None:
    assembler = Assembler()
    assembler.add(Done(stop_reason="end_turn"))
    with pytest.raises(ProviderError):
        assembler.say("more")
