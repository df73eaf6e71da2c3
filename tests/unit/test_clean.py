"""The function in front of every terminal."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.clean import clean, clean_line, without_hidden

hostile = st.text(st.characters() | st.sampled_from("\x1b\x9b\x9d\x90[]()0;m\x07\\\u202e\u200b\U000e0041"))
joined = st.text(
    st.sampled_from("\u200c\u200d\u200b\u061c\u06dd\u06f1\u06f2\u06450a7\x1b[\u0915\u2764\ufe0f\U0001f468\ud55c\ue000")
)
# Prepended marks, which surround numbers in Arabic, Syriac and Kaithi.
MARKS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


@given(hostile)
def test_nothing_unsafe_is_left(text: str) -> None:
    for char in clean(text):
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"}
        assert char not in "\u202e\u2066\u200b\u2028\ufeff"


@given(hostile | joined)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert without_hidden(without_hidden(text)) == without_hidden(text)


@given(st.text(st.characters(categories=["Cf", "Co", "Cs"])))
def test_of_what_has_no_form_only_joiners_reach_a_terminal(text: str) -> None:
    assert {char for char in clean(text) if unicodedata.category(char) in {"Cf", "Co", "Cs"}} <= {"\u200c", "\u200d"}


@given(st.text(st.characters(categories=["Cf", "Cn"])))
def test_of_what_has_no_form_only_marks_joiners_and_what_is_not_yet_assigned_reach_a_model(text: str) -> None:
    left = {char for char in without_hidden(text) if unicodedata.category(char) == "Cf"}
    assert left <= {*MARKS, "\u200c", "\u200d"}
    assert not re.search("[\ufdd0-\ufdef\ufff0-\ufff8\uffff\U0010ffff]", without_hidden(text))


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3) | st.sampled_from(" 0123.,%\n")))
def test_korean_stays_as_it_is(text: str) -> None:
    for form in (text, unicodedata.normalize("NFD", text)):
        assert clean(form) == without_hidden(form) == form


letters = st.text(st.characters(min_codepoint=0x0621, max_codepoint=0x063A), min_size=1)


@given(st.lists(letters, min_size=1))
def test_persian_keeps_its_joiners(parts: list[str]) -> None:
    text = "\u200c".join(parts)
    assert clean(text) == without_hidden(text) == text


@given(st.lists(st.sampled_from(["👨", "👩🏽", "❤️", "🔥", "🏳️", "⚧️", "🐈", "⬛"]), min_size=1))
def test_emoji_keep_their_joiners(parts: list[str]) -> None:
    text = "\u200d".join(parts)
    assert clean(text) == without_hidden(text) == text


@given(st.text(st.sampled_from("abc019 \u06f1\u0967"), min_size=1), st.sampled_from("\u200c\u200d"))
def test_a_joiner_that_joins_nothing_hides_nothing(text: str, joiner: str) -> None:
    assert without_hidden(joiner.join(f"{text}.")) == f"{text}."
    assert joiner not in clean(joiner.join(text))


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
        ("\u060112", "\\u{601}12"),
        ("\uf8ff", "\\u{f8ff}"),
        ("pay\u200dpal", "pay\\u{200d}pal"),
        ("line\u2028two", "line\\u{2028}two"),
        ("\ud800", "?"),
        ("\x1b[", ""),
        ("\x1b", ""),
    ],
)
def test_payloads_lose_their_teeth(payload: str, shown: str) -> None:
    assert clean(payload) == shown


@pytest.mark.parametrize(
    "text",
    ["plain\n\ttext", "한국어 日本語", "👨‍👩‍👧 ❤️", "שלום عربى", "e\u0301", "می‌خواهم", "PDF‌ها", "۱۰‌ها", "\U0001fae8"],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_a_line_stays_one_line() -> None:
    assert clean_line("a\nb\tc") == "a b c"


def test_a_string_that_an_escape_breaks_off_is_not_shown() -> None:
    assert clean("a\x90b\x1b[31mc\x1b]0;d\x1bMe") == "ace"
