"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.tools import the_tool
from finclaw_paper.plugin import finclaw_tools

FLAGS = ("requires_approval", "transactional", "sensitive", "external", "read_only", "idempotent", "serial")
DECLARED = {
    "get_account": ("finance", 10, "sensitive read_only idempotent"),
    "get_positions": ("finance", 10, "sensitive read_only idempotent"),
    "list_orders": ("finance", 10, "sensitive read_only idempotent"),
    "preview_order": ("finance", 10, "sensitive read_only idempotent"),
    "place_order": ("finance", 30, "requires_approval transactional sensitive idempotent"),
    "cancel_order": ("finance", 15, "requires_approval transactional sensitive idempotent"),
    "reconcile": ("finance", 10, "sensitive read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    tools = [the_tool(tool) for tool in finclaw_tools()]
    found = {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in tools
    }
    assert found == DECLARED
