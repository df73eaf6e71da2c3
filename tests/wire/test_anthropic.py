"""Anthropic's stream, from bytes on a socket by either transport to our chunks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import Done, StreamChunk, UsageReport
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.usage import StopReason
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.anthropic.decode import Decoder
from tests.wire.anthropic_events import begin, call, end, start, stop, text, told
from tests.wire.anthropic_faults import BROKEN
from tests.wire.anthropic_gateways import GATEWAYS
from tests.wire.anthropic_play import QUESTION, WITH_CALL, decoded, fed, parsed, play
from tests.wire.anthropic_vectors import VECTORS, Vector
from tests.wire.server import Reply, anthropic_sse, json_reply, sse
from tests.wire.transports import Configure


def check(vector: Vector, chunks: list[StreamChunk], error: ProviderError | None) -> None:
    assert told(chunks) == vector.says
    if vector.fails is not None:
        assert error is not None
        assert (error.reason, error.provider_code or error.code) == vector.fails
        return
    assert error is None
    done = chunks[-1]
    assert isinstance(done, Done)
    assert done.raw is not None
    assert (done.raw.dialect, done.raw.model) == ("anthropic-messages", "claude-sonnet-5")
    if vector.echo is not None:
        assert list(done.raw.blocks) == vector.echo


@pytest.mark.parametrize("vector", [*VECTORS, *GATEWAYS, *BROKEN], ids=lambda vector: vector.name)
async def test_a_vector_through_a_socket_becomes_these_chunks(vector: Vector, config: Configure) -> None:
    check(vector, *await play(Reply(body=anthropic_sse(vector.events)), config))


@pytest.mark.parametrize("vector", VECTORS[:6], ids=lambda vector: vector.name)
async def test_the_chunks_are_the_same_when_every_byte_comes_alone(vector: Vector, config: Configure) -> None:
    check(vector, *await play(Reply(body=anthropic_sse(vector.events), split="bytes"), config))


@pytest.mark.parametrize("vector", [*VECTORS, *GATEWAYS, *BROKEN], ids=lambda vector: vector.name)
async def test_event_names_are_not_needed(vector: Vector) -> None:
    body = b"".join(sse("", event) for event in vector.events)
    chunks: list[StreamChunk] = []
    try:
        for chunk in fed(parsed(body), QUESTION.model):
            chunks.append(chunk)  # noqa: PERF402 - what came before an error counts
    except ProviderError as error:
        check(vector, chunks, error)
    else:
        check(vector, chunks, None)


async def test_text_cut_inside_a_code_point_comes_out_whole(config: Configure) -> None:
    body = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in [*text(0, "돈€😀"), *end()])
    chunks, error = await play(Reply(body=body.encode(), split="bytes"), config)
    assert error is None
    assert told(chunks) == ["text 돈€😀", "done end_turn"]


async def test_a_whole_message_instead_of_a_stream_gives_the_same_chunks(config: Configure) -> None:
    message = {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "sig=="},
            {"type": "text", "text": "안녕"},
            {"type": "tool_use", "id": "toolu_1", "name": "get_quote", "input": {"a": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 5, "output_tokens": 7},
    }
    whole, error = await play(json_reply(message), config)
    assert error is None
    streamed = decoded(WITH_CALL)
    assert [line.replace(" ", "") for line in told(whole)] == [line.replace(" ", "") for line in told(streamed)]
    assert isinstance(whole[-1], Done)
    assert whole[-1].raw is not None
    assert list(whole[-1].raw.blocks) == message["content"]
    assert UsageReport(input=5, output=7) in whole


async def test_a_json_error_with_status_200_is_an_error(config: Configure) -> None:
    _, error = await play(
        json_reply({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}), config
    )
    assert error is not None
    assert (error.reason, error.status) == ("overloaded", None)


@pytest.mark.parametrize("body", [{"hello": 1}, [1, 2], "text", {"content": "text"}])
async def test_json_that_is_no_message_is_said_to_be_none(body: object, config: Configure) -> None:
    _, error = await play(json_reply(body), config)
    assert error is not None
    assert error.code == "not_a_stream"


async def test_a_web_page_is_not_a_stream_and_the_hint_names_the_base_url(config: Configure) -> None:
    _, error = await play(Reply(body=b"<!doctype html><p>Hi", content_type="text/html"), config)
    assert error is not None
    assert (error.code, error.retryable) == ("not_a_stream", False)
    assert "--base-url" in str(error.hint)


async def test_broken_json_in_the_middle_is_a_malformed_stream(config: Configure) -> None:
    chunks, error = await play(Reply(body=anthropic_sse([begin(), *text(0, "Hi")]) + b"data: {oops\n\n"), config)
    assert told(chunks) == ["text Hi"]
    assert error is not None
    assert (error.reason, error.code) == ("connection", "stream_malformed")


async def test_a_call_without_an_id_gets_one_that_the_echo_shares() -> None:
    chunks = decoded(anthropic_sse([begin(), *call(0, "{}", call_id=""), *call(1, "{}", call_id=""), *end("tool_use")]))
    starts = [line.split()[1] for line in told(chunks) if line.startswith("start")]
    assert len(set(starts)) == 2
    assert all(starts)
    assert isinstance(chunks[-1], Done)
    assert chunks[-1].raw is not None
    assert [block["id"] for block in chunks[-1].raw.blocks] == starts


# --- usage ---


def last_usage(chunks: Sequence[StreamChunk]) -> UsageReport:
    return [chunk for chunk in chunks if isinstance(chunk, UsageReport)][-1]


async def test_later_usage_replaces_earlier_field_by_field() -> None:
    started = begin(
        input_tokens=2068,
        cache_read_input_tokens=40,
        cache_creation_input_tokens=30,
        cache_creation={"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
        output_tokens=3,
    )
    counted = {"output_tokens": 90, "input_tokens": 22397, "output_tokens_details": {"thinking_tokens": 12}}
    chunks = decoded(anthropic_sse([started, *text(0, "Hi"), *end(usage=counted)]))
    assert last_usage(chunks) == UsageReport(
        input=22397, output=90, cache_read=40, cache_write=30, cache_write_1h=20, reasoning=12
    )


async def test_a_later_zero_counts_and_a_later_null_does_not() -> None:
    started = begin(input_tokens=100, cache_read_input_tokens=55096)
    counted = {"output_tokens": 9, "input_tokens": None, "cache_read_input_tokens": 0}
    chunks = decoded(anthropic_sse([started, *end(usage=counted)]))
    assert last_usage(chunks) == UsageReport(input=100, output=9, cache_read=0)


async def test_cache_writes_told_only_by_their_lifetimes_are_summed() -> None:
    parts = {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20}
    chunks = decoded(anthropic_sse([begin(cache_creation=parts), *end(usage={})]))
    assert last_usage(chunks) == UsageReport(cache_write=30, cache_write_1h=20)


async def test_usage_of_garbage_is_no_usage() -> None:
    chunks = decoded(anthropic_sse([begin(input_tokens="many", output_tokens=True), *end(usage={})]))
    assert not [chunk for chunk in chunks if isinstance(chunk, UsageReport)]


# --- ends and cuts ---


@pytest.mark.parametrize("ending", ["clean", "cut", "reset"])
@pytest.mark.parametrize("framing", ["chunked", "close"])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.9])
async def test_a_cut_stream_is_an_error_however_it_ends(
    ending: Any, framing: Any, part: float, config: Configure
) -> None:
    reply = Reply(body=WITH_CALL, cut_at=int(len(WITH_CALL) * part), ending=ending, framing=framing)
    chunks, error = await play(reply, config)
    assert not any(isinstance(chunk, Done) for chunk in chunks)
    assert error is not None
    assert (error.reason, error.retryable) == ("connection", True)


async def test_no_cut_before_the_last_brace_of_the_marker_is_ever_a_whole_turn() -> None:
    whole = len(WITH_CALL.rstrip())
    for at in range(whole):
        with pytest.raises(ProviderError, match="broke off"):
            decoded(WITH_CALL[:at])
    for at in range(whole, len(WITH_CALL) + 1):
        assert isinstance(decoded(WITH_CALL[:at])[-1], Done)


# --- whatever comes ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KINDS = ["message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "error"]
PARTS = st.fixed_dictionaries(
    {"type": st.sampled_from([*KINDS, "message_stop"]) | JSON},
    optional={
        "index": st.integers(0, 1) | JSON,
        "content_block": JSON
        | st.fixed_dictionaries({"type": st.sampled_from(["text", "tool_use", "thinking"])})
        | JSON,
        "delta": JSON
        | st.fixed_dictionaries(
            {"type": st.sampled_from(["text_delta", "input_json_delta", "signature_delta"])},
            optional={"text": JSON, "partial_json": JSON, "signature": JSON},
        ),
        "usage": JSON,
        "message": JSON,
        "error": JSON,
    },
)


@given(st.lists(PARTS | JSON, max_size=12))
def test_no_event_however_odd_raises_anything_but_a_provider_error(events: list[Any]) -> None:
    decoder = Decoder("m")
    chunks: list[StreamChunk] = []
    try:
        for event in events:
            chunks += decoder.feed(RawEvent("", event))
            if decoder.ended:
                break
    except ProviderError:
        return
    ends = [chunk for chunk in chunks if isinstance(chunk, Done)]
    assert len(ends) == decoder.ended
    assert all(done.stop_reason in get_args(StopReason) for done in ends)


@given(st.text(max_size=30))
async def test_an_open_block_never_ends_a_tool_turn(garbage: str) -> None:
    events = [start(0, "tool_use", id="a", name="b"), *call(0, garbage)[1:-1], *end("tool_use")]
    with pytest.raises(ProviderError):
        decoded(anthropic_sse(events))
    assert stop(0)["type"] == "content_block_stop"
