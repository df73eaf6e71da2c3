"""Placeholders in the answers of a scripted model, filled from the results of tools."""

from __future__ import annotations

import pytest

from finclaw_cli import Agent
from finclaw_cli.sdk import tool
from tests.agent.scripts import Scripts


@tool(group="finance", read_only=True)
def prices() -> dict[str, object]:
    """Return three prices."""
    return {"rows": [{"close": 1.5}, {"close": 2.5}, {"close": 3.5}], "unit": None, "name": "ACME"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("rows.0.close", "1.5"),
        ("rows.-1.close", "3.5"),
        ("rows.-3.close", "1.5"),
        ("rows.-4.close", "(unavailable)"),
        ("rows.3.close", "(unavailable)"),
        ("rows.last", "(unavailable)"),
        ("name.0", "(unavailable)"),
        ("unit", "(unavailable)"),
        ("rows.1", '{"close": 2.5}'),
        ("name", "ACME"),
        ("rows.0.close|percent", "150.00 %"),
        ("name|percent", "ACME"),
    ],
)
def test_a_placeholder_is_the_value_at_its_path(script: Scripts, path: str, text: str):
    model = script({"tool_calls": [{"name": "prices", "input": {}}]}, {"text": f"{{{{prices.{path}}}}}"})
    assert Agent(model=model, tools=[prices]).run_sync("x").text == text


@pytest.mark.parametrize(
    ("place", "text"),
    [("prompt.stdin", "a,b\n1,2"), ("prompt.file", "c"), ("prompt.other", "(unavailable)")],
)
def test_what_came_with_the_question_is_the_prompts(script: Scripts, place: str, text: str):
    question = 'Well?\n\n<stdin>\na,b\n1,2\n</stdin>\n\n<file name="x.csv">\nc\n</file>'
    assert Agent(model=script({"text": f"{{{{{place}}}}}"})).run_sync(question).text == text
