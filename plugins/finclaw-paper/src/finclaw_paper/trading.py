"""The tools that trade: preview, place and cancel an order. Nothing is placed without approval."""

from __future__ import annotations

from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Reconciled, ToolContext, ToolError, tool
from finclaw_paper import clock
from finclaw_paper.broker import broker_for
from finclaw_paper.problems import AlreadyPlaced
from finclaw_paper.request import OrderType, Side, Tif, order_id, order_request
from finclaw_paper.results import estimate_result
from finclaw_paper.ticket import refusal, ticket


@tool(group="finance", sensitive=True, read_only=True, idempotent=True, timeout=10)
async def preview_order(
    symbol: str,
    side: Side,
    ctx: ToolContext,
    *,
    qty: Decimal | None = None,
    notional: Decimal | None = None,
    type: OrderType = "market",  # noqa: A002 - the broker's word
    limit_price: Decimal | None = None,
    tif: Tif = "day",
) -> FinanceResult:
    """What an order would cost, and whether it would be taken. Places nothing.

    Args:
        symbol: ticker.
        side: buy or sell.
        ctx: given by finclaw.
        qty: shares; or give notional.
        notional: money to trade for; market orders only.
        type: market or limit.
        limit_price: for type=limit.
        tif: day (next session only) or gtc (until cancelled).
    """
    request = order_request(symbol, side, qty=qty, notional=notional, type=type, limit_price=limit_price, tif=tif)
    broker = broker_for(ctx)
    return estimate_result(await broker.preview(request, ""), method=broker.method)


async def order_ticket(
    symbol: str,
    side: Side,
    ctx: ToolContext,
    *,
    qty: Decimal | None = None,
    notional: Decimal | None = None,
    type: OrderType = "market",  # noqa: A002 - the broker's word
    limit_price: Decimal | None = None,
    tif: Tif = "day",
    repeat: bool = False,
) -> str:
    """The preview of `place_order` for its approval. Changes nothing and never fails: an error is its text."""
    request, name = None, "paper account"
    try:
        broker = broker_for(ctx)
        name = broker.name
        request = order_request(symbol, side, qty=qty, notional=notional, type=type, limit_price=limit_price, tif=tif)
        estimate = await broker.preview(request, order_id(ctx.idempotency_key))
    except AlreadyPlaced as error:
        return refusal(request, str(error), broker=name, label="placed already")
    except ToolError as error:
        return refusal(request, str(error), broker=name)
    return ticket(estimate, broker=name, moment=clock.now(), repeat=repeat)


async def what_became_of(key: str, ctx: ToolContext) -> Reconciled:
    """Ask the broker what became of the order that was placed under that idempotency key."""
    try:
        return await broker_for(ctx).became_of(order_id(key))
    except ToolError as error:
        return Reconciled(state="unknown", content=str(error))


@tool(
    group="finance",
    transactional=True,
    requires_approval=True,
    sensitive=True,
    idempotent=True,
    timeout=30,
    reconcile=what_became_of,
    preview=order_ticket,
)
async def place_order(
    symbol: str,
    side: Side,
    ctx: ToolContext,
    *,
    qty: Decimal | None = None,
    notional: Decimal | None = None,
    type: OrderType = "market",  # noqa: A002 - the broker's word
    limit_price: Decimal | None = None,
    tif: Tif = "day",
    repeat: bool = False,
) -> FinanceResult:
    """Place an order in the paper account.

    Args:
        symbol: ticker.
        side: buy or sell.
        ctx: given by finclaw.
        qty: shares; or give notional.
        notional: money to trade for; market orders only.
        type: market or limit.
        limit_price: for type=limit.
        tif: day (next session only) or gtc (until cancelled).
        repeat: true only if a second identical order is meant.
    """
    broker = broker_for(ctx)
    request = order_request(symbol, side, qty=qty, notional=notional, type=type, limit_price=limit_price, tif=tif)
    return await broker.place(request, order_id(ctx.idempotency_key), repeat=repeat)


async def whether_cancelled(_key: str, ctx: ToolContext) -> Reconciled:
    """Ask the broker whether the order that the call was to cancel is cancelled."""
    try:
        return await broker_for(ctx).is_cancelled(str(ctx.input.get("client_order_id")))
    except ToolError as error:
        return Reconciled(state="unknown", content=str(error))


@tool(
    group="finance",
    transactional=True,
    requires_approval=True,
    sensitive=True,
    idempotent=True,
    timeout=15,
    reconcile=whether_cancelled,
)
async def cancel_order(client_order_id: str, ctx: ToolContext) -> FinanceResult:
    """Cancel an open order of the paper account.

    Args:
        client_order_id: as list_orders names it.
        ctx: given by finclaw.
    """
    return await broker_for(ctx).cancel(client_order_id)
