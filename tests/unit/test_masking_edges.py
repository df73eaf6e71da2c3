"""What decides whether a word or a number is private: what is next to it."""

from __future__ import annotations

import pytest

from finclaw_cli.masking.context import has_clean_edges
from finclaw_cli.masking.people import is_person
from finclaw_cli.masking.private import mask_private
from finclaw_cli.masking.social_above import is_of_person
from finclaw_cli.masking.values import find_in_string, is_private_number


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


@pytest.mark.parametrize("text", ["https://x.example/?key=part2of3parts", '{"key": "part2of3parts"}'])
def test_a_key_is_no_secret_by_this_name_alone(text: str) -> None:
    assert mask_private(text).text == text


@pytest.mark.parametrize(
    ("above", "person"), [(["Olga Petrov"], True), (["Petrov"], False), (["Smith", "Jane Roe"], True)]
)
def test_a_block_is_of_a_person_where_a_whole_name_stands_above_it(above: list[str], person: bool) -> None:
    assert is_of_person(above) == person


@pytest.mark.parametrize(
    ("kind", "digits", "private"),
    [
        ("password", "1234", True),
        ("api_key", "1234", False),
        ("secret", "1234", False),
        ("cvv", "123", True),
        ("cvv", "1", False),
    ],
)
def test_a_bare_number_is_private_by_the_name_that_it_has(kind: str, digits: str, private: bool) -> None:
    assert is_private_number(kind, digits, explicit=True) == private


@pytest.mark.parametrize(("value", "spans"), [("219-09-9999", ((0, 11),)), ("000-09-9999", ()), ("666-09-9999", ())])
def test_a_number_that_was_never_given_out_is_no_social_security_number(
    value: str, spans: tuple[tuple[int, int], ...]
) -> None:
    assert find_in_string("ssn", value, explicit=True) == spans
