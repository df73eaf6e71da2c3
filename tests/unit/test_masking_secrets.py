"""Secrets that are known: in whole texts, in values, in pieces."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.secrets import HoldBack, KnownSecrets, secrets_in_environment


def knowing(*values: str) -> KnownSecrets:
    secrets = KnownSecrets()
    for value in values:
        secrets.add(value)
    return secrets


def test_a_known_secret_is_masked() -> None:
    assert knowing("abcd1234efgh").mask("the key abcd1234efgh is") == "the key [REDACTED:key] is"


def test_a_long_secret_is_masked_in_lower_case_too() -> None:
    assert knowing("sk-ant-SECRET12345678").mask("code sk-ant-secret12345678") == "code [REDACTED:key]"


def test_a_short_secret_in_lower_case_may_be_a_word() -> None:
    assert knowing("Password1").mask("password1") == "password1"


def test_a_text_without_secrets_is_the_same_object() -> None:
    text = "nothing in here"
    assert knowing("abcd1234efgh").mask(text) is text


@pytest.mark.parametrize("value", ["", "short", "         "])
def test_what_is_short_or_blank_is_no_secret(value: str) -> None:
    assert knowing(value).mask(f"a {value} b") == f"a {value} b"


def test_the_longest_of_two_secrets_is_masked() -> None:
    assert knowing("abcd1234", "abcd1234efgh").mask("abcd1234efgh abcd1234") == "[REDACTED:key] [REDACTED:key]"


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_secret_inside_of_json_is_masked(ascii_only: bool) -> None:
    secret = 'pass"wörd\\123'
    assert knowing(secret).mask(json.dumps({"a": secret}, ensure_ascii=ascii_only)) == '{"a": "[REDACTED:key]"}'


def test_values_are_masked_however_deep() -> None:
    masked = knowing("abcd1234").mask_value({"a": ["x abcd1234", 1, {"abcd1234": None}]})
    assert masked == {"a": ["x [REDACTED:key]", 1, {"[REDACTED:key]": None}]}


def test_a_value_without_secrets_is_the_same_object() -> None:
    value = {"a": ["x", 1, {"b": None}]}
    assert knowing("abcd1234").mask_value(value) is value


def test_the_end_of_a_piece_is_kept_while_it_may_be_a_secret() -> None:
    held = HoldBack(knowing("abcd1234"))
    assert held.feed("see abcd") == "see "
    assert held.feed("12") == ""
    assert held.feed("34!") == "[REDACTED:key]!"


def test_what_was_no_secret_is_shown_in_the_end() -> None:
    held = HoldBack(knowing("abcd1234"))
    assert held.feed("see abcd") + held.flush() == "see abcd"


def test_nothing_is_kept_without_secrets() -> None:
    assert HoldBack(KnownSecrets()).feed("abcd") == "abcd"


secret_values = st.text("ab", min_size=8, max_size=12)


@given(st.lists(secret_values, max_size=4), st.data())
def test_pieces_give_what_the_whole_gives(values: list[str], data: st.DataObject) -> None:
    secrets = knowing(*values)
    parts = st.text("abc", max_size=6) | (st.sampled_from(values) if values else st.nothing())
    text = "".join(data.draw(st.lists(parts, max_size=8)))
    held, position, shown = HoldBack(secrets), 0, []
    while position < len(text):
        step = data.draw(st.integers(1, 9))
        shown.append(held.feed(text[position : position + step]))
        position += step
    shown.append(held.flush())
    assert "".join(shown) == secrets.mask(text)
    assert not any(value in piece for value in values for piece in shown)


def test_variables_that_say_so_are_secret() -> None:
    environment = {
        "OPENAI_API_KEY": "value-of-1",
        "github_token": "value-of-2",
        "DB_PASSWORD": "value-of-3",
        "SECRET": "value-of-4",
        "GOOGLE_APPLICATION_CREDENTIALS": "value-of-5",
        "MONKEY": "value-of-6",
        "KEYBOARD": "value-of-7",
        "PATH": "value-of-8",
        "X_KEY": "short",
    }
    assert secrets_in_environment(environment) == [f"value-of-{number}" for number in range(1, 6)]
