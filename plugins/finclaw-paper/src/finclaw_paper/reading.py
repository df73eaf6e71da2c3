"""The tools that only look: account, positions, orders, and whether the books are consistent."""

from __future__ import annotations

from finclaw_cli.sdk import FinanceResult, ToolContext, tool
from finclaw_paper.broker import broker_for
from finclaw_paper.request import Listed


@tool(group="finance", sensitive=True, read_only=True, idempotent=True, timeout=10, examples=({},))
async def get_account(ctx: ToolContext) -> FinanceResult:
    """Cash, buying power and equity of the paper account."""
    return await broker_for(ctx).account()


@tool(group="finance", sensitive=True, read_only=True, idempotent=True, timeout=10, examples=({},))
async def get_positions(ctx: ToolContext) -> FinanceResult:
    """The shares held in the paper account, with cost and value."""
    return await broker_for(ctx).positions()


@tool(
    group="finance",
    sensitive=True,
    read_only=True,
    idempotent=True,
    timeout=10,
    examples=({}, {"status": "open"}),
)
async def list_orders(ctx: ToolContext, status: Listed = "all") -> FinanceResult:
    """The orders of the paper account, the latest first.

    Args:
        ctx: given by finclaw.
        status: open orders wait for a fill; closed ones are filled, canceled or expired.
    """
    return await broker_for(ctx).orders(status)


@tool(group="finance", sensitive=True, read_only=True, idempotent=True, timeout=10, examples=({},))
async def reconcile(ctx: ToolContext, client_order_id: str | None = None) -> FinanceResult:
    """What became of an order whose outcome is unknown, and whether the books are consistent.

    Args:
        ctx: given by finclaw.
        client_order_id: as place_order's answer or error names it.
    """
    return await broker_for(ctx).reconciled(client_order_id)
