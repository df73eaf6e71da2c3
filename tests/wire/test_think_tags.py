"""Reasoning between tags at the beginning of the content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.chunks import ReasoningDelta, TextDelta
from finclaw_cli.providers.openai.chat_decode import ChatDecoder
from tests.wire.openai_chat_wire import STOP, stream, words
from tests.wire.openai_turns import decode_bytes, read

pieces = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "think", ">", "</", "\n", " ", "a", "b", "</think", "<t"])
)


def decoded(*said: str) -> tuple[str, str]:
    chunks = decode_bytes(ChatDecoder(provider="test", model="m"), stream(*map(words, said), STOP))
    turn = read(chunks)
    return turn.reasoning, turn.text


@pytest.mark.parametrize(
    ("said", "reasoning", "text"),
    [
        ("<think>a</think>b", "a", "b"),
        (" \n<think>\na\n</think>\n\nb\n", "\na\n", "b\n"),
        ("<think></think>b", "", "b"),
        ("<think>never closed", "never closed", ""),
        ("<think>cut </thi", "cut </thi", ""),
        ("<thin", "", "<thin"),
        ("  <", "", "  <"),
        ("b <think>a</think>", "", "b <think>a</think>"),
        ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
        ("<thinking>a", "", "<thinking>a"),
    ],
)
def test_only_tags_at_the_beginning_count(said: str, reasoning: str, text: str) -> None:
    assert decoded(said) == (reasoning, text)
    assert decoded(*said) == (reasoning, text)


@given(pieces)
def test_where_the_content_is_cut_makes_no_difference(said: list[str]) -> None:
    assert decoded(*said) == decoded("".join(said)) == decoded(*"".join(said))


def test_content_without_tags_is_held_back_no_longer_than_a_tag_could_be_meant() -> None:
    decoder = ChatDecoder(provider="test", model="m")
    from finclaw_cli.http.transport import RawEvent

    shown = [decoder.feed(RawEvent("", words(piece))) for piece in ("<", "b", "<think>")]
    assert shown == [[], [TextDelta("<b")], [TextDelta("<think>")]]


def test_reasoning_is_shown_as_it_comes() -> None:
    decoder = ChatDecoder(provider="test", model="m")
    from finclaw_cli.http.transport import RawEvent

    shown = [decoder.feed(RawEvent("", words(piece))) for piece in ("<think>a", "b", "</think>c")]
    assert shown == [[ReasoningDelta("a")], [ReasoningDelta("b")], [TextDelta("c")]]
