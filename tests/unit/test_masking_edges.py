"""Whether a number stands for itself, by what is next to it."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.context import has_clean_edges


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
