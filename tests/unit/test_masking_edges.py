"""What decides whether a word or a number is private: what is next to it."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.context import has_clean_edges
from finclaw_cli.masking.people import is_person
from finclaw_cli.masking.private import mask_private


@pytest.mark.parametrize("left", ["", " ", "no. ", "a.", "a-", "(", "한"])
def test_a_number_stands_for_itself_after_words_and_signs(left: str) -> None:
    assert has_clean_edges(left, "")


@pytest.mark.parametrize("left", ["a", "7", "_", "3.", "3-", "+", "@", "\\", "^", "~"])
def test_a_number_is_part_of_what_it_is_joined_to(left: str) -> None:
    assert not has_clean_edges(left, "")
    assert not has_clean_edges(f"x {left}", "")


@pytest.mark.parametrize("right", ["", " ", ".", "-", ". ", ".한", ",", ")", "한"])
def test_a_number_ends_before_signs(right: str) -> None:
    assert has_clean_edges("", right)


@pytest.mark.parametrize("right", ["a", "7", "_", "%", "@", ".5", "-a"])
def test_a_number_goes_on_in_what_follows_it_at_once(right: str) -> None:
    assert not has_clean_edges("", right)
    assert not has_clean_edges("", f"{right} x")


@pytest.mark.parametrize(
    ("words", "person"),
    [
        (["qwortz", "b", "zkjarp"], True),
        (["qwortz", "zkjarp", "b"], False),
        (["b", "qwortz", "zkjarp"], False),
    ],
)
def test_two_unusual_words_with_an_initial_between_them_are_a_person(words: list[str], person: bool) -> None:
    assert is_person(words, is_list=False) == person


@pytest.mark.parametrize("text", ["https://x.example/?key=summary", "a?key=portfolio&b"])
def test_a_word_after_a_key_of_an_address_is_no_secret(text: str) -> None:
    assert mask_private(text).text == text
