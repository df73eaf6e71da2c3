"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from typing import Any

from finclaw_cli.testing.tools import the_tool
from finclaw_market.plugin import finclaw_tools

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")
DECLARED = {
    "find_symbol": ("finance", 5, "read_only idempotent"),
    "get_quote": ("finance", 15, "read_only idempotent"),
    "get_price_history": ("finance", 15, "read_only idempotent"),
    "convert_currency": ("finance", 10, "read_only idempotent"),
    "get_series": ("finance", 15, "read_only idempotent"),
    "market_sessions": ("finance", 20, "read_only idempotent"),
    "import_data": ("data", 60, "requires_approval idempotent"),
    "plot_prices": ("finance", 30, "requires_approval idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "find_symbol": {"limit": 5},
    "get_quote": {"max_age_sessions": 3},
    "get_price_history": {"interval": "day", "adjustment": "as_stored", "limit": 60},
    "convert_currency": {"on_missing": "error"},
    "get_series": {"limit": 60},
    "import_data": {"kind": "prices", "dry_run": True},
    "plot_prices": {"adjustment": "as_stored", "format": "svg"},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "get_price_history": {"interval": ["day", "week", "month"], "adjustment": ["as_stored", "none", "split", "total"]},
    "convert_currency": {"on_missing": ["error", "previous"]},
    "import_data": {"kind": ["prices", "fx", "series"], "adjustment": ["none", "split", "total"]},
    "plot_prices": {"adjustment": ["as_stored", "none", "split", "total"], "format": ["svg", "png", "text"]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    tools = [the_tool(tool) for tool in finclaw_tools()]
    found = {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in tools
    }
    assert found == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    found = {}
    for tool in map(the_tool, finclaw_tools()):
        arguments: Any = tool.input_schema["properties"]
        given = {name: schema.get("default") for name, schema in arguments.items()}
        found[tool.name] = {name: value for name, value in given.items() if value is not None}
    assert {name: values for name, values in found.items() if values} == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    found = {}
    for tool in map(the_tool, finclaw_tools()):
        arguments: Any = tool.input_schema["properties"]
        forms = {name: schema.get("anyOf", [schema]) for name, schema in arguments.items()}
        found[tool.name] = {name: form["enum"] for name, each in forms.items() for form in each if "enum" in form}
    assert {name: values for name, values in found.items() if values} == CHOICES
