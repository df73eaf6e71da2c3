"""A tool's schema says what has to be said, once."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema

from finclaw_cli.core.messages import ToolUseBlock
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.tools.declare import tool
from finclaw_cli.tools.define import define_all
from finclaw_cli.tools.validate import problems


@tool(group="finance")
def look(
    symbol: str,
    amount: Decimal,
    *,
    start: date | None = None,
    names: list[str] | None = None,
    how: Literal["a", "b"] = "a",
    limit: int | str | None = None,
) -> str:
    """Look.

    Args:
        symbol: the ticker,
            in two lines.
        how: a or b.
    """
    return f"{symbol}{amount}{start}{names}{how}{limit}"


def defined() -> ToolDefinition:
    return next(iter(define_all(look)))


def test_what_may_be_left_out_is_not_said_to_be_null_as_well() -> None:
    properties = defined().input_schema["properties"]
    assert properties == {
        "symbol": {"type": "string", "description": "the ticker, in two lines."},
        "amount": {"type": ["number", "string"]},
        "start": {"type": "string", "format": "date"},
        "names": {"type": "array", "items": {"type": "string"}},
        "how": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "limit": {"type": ["integer", "string"]},
    }


def test_a_model_that_says_null_all_the_same_is_understood() -> None:
    call = ToolUseBlock("c", "look", {"symbol": "A", "amount": "1", "start": None, "names": None, "limit": None})
    assert problems(call, defined()) == []


@tool(group="finance")
def choose(
    anything: Any = None,
    several: list[int] | dict[str, int] | None = None,
    nested: Annotated[int | str, WithJsonSchema({"anyOf": [{"type": ["integer", "string"]}]})] = 1,
) -> str:
    """Choose."""
    return f"{anything}{several}{nested}"


def test_a_choice_that_is_not_of_bare_types_stays_a_choice() -> None:
    properties = next(iter(define_all(choose))).input_schema["properties"]
    assert properties == {
        "anything": {},
        "several": {
            "anyOf": [
                {"type": "array", "items": {"type": "integer"}},
                {"type": "object", "additionalProperties": {"type": "integer"}},
            ]
        },
        "nested": {"anyOf": [{"type": ["integer", "string"]}], "default": 1},
    }
