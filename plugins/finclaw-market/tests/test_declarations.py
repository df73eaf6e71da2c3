"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

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


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    tools = [the_tool(tool) for tool in finclaw_tools()]
    found = {
        tool.name: (tool.group, tool.timeout_s, " ".join(flag for flag in FLAGS if getattr(tool, flag)))
        for tool in tools
    }
    assert found == DECLARED
