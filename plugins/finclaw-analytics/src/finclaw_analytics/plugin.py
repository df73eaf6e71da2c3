"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools that reckon; none of them writes, and none uses a network."""
    return tools_at(
        __package__,
        "performance:performance",
        "risk:risk",
        "compare:compare",
        "cashflow:cashflow_return",
        "indicator:indicator",
        "option:option_value",
        "bond:bond",
        "loan:loan",
        "calc:calc",
    )
