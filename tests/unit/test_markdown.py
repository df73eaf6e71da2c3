"""Cutting streamed Markdown where it will not change any more."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.output.markdown import UnsettledMarkdown

CASES = [
    ("one paragraph", ""),
    ("one\n\ntwo", "one\n\n"),
    ("one\n \t\ntwo", "one\n \t\n"),
    ("one\n\n", ""),
    ("a\n\nb\n\nc", "a\n\nb\n\n"),
    ("a\n\n\n\nb", "a\n\n\n\n"),
    ("a\n\n  b", ""),
    ("- item\n\n- another", ""),
    ("```\ncode\n\nmore", ""),
    ("```\ncode\n\nmore\n```\n\nafter", "```\ncode\n\nmore\n```\n\n"),
    ("a\n\n```\ncode\n\nmore", "a\n\n"),
    ("   ~~~\ncode\n\nmore", ""),
    ("    ```\n\nafter", "    ```\n\n"),
    ("| a |\n\n| b |", ""),
]
PIECES = st.lists(st.text("ab\n`~-| ", max_size=8), max_size=30)


def settled(*pieces: str) -> str:
    tail = UnsettledMarkdown(10)
    return "".join(tail.add(piece) for piece in pieces)


@pytest.mark.parametrize(("text", "whole"), CASES)
def test_whole_blocks_are_settled(text: str, whole: str) -> None:
    assert settled(text) == whole


@pytest.mark.parametrize(("text", "whole"), CASES)
def test_whole_blocks_are_settled_when_every_character_comes_alone(text: str, whole: str) -> None:
    assert settled(*text) == whole


@given(PIECES)
def test_nothing_is_lost_or_settled_twice(pieces: list[str]) -> None:
    tail = UnsettledMarkdown(10)
    whole = "".join([tail.add(piece) for piece in pieces])
    rest = "".join(pieces)[len(whole) :]
    assert (len(tail), tail.shown) == (len(rest), rest[-10:])
    assert tail.take() == rest
    assert (len(tail), tail.shown, tail.take()) == (0, "", "")


@given(PIECES, st.lists(st.integers(0, 240), max_size=12))
def test_what_is_settled_does_not_depend_on_the_pieces(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(pieces)
    edges = sorted([0, *(cut % (len(text) + 1) for cut in cuts), len(text)])
    assert settled(*(text[start:end] for start, end in pairwise(edges))) == settled(text)
