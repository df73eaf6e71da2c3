"""Amounts reach a tool with every digit that the model wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from finclaw_cli.core.json_text import parse_object
from finclaw_cli.testing.tools import run_tool
from finclaw_cli.tools.declare import tool


class Leg(BaseModel):
    symbol: str
    amount: Decimal


class Node(BaseModel):
    amount: Decimal
    children: list[Node] = []


class Tree(BaseModel):
    children: list[Tree]


class Row(TypedDict):
    amount: Decimal


@dataclass
class Point:
    day: date
    value: Decimal


@tool
def echo_amounts(amount: Decimal, more: list[Decimal] | None = None, leg: Leg | None = None) -> dict[str, object]:
    """Give back what came."""
    return {"amount": amount, "more": more, "leg": leg and leg.amount}


def exactly(arguments: str) -> dict[str, Any]:
    answer = run_tool(echo_amounts, arguments)
    assert not answer.is_error, answer.content
    return dict(parse_object(answer.content))


@pytest.mark.parametrize(
    "digits",
    ["0.1", "1200.00", "123456789012345678.123456789", "0.30000000000000004", "1e-30", "-7", "9007199254740993"],
)
@pytest.mark.parametrize("form", ["{}", '"{}"'], ids=["number", "text"])
def test_a_decimal_keeps_its_value_to_the_last_digit(digits: str, form: str):
    given_value = form.format(digits)
    leg = f'{{"symbol": "A", "amount": {given_value}}}'
    told = exactly(f'{{"amount": {given_value}, "more": [{given_value}], "leg": {leg}}}')
    assert Decimal(told["amount"]) == Decimal(digits)
    assert [Decimal(item) for item in told["more"]] == [Decimal(digits)]
    assert Decimal(told["leg"]) == Decimal(digits)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**25), max_value=10**25, places=12))
def test_any_decimal_keeps_its_value(amount: Decimal):
    assert Decimal(exactly(f'{{"amount": {amount:f}}}')["amount"]) == amount


def test_decimals_within_any_kind_of_type_are_exact():
    digits = "0.1234567890123456789"

    @tool
    def deep(node: Node, point: Point, row: Row, named: dict[str, Decimal]) -> list[Decimal]:
        """Take amounts wherever they may stand."""
        return [node.children[0].amount, point.value, row["amount"], named["x"]]

    inner = f'{{"amount": {digits}}}'
    node = f'{{"amount": 1, "children": [{inner}]}}'
    point = f'{{"day": "2026-01-02", "value": {digits}}}'
    answer = run_tool(deep, f'{{"node": {node}, "point": {point}, "row": {inner}, "named": {{"x": {digits}}}}}')
    assert json.loads(answer.content) == [digits] * 4


def test_a_type_that_contains_itself_without_decimals():
    @tool
    def walk(tree: Tree) -> int:
        """Walk a tree."""
        return len(tree.children)

    assert run_tool(walk, {"tree": {"children": [{"children": []}]}}).content == "1"


@tool
def echo_parts(
    name: str,
    either: Decimal | str = "",
    legs: list[Leg] | None = None,
    rows: dict[str, Row] | None = None,
    pair: tuple[str, Annotated[Decimal, Field(ge=0)]] = ("", Decimal(0)),
) -> str:
    """Give back what came."""
    return name


@pytest.mark.parametrize("written", ["１", "٣.5", "1_000", " 1", "1\n", "१", "1e１", "Infinity", "-", "."])
@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("amount", {"amount": "@"}),
        ("more.1", {"amount": 1, "more": ["1", "@"]}),
        ("leg.amount", {"amount": 1, "leg": {"symbol": "x", "amount": "@"}}),
    ],
)
def test_a_number_is_written_in_the_digits_of_json(written: str, place: str, arguments: dict[str, Any]):
    answer = run_tool(echo_amounts, json.dumps(arguments).replace('"@"', json.dumps(written)))
    assert answer.is_error
    assert f"{place}: Input should be a number in the digits 0 to 9" in answer.content


@pytest.mark.parametrize(
    ("place", "argument"),
    [
        ("legs.0.amount", {"legs": [{"symbol": "１", "amount": "１"}]}),
        ("rows.a.amount", {"rows": {"a": {"amount": "１"}}}),
        ("pair.1", {"pair": ["１", "１"]}),
    ],
)
def test_text_beside_a_number_may_have_any_digits(place: str, argument: dict[str, Any]):
    answer = run_tool(echo_parts, json.dumps({"name": "１", "either": "１", **argument}))
    assert answer.content.count("Input should be") == 1
    assert f"{place}: Input should be" in answer.content


@pytest.mark.parametrize("written", ["1", "+1", "-0.50", "1.", ".5", "1e-3", "12345678901234567890.1"])
def test_a_number_in_text_may_have_a_sign_a_bare_point_and_an_exponent(written: str):
    assert Decimal(str(exactly(json.dumps({"amount": written}))["amount"])) == Decimal(written)
