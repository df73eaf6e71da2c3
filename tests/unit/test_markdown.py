"""Cutting streamed Markdown where it will not change any more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.output.markdown import settled_length


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("one paragraph", ""),
        ("one\n\ntwo", "one\n\n"),
        ("one\n\n", ""),
        ("a\n\nb\n\nc", "a\n\nb\n\n"),
        ("- item\n\n- another", ""),
        ("```\ncode\n\nmore", ""),
        ("```\ncode\n\nmore\n```\n\nafter", "```\ncode\n\nmore\n```\n\n"),
        ("| a |\n\n| b |", ""),
    ],
)
def test_whole_blocks_are_settled(text: str, settled: str) -> None:
    assert text[: settled_length(text)] == settled


@given(st.text("ab\n`~-| ", max_size=60))
def test_what_is_settled_is_never_more_than_there_is(text: str) -> None:
    assert 0 <= settled_length(text) <= len(text)
