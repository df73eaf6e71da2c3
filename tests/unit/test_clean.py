"""The function in front of every terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.clean import clean, clean_line

hostile = st.text(st.characters() | st.sampled_from("\x1b\x9b\x9d\x90[]()0;m\x07\\\u202e\u200b\U000e0041"))


@given(hostile)
def test_nothing_unsafe_is_left(text: str) -> None:
    for char in clean(text):
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"}
        assert char not in "\u202e\u2066\u200b\u2028\ufeff"


@given(hostile)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;ZXZpbA==\x07copied", "copied"),
        ("\x1b]8;;http://evil\x1b\\bank\x1b]8;;\x1b\\", "bank"),
        ("\x1b]0;title\x07", ""),
        ("\x9b2Jgone", "gone"),
        ("\x90q\x9cdcs", "dcs"),
        ("a\rb\x08c\x0bd", "abcd"),
        ("abc\u202edef", "abc\\u{202e}def"),
        ("pass\u200bword", "pass\\u{200b}word"),
        ("\U000e0041", "\\u{e0041}"),
        ("line\u2028two", "line\\u{2028}two"),
        ("\ud800", "?"),
        ("\x1b[", ""),
        ("\x1b", ""),
    ],
)
def test_payloads_lose_their_teeth(payload: str, shown: str) -> None:
    assert clean(payload) == shown


@pytest.mark.parametrize("text", ["plain\n\ttext", "한국어 日本語", "👨‍👩‍👧 ❤️", "שלום عربى", "e\u0301"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_a_line_stays_one_line() -> None:
    assert clean_line("a\nb\tc") == "a b c"
