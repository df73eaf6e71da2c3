"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools over positions and trades; none of them writes, and none places an order."""
    return tools_at(
        __package__,
        "portfolio:portfolio",
        "portfolio:ledger_portfolio",
        "portfolio_return:portfolio_return",
        "realised_gains:realised_gains",
    )
