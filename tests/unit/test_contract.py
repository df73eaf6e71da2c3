"""What a check finds in a plugin that is already imported."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from finclaw_cli.sdk import (
    FinanceResult,
    Need,
    Reconciled,
    ToolContext,
    ToolDefinition,
    hookimpl,
    tool,
)
from finclaw_cli.testing.contract import Problem, check_plugin

OPEN_SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}


def plugin(*tools: object, **attributes: object) -> object:
    """An object with hooks."""

    class Plugin:
        @hookimpl
        def finclaw_tools(self) -> Sequence[object]:
            return tools

    made = Plugin()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def codes(found: list[Problem], *severities: str) -> list[str]:
    return sorted(problem.code for problem in found if problem.severity in (severities or ("error", "warning")))


def raw(schema: dict[str, Any], **facts: Any) -> ToolDefinition:
    async def handler(arguments: object, context: object) -> str:
        return "x"

    facts = {"name": "raw", "description": "Raw.", "handler": handler, **facts}
    return ToolDefinition(input_schema={"additionalProperties": False, **schema}, **facts)


@tool(group="finance", read_only=True, examples=({"n": 1},))
async def fine(n: int) -> FinanceResult:
    """Fine.

    Args:
        n: a number.
    """
    await asyncio.sleep(0)
    return FinanceResult(data={"n": n})


async def reconcile(key: str, context: ToolContext) -> Reconciled:
    return Reconciled(state="unknown")


def test_nothing_is_wrong_with_a_good_tool():
    assert check_plugin(plugin(fine)) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (OPEN_SCHEMA, []),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, ["parameter_undescribed"]),
        ({"type": "object", "properties": {"a b": {"description": "x"}}}, ["parameter_name"]),
        ({"type": "object", "properties": {"a" * 65: {"description": "x"}}}, ["parameter_name"]),
        ({**OPEN_SCHEMA, "required": ["a"]}, ["schema_required"]),
        ({**OPEN_SCHEMA, "additionalProperties": True}, ["schema_open"]),
        ({**OPEN_SCHEMA, "oneOf": [{}]}, ["schema_top_level"]),
        ({**OPEN_SCHEMA, "$ref": "#/$defs/A", "$defs": {"A": {}}}, ["schema_top_level"]),
        ({"type": "object", "properties": 3}, ["schema_invalid"]),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/B", "description": "x"}}}, ["schema_reference"]),
        ({"type": "object", "properties": {"a": {"$ref": "https://acme.test/a.json"}}}, ["schema_reference"]),
        (
            {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{}], "description": "x"}}},
            ["schema_items"],
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A", "description": "x"}},
                "$defs": {"A": {"properties": {"b": {"$ref": "#/$defs/B"}}}, "B": {"anyOf": [{"$ref": "#/$defs/A"}]}},
            },
            ["schema_recursive", "schema_recursive"],
        ),
    ],
)
def test_schemas(schema: dict[str, Any], expected: list[str]):
    assert codes(check_plugin(plugin(raw(schema)))) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"description": " "}, ["undescribed"]),
        ({"name": "Bad-Name"}, ["refused"]),
        ({"group": "money"}, ["refused"]),
        ({"transactional": True}, ["unrecoverable"]),
        ({"transactional": True, "idempotent": True}, ["unrecoverable"]),
        ({"transactional": True, "reconcile": reconcile}, []),
        ({"transactional": True, "reconcile": reconcile, "reconcile_after_s": 121.0}, ["reconcile_after"]),
        ({"transactional": True, "reconcile": reconcile, "read_only": True}, ["flags"]),
        ({"timeout_s": 0.0}, ["timeout"]),
        ({"needs": (Need(how="x"),)}, ["needs"]),
        ({"needs": (Need(how="", env="X"),)}, ["needs"]),
        ({"needs": (Need(how="x", env="X", file="y"),)}, ["needs"]),
        ({"examples": ({"z": 1},)}, ["example_invalid"]),
    ],
)
def test_declarations(facts: dict[str, Any], expected: list[str]):
    assert codes(check_plugin(plugin(raw(OPEN_SCHEMA, **facts)))) == expected


def test_two_tools_of_one_name_and_what_is_no_tool():
    assert codes(check_plugin(plugin(fine, fine, 3))) == ["refused", "refused"]


def test_wrong_input_must_be_told_apart():
    schema = {"type": "object", "properties": {"n": {"type": "integer", "description": "x"}}, "required": ["n"]}

    def crash(arguments: object) -> list[str]:
        raise TypeError("oops")

    lax = check_plugin(plugin(raw(schema, validate=lambda arguments: [])))
    assert codes(lax) == ["input_accepted"] * 3
    assert "accepts {}, which its own schema refuses" in lax[0].message
    assert codes(check_plugin(plugin(raw(schema, validate=crash)))) == ["input_crash"] * 3


def behaving(function: Any, **options: Any) -> list[str]:
    function.__doc__ = "Behave."
    return codes(check_plugin(plugin(tool(examples=({},), **options)(function))))


def test_a_tool_that_prints():
    def prints() -> str:
        print("to the reader of the answer")
        return "x"

    def writes() -> str:
        os.write(1, b"past Python")
        return "x"

    assert behaving(prints) == ["stdout"]
    assert behaving(writes) == ["stdout"]


def test_a_tool_that_crashes_fails_or_exits():
    def crashes() -> str:
        return {}["x"]  # type: ignore[no-any-return]

    def exits() -> str:
        raise SystemExit(3)

    def fails() -> str:
        raise TimeoutError("the service is slow")

    assert behaving(crashes) == ["example_crash"]
    assert behaving(exits) == ["example_crash"]
    assert behaving(fails) == ["example_crash"]


def test_a_tool_that_takes_too_long():
    async def slow() -> str:
        await asyncio.sleep(60)
        return "x"

    assert behaving(slow, timeout=0.05) == ["example_failed"]


def test_a_tool_that_blocks_the_loop():
    calls = 0

    async def blocks() -> str:
        nonlocal calls
        calls += 1
        time.sleep(1.2 * (calls > 1))  # noqa: ASYNC251 - what is to be found
        return "x"

    assert behaving(blocks) == ["blocks"]


def test_a_tool_that_goes_on_when_it_is_cancelled():
    calls = 0

    async def stubborn() -> str:
        nonlocal calls
        calls += 1
        end = time.monotonic() + 1.5 * (calls > 1)
        while time.monotonic() < end:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                continue
        return "x"

    assert behaving(stubborn) == ["cancel"]


def test_a_finance_tool_answers_with_a_finance_result():
    def bare() -> dict[str, int]:
        return {"close": 1}

    assert behaving(bare, group="finance") == ["no_finance_result"]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"examples": ()}, "it has no examples"),
        ({"transactional": True, "reconcile": reconcile}, "it needs an approval"),
        ({"requires_approval": True}, "it needs an approval"),
        ({"external": True}, "it calls a service"),
        ({"needs": (Need(env="NO_SUCH_KEY", how="get a key"),)}, "it needs: get a key"),
        ({"needs": (Need(file="store.db", how="import data"),)}, "it needs: import data"),
    ],
)
def test_what_is_not_called_is_said(facts: dict[str, Any], reason: str):
    async def handler(arguments: object, context: object) -> str:
        raise AssertionError("called")

    found = check_plugin(plugin(raw(OPEN_SCHEMA, **{"handler": handler, "examples": ({},), **facts})))
    assert [(problem.severity, problem.message) for problem in found] == [("note", f"not called: {reason}")]


def test_hooks():
    def finclaw_tools() -> list[object]:
        return []

    @hookimpl
    def finclaw_event(run_id: str, event: object) -> None:
        raise RuntimeError("no")

    @hookimpl
    def finclaw_gadgets() -> None:
        pass

    @hookimpl
    def finclaw_commands(app: object) -> None:
        print("hello")

    assert codes(check_plugin(plugin(FINCLAW_CONTRACT=2))) == ["contract"]
    assert codes(check_plugin(SimpleNamespace(finclaw_tools=finclaw_tools))) == ["empty", "unmarked"]
    assert codes(check_plugin(SimpleNamespace(finclaw_event=finclaw_event))) == ["listener"]
    assert codes(check_plugin(SimpleNamespace(finclaw_gadgets=finclaw_gadgets))) == ["contract"]
    assert codes(check_plugin(SimpleNamespace(finclaw_commands=finclaw_commands))) == ["stdout"]


def test_one_hook_that_raises_is_one_problem():
    @hookimpl
    def finclaw_providers() -> None:
        raise SystemExit(1)

    found = check_plugin(SimpleNamespace(finclaw_providers=finclaw_providers))
    assert codes(found) == ["hook"]
    assert found[0].message.startswith("a hook raises SystemExit: 1 (test_contract.py:")
