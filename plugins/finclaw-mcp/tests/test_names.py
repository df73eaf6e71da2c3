"""Names of tools: taken by every provider of models, without doubles, and independent of any order."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from finclaw_mcp.names import shown_names

RAW = st.lists(st.text(min_size=1, max_size=128), max_size=20, unique=True)


def test_a_name_that_fits_is_the_servers_and_the_tools():
    assert shown_names("files", ["read_file"]) == {"read_file": "files__read_file"}


def test_letters_that_providers_do_not_take_are_replaced():
    assert shown_names("files", ["read.File/x"]) == {"read.File/x": "files__read_file_x"}


def test_names_that_would_be_the_same_all_get_a_digest():
    found = shown_names("s", ["get.a", "get/a"])
    assert len(set(found.values())) == 2
    assert all(re.fullmatch(r"s__get_a_[0-9a-f]{8}", name) for name in found.values())


@given(RAW)
def test_any_names_become_different_names_in_the_letters_of_all_providers(raw: list[str]):
    found = shown_names("server_of_twenty_four_aa", raw)
    assert len(set(found.values())) == len(raw)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) for name in found.values())


@given(RAW)
def test_the_order_decides_nothing(raw: list[str]):
    assert shown_names("s", raw) == shown_names("s", raw[::-1])
