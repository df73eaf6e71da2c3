"""From a typed function to a tool."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.tool import Need, ToolContext, ToolDefinition
from finclaw_cli.testing.tools import run_tool, run_tool_async, the_tool
from finclaw_cli.tools.declare import tool
from finclaw_cli.tools.define import define_all


@dataclass
class Point:
    day: date
    value: Decimal | None


@tool(group="finance", read_only=True, timeout=5, needs=(Need(env="ACME_KEY", how="ask Acme"),), examples=({"a": 1},))
def everything(
    a: int,
    b: Annotated[str, Field(min_length=2)] = "two",
    c: Literal["buy", "sell"] = "buy",
    d: date | None = None,
    ctx: ToolContext | None = None,
) -> str:
    """Does everything.

    And says so at length.

    Args:
        a: the first
            of them.
        b: the second.
        ctx: never shown.
    """
    return f"{a} {b} {c} {d}"


def test_all_is_read_from_the_function():
    made = the_tool(everything)
    assert (made.name, made.group, made.read_only, made.timeout_s) == ("everything", "finance", True, 5)
    assert made.description == "Does everything.\n\nAnd says so at length."
    assert made.declared_by.endswith("test_define:everything")
    assert made.needs[0].env == "ACME_KEY"
    assert made.examples == ({"a": 1},)
    schema = made.input_schema
    assert schema["type"] == "object"
    assert schema["required"] == ["a"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["a"] == {"type": "integer", "description": "the first of them."}
    assert schema["properties"]["b"] == {
        "type": "string",
        "minLength": 2,
        "default": "two",
        "description": "the second.",
    }
    assert schema["properties"]["c"] == {"type": "string", "enum": ["buy", "sell"], "default": "buy"}
    assert "title" not in str(schema)


def test_a_name_of_its_own():
    @tool(name="other")
    def function() -> str:
        """Says nothing."""
        return "x"

    made = the_tool(function)
    assert made.name == "other"
    assert made.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}


def test_a_parameter_called_title_keeps_its_place():
    @tool
    def book(title: str) -> str:
        """Look a book up."""
        return title

    assert the_tool(book).input_schema["properties"] == {"title": {"type": "string"}}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("{}", "a: required, but missing"),
        ('{"a": "1"}', "a: Input should be a valid integer"),
        ('{"a": 1.5}', "a: Input should be a valid integer"),
        ('{"a": true}', "a: Input should be a valid integer"),
        ('{"a": 1, "b": "x"}', "b: String should have at least 2 characters"),
        ('{"a": 1, "c": "hold"}', "c: Input should be 'buy' or 'sell'"),
        ('{"a": 1, "d": "yesterday"}', "d: Input should be a valid date"),
        ('{"a": 1, "z": 1}', "z: Extra inputs are not permitted; got 1"),
        ('{"a": 1, "ctx": {}}', "ctx: "),
        ('{"a": 1, "a": 2}', "Invalid tool input: "),
        ('{"a": NaN}', "Invalid tool input: "),
        ("[1]", "expected a JSON object"),
    ],
)
def test_wrong_input_never_reaches_the_function(arguments: str, problem: str):
    answer = run_tool(everything, arguments)
    assert answer.is_error
    assert answer.content.startswith("Invalid tool input: ")
    assert problem in answer.content


def test_what_came_is_shown_but_not_at_length():
    answer = run_tool(everything, {"a": "9" * 5000})
    assert answer.content.endswith("…")
    assert len(answer.content) < 300


@pytest.mark.filterwarnings("error")
def test_a_parameter_may_have_any_name():
    @tool
    def odd(copy: int, schema: int, model_dump: int, _x: int, json: int = 5) -> list[int]:
        """Names that a pydantic model keeps for itself."""
        return [copy, schema, model_dump, _x, json]

    made = the_tool(odd)
    assert made.input_schema["required"] == ["copy", "schema", "model_dump", "_x"]
    assert run_tool(odd, {"copy": 1, "schema": 2, "model_dump": 3, "_x": 4}).content == "[1, 2, 3, 4, 5]"
    assert "schema: required, but missing" in run_tool(odd, {"copy": 1}).content
    assert "p1" in run_tool(odd, {"p1": 1}).content


def test_a_property_is_not_touched_when_methods_are_looked_for():
    class Lazy:
        @property
        def connection(self) -> object:
            raise AssertionError("connected")

        @tool
        def work(self) -> str:
            """Work."""
            return "done"

    assert run_tool(Lazy()).content == "done"


def test_dates_come_as_dates():
    seen: list[object] = []

    @tool
    def days(day: date, moment: datetime, more: list[date]) -> str:
        """Take days."""
        seen.extend((day, moment, *more))
        return "ok"

    run_tool(days, {"day": "2026-11-20", "moment": "2026-11-20T12:00:00Z", "more": ["2026-11-19"]})
    assert seen[0] == date(2026, 11, 20)
    assert isinstance(seen[1], datetime)
    assert seen[1].utcoffset() is not None
    assert seen[2] == date(2026, 11, 19)


def test_the_context_is_given_and_not_shown(tool_context: ToolContext):
    @tool
    def who(ctx: ToolContext, greeting: str = "Hello") -> str:
        """Greet."""
        return f"{greeting} {ctx.user} {ctx.as_of} {ctx.home == tool_context.home}"

    assert list(the_tool(who).input_schema["properties"]) == ["greeting"]
    assert run_tool(who, {}, user="ada", as_of=date(2026, 1, 2)).content == "Hello ada 2026-01-02 True"


class Client:
    """Methods that share a client."""

    def __init__(self) -> None:
        self.calls = 0

    @tool
    async def second(self) -> str:
        """Async, and declared first."""
        self.calls += 1
        return f"call {self.calls}"

    @tool
    def first(self, n: int) -> int:
        """Not async."""
        self.calls += n
        return self.calls

    def helper(self) -> None:
        """No tool."""


def test_methods_share_their_object():
    client = Client()
    tools = list(define_all(client))
    assert [made.name for made in tools] == ["second", "first"]
    assert run_tool(tools[1], {"n": 2}).content == "2"
    assert run_tool(tools[0]).content == "call 3"
    assert run_tool(client.first, {"n": 1}).content == "4"
    with pytest.raises(UsageError, match="several tools: second, first"):
        the_tool(client)


async def test_plain_functions_run_in_a_thread_and_async_ones_in_the_loop():
    where: list[int] = []

    @tool
    def plain() -> None:
        """In a thread."""
        where.append(threading.get_ident())

    @tool
    async def awaited() -> None:
        """In the loop."""
        await asyncio.sleep(0)
        where.append(threading.get_ident())

    assert (await run_tool_async(plain)).content == "[No result returned]"
    await run_tool_async(awaited)
    assert where[0] != threading.get_ident()
    assert where[1] == threading.get_ident()


def test_dataclasses_and_lists_become_json():
    @tool
    def points() -> list[Point]:
        """Two points."""
        return [Point(date(2026, 1, 2), Decimal("1.10")), Point(date(2026, 1, 5), None)]

    assert run_tool(points).content == '[{"day": "2026-01-02", "value": "1.10"}, {"day": "2026-01-05", "value": null}]'


def bad_untyped(a) -> None:  # type: ignore[no-untyped-def]
    pass


def bad_args(*a: int) -> None:
    pass


def bad_kwargs(**a: int) -> None:
    pass


def bad_positional(a: int, /) -> None:
    pass


def bad_type(a: threading.Thread) -> None:
    pass


def bad_schema(a: Callable[[], int]) -> None:
    pass


def bad_name(a: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821
    pass


@pytest.mark.parametrize(
    "function", [bad_untyped, bad_args, bad_kwargs, bad_positional, bad_type, bad_schema, bad_name]
)
def test_what_cannot_be_a_tool_is_refused_with_its_place(function: Callable[..., None]):
    with pytest.raises(UsageError) as refused:
        list(define_all(tool(function)))
    assert f"tests.unit.test_define:{function.__name__}" in refused.value.message
    assert "\n" not in refused.value.message


@pytest.mark.parametrize("offered", [object(), 3, len, None, Point])
def test_what_is_no_tool_at_all_is_refused(offered: object):
    with pytest.raises(UsageError, match="is not a tool"):
        list(define_all(offered))


def test_a_definition_is_taken_as_it_is():
    async def handle(arguments: Any, context: ToolContext) -> object:
        return arguments

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    made = ToolDefinition(name="raw", description="Raw.", input_schema=schema, handler=handle)
    assert list(define_all(made)) == [made]
    assert run_tool(made, {"n": 1}).content == '{"n": 1}'
    assert run_tool(made, {"n": "1"}).content == 'Invalid tool input: n: "1" is not of type "integer"'
    assert "required" in run_tool(made, "").content
