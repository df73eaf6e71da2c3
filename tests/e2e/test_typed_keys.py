"""A key that is typed in the wrong place is repeated by no error, and names no session."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Finclaw

KNOWN = "kK7-my-very-own-key-without-a-form"
BY_FORM = "sk-ant-api03-Zz9876543210abcdefABCDEF"


@pytest.mark.parametrize("key", [KNOWN, BY_FORM], ids=["known", "by its form"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--{}", "x"),
        ("run", "-o", "ndjson", "--{}", "x"),
        ("run", "--max-turns", "{}", "x"),
        ("run", "-m", "{}", "x"),
        ("run", "-o", "json", "-m", "{}", "x"),
        ("run", "-m", "scripted:script.json", "--session", "{}", "x"),
        ("run", "-m", "scripted:script.json", "--session", "{}{}", "x"),
        ("sessions", "show", "{}"),
        ("replay", "{}"),
        ("tools", "call", "{}"),
        ("config", "{}"),
        ("{}",),
    ],
    ids=" ".join,
)
def test_a_typed_key_is_not_repeated(own: Finclaw, arguments: tuple[str, ...], key: str):
    own.script({"text": "Fine."})
    ran = own(*(argument.replace("{}", key) for argument in arguments), env={"OPENAI_API_KEY": KNOWN})
    assert ran.code == 2
    assert key not in ran.text + ran.stderr
    assert not [path for path in own.home.rglob("*") if key in path.name]
