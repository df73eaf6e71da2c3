"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from typing import Any

from finclaw_cli.testing.tools import the_tool
from finclaw_ledger.plugin import finclaw_tools

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")
DECLARED = {
    "ledger_accounts": ("data", 20, "sensitive read_only idempotent"),
    "ledger_balance": ("data", 20, "sensitive read_only idempotent"),
    "ledger_transactions": ("data", 20, "sensitive read_only idempotent"),
    "spending": ("data", 20, "sensitive read_only idempotent"),
    "income_statement": ("data", 20, "sensitive read_only idempotent"),
    "holdings": ("data", 20, "sensitive read_only idempotent"),
    "ledger_query": ("data", 20, "sensitive read_only idempotent"),
    "import_statement": ("data", 60, "requires_approval sensitive idempotent serial"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "ledger_transactions": {"limit": 50},
    "spending": {"by": "category"},
    "import_statement": {"dry_run": True},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "spending": {"by": ["category", "payee", "month"]},
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
