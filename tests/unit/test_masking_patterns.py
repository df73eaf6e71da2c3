"""Patterns of the user's own."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.masking.patterns import Pattern, compile_pattern
from finclaw_cli.masking.private import mask_private

has_re2 = importlib.util.find_spec("re2") is not None


def client() -> Pattern:
    def find(text: str) -> Iterator[tuple[int, int]]:
        return (found.span() for found in re.finditer(r"CL-[0-9]+", text))

    return Pattern(name="client", find=find)


def test_an_extra_pattern_masks() -> None:
    masked = mask_private("client CL-17 pays", extra=[client()])
    assert masked.text == "client [REDACTED:client] pays"
    assert masked.kinds == {"client": 1}


def test_an_extra_pattern_leaves_json() -> None:
    assert mask_private('{"a": "CL-17"}', extra=[client()]).text == '{"a": "[REDACTED:client]"}'


def test_an_extra_pattern_never_cuts_through_json() -> None:
    every = Pattern(name="all", find=lambda text: iter([(0, len(text))] if "\x01" not in text else []))
    text = '{"a": "b"}'
    assert mask_private(text, extra=[every]).text is text


def test_a_name_that_cannot_be_shown_is_refused() -> None:
    with pytest.raises(UsageError):
        compile_pattern("Not a name", "x")


def test_without_re2_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)  # as where it is not installed
    with pytest.raises(UsageError) as caught:
        compile_pattern("client", "CL-[0-9]+")
    assert caught.value.hint is not None
    assert "finclaw-cli[re2]" in caught.value.hint


@pytest.mark.skipif(not has_re2, reason="google-re2 is not installed")
def test_a_pattern_of_re2_masks() -> None:
    assert mask_private("a CL-17 b", extra=[compile_pattern("client", "CL-[0-9]+")]).text == "a [REDACTED:client] b"


@pytest.mark.skipif(not has_re2, reason="google-re2 is not installed")
def test_an_expression_that_re2_cannot_do_is_refused() -> None:
    with pytest.raises(UsageError):
        compile_pattern("client", r"(a)\1")
