"""What a server declares of its tools, and what of it is believed."""

from __future__ import annotations

from typing import Any

import pytest

from finclaw_mcp.declared import effect_of, specs_of, tool_digest
from finclaw_mcp.entries import Entry

ASK = Entry(command="x")
BELIEVE = Entry(command="x", hints="believe")


def tool(**hints: bool) -> dict[str, Any]:
    return {"name": "t", "description": "Does it.", "inputSchema": {"type": "object"}, "annotations": hints}


@pytest.mark.parametrize(
    ("hints", "entry", "effect"),
    [
        ({}, ASK, "transact"),
        ({}, BELIEVE, "transact"),
        ({"destructiveHint": True, "openWorldHint": True}, ASK, "transact"),
        ({"destructiveHint": False}, ASK, "write"),
        ({"openWorldHint": False}, ASK, "write"),
        ({"readOnlyHint": False, "destructiveHint": False}, BELIEVE, "write"),
        ({"readOnlyHint": True}, ASK, "claims to read"),
        ({"readOnlyHint": True}, BELIEVE, "read"),
        ({"readOnlyHint": True, "destructiveHint": True}, BELIEVE, "transact"),
        ({"readOnlyHint": True, "destructiveHint": True, "openWorldHint": False}, BELIEVE, "transact"),
    ],
)
def test_hints_are_believed_as_far_as_the_user_allows(hints: dict[str, bool], entry: Entry, effect: str):
    assert effect_of(tool(**hints), entry) == effect


@pytest.mark.parametrize("effect", ["read", "write", "transact"])
def test_what_the_user_knows_counts_whatever_the_server_declares(effect: str):
    entry = Entry.model_validate({"command": "x", "tools": {"t": {"effect": effect}}})
    assert effect_of(tool(readOnlyHint=True), entry) == effect


@pytest.mark.parametrize(
    ("effect", "flags"),
    [("read", (True, False, False)), ("write", (False, True, False)), ("transact", (False, False, True))],
)
def test_an_effect_decides_whether_a_call_asks(effect: str, flags: tuple[bool, bool, bool]):
    entry = Entry.model_validate({"command": "x", "tools": {"t": {"effect": effect}}})
    (spec,) = specs_of("s", [tool()], entry).values()
    assert (spec.read_only, spec.requires_approval, spec.transactional) == flags


def test_a_schema_becomes_that_of_an_object():
    given = {**tool(), "inputSchema": {"$schema": "x", "type": "object", "required": ["a"]}}
    (spec,) = specs_of("s", [given], ASK).values()
    assert spec.input_schema == {"type": "object", "required": ["a"], "properties": {}}


def test_tools_that_the_user_does_not_want_are_left_out():
    tools = [{**tool(), "name": name} for name in "abc"]
    assert list(specs_of("s", tools, Entry(command="x", enabled_tools=["a", "b"], disabled_tools=["b"]))) == ["a"]


@pytest.mark.parametrize("key", ["title", "description", "inputSchema", "outputSchema", "annotations"])
def test_each_part_that_was_looked_at_is_pinned(key: str):
    assert tool_digest(tool()) != tool_digest({**tool(), key: {"other": "value"}})


def test_the_order_of_keys_is_not_pinned():
    assert tool_digest(tool()) == tool_digest(dict(reversed(tool().items())))
