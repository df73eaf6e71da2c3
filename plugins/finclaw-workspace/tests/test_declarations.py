"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from typing import Any

from finclaw_cli.testing.tools import the_tool
from finclaw_workspace.plugin import finclaw_tools

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")
DECLARED = {
    "read": ("system", 10, "read_only idempotent"),
    "write": ("system", 10, "requires_approval idempotent"),
    "edit": ("system", 10, "requires_approval"),
    "glob": ("system", 30, "read_only idempotent"),
    "grep": ("system", 60, "read_only idempotent"),
    "shell": ("system", 120, "requires_approval serial"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "read": {"offset": 1, "limit": 2000},
    "edit": {"replace_all": False},
    "glob": {"path": "."},
    "grep": {"path": ".", "ignore_case": False, "limit": 100},
    "shell": {"timeout_s": 120},
}
"""By name: the arguments that have a value where a call gives none."""


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
