"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

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


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    tools = [the_tool(tool) for tool in finclaw_tools()]
    found = {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in tools
    }
    assert found == DECLARED
