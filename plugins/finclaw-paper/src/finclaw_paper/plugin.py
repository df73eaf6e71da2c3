"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import ToolAt, hookimpl, tools_at


@hookimpl
def finclaw_tools() -> Sequence[ToolAt]:
    """The tools of the broker, the reading ones first."""
    return tools_at(
        __package__,
        "reading:get_account",
        "reading:get_positions",
        "reading:list_orders",
        "trading:preview_order",
        "trading:place_order",
        "trading:cancel_order",
        "reading:reconcile",
    )
