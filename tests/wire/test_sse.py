"""Server-sent events, byte by byte."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.http.sse import SseParser
from finclaw_cli.http.transport import MAX_EVENT_BYTES, RawEvent

ODD = (
    b'\xef\xbb\xbf: ping\r\n\r\nevent: one\r\ndata: {"a": "\xed\x95\x9c"}\r\n\r\n'
    b'data:{"b":\ndata: 1}\n\nid: 7\rretry: 5\rdata: [1, 2]\r\r'
    b'data: [DONE]\n\n:x\n\nevent: empty\n\ndata: "\\ud83d"\n\n'
)
EVENTS = [
    RawEvent("one", {"a": "한"}),
    RawEvent("", {"b": 1}),
    RawEvent("", [1, 2]),
    RawEvent("[DONE]", None),
    RawEvent("", "\ud83d"),
]


def parse(*pieces: bytes) -> list[RawEvent]:
    parser = SseParser("test")
    events = [event for piece in pieces for event in parser.feed(piece)]
    last = parser.finish()
    return [*events, last] if last else events


@given(st.lists(st.integers(0, len(ODD)), max_size=12).map(sorted))
def test_any_split_gives_the_same_events(marks: list[int]) -> None:
    edges = [0, *marks, len(ODD)]
    assert parse(*(ODD[start:end] for start, end in zip(edges, edges[1:], strict=False))) == EVENTS  # noqa: RUF007


def test_every_byte_alone_gives_the_same_events() -> None:
    assert parse(*(ODD[at : at + 1] for at in range(len(ODD)))) == EVENTS


def test_a_last_event_may_lack_its_blank_line() -> None:
    assert parse(b'data: {"a": 1}') == parse(b'data: {"a": 1}\n') == [RawEvent("", {"a": 1})]


@pytest.mark.parametrize("rest", [b"", b": ping", b": ping\n", b"event: x\n", b"data: {}\n\n: "])
def test_a_body_may_end_between_events_and_in_a_comment(rest: bytes) -> None:
    assert parse(rest) == [RawEvent("", {})] * rest.count(b"{}")


@pytest.mark.parametrize("rest", [b'data: {"a": 1', b'data: {"a": 1\n', b"data:", b"event: x", b"dat", b"id: 7"])
def test_a_body_that_ends_inside_an_event_is_cut(rest: bytes) -> None:
    with pytest.raises(ProviderError) as caught:
        parse(b"data: {}\n\n", rest)
    assert (caught.value.reason, caught.value.code) == ("connection", "stream_truncated")


def test_a_server_cannot_forge_our_own_event_names() -> None:
    assert parse(b"event: json\ndata: {}\n\n", b"event: [DONE]\ndata: {}\n\n") == [RawEvent("", {})] * 2


@pytest.mark.parametrize("text", [b"{oops", b"[" * 100_000, b"1" * 5_000])
def test_what_python_cannot_parse_is_a_value_or_recursion_error(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parse(b"data: " + text + b"\n\n")


def flood(pieces: Iterable[bytes]) -> int:
    """Feed until the parser has had enough; the bytes it took to get there."""
    parser = SseParser("test")
    fed = 0
    for piece in pieces:
        fed += len(piece)
        assert not list(parser.feed(piece))
    return fed


@pytest.mark.parametrize("line", [b"data: ", b"", b": "])
def test_a_line_without_an_end_fails_at_the_cap(line: bytes) -> None:
    fed: list[bytes] = []
    endless = (fed.append(piece) or piece for piece in [line, *[b"x" * 4096] * (64 * 256)])
    with pytest.raises(ProviderError) as caught:
        flood(endless)
    assert (caught.value.reason, caught.value.code) == ("server_error", "stream_oversized")
    assert sum(map(len, fed)) <= MAX_EVENT_BYTES + 2 * 4096


@pytest.mark.parametrize("line", [b"data: " + b"x" * 1000 + b"\n", b"data:\n" * 200])
def test_an_event_of_endless_lines_fails_too(line: bytes) -> None:
    with pytest.raises(ProviderError, match="event is larger than 8 MiB"):
        flood([line] * (MAX_EVENT_BYTES // 1000 + 2))


def test_endless_comments_fail_at_the_cap_of_a_turn() -> None:
    with pytest.raises(ProviderError, match="answer is larger than 64 MiB"):
        flood([b": " + b"x" * 65_534 + b"\n"] * 1100)


def test_many_small_events_are_as_many_when_they_come_in_large_pieces() -> None:
    data = json.dumps({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word"}})
    body = f"event: content_block_delta\ndata: {data}\n\n".encode() * 20_000
    lines = [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: ")]
    events = parse(*(body[at : at + 65536] for at in range(0, len(body), 65536)))
    assert [event.data for event in events] == lines
