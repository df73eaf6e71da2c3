"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_analytics.plugin import finclaw_tools
from finclaw_cli.testing.tools import the_tool

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")
DECLARED = {
    "performance": ("finance", 10, "read_only idempotent"),
    "risk": ("finance", 10, "read_only idempotent"),
    "cashflow_return": ("finance", 10, "read_only idempotent"),
    "indicator": ("finance", 10, "read_only idempotent"),
    "option_value": ("finance", 10, "read_only idempotent"),
    "bond": ("finance", 10, "read_only idempotent"),
    "loan": ("finance", 10, "read_only idempotent"),
    "calc": ("finance", 10, "read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    tools = [the_tool(tool) for tool in finclaw_tools()]
    found = {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in tools
    }
    assert found == DECLARED
