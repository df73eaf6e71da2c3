"""Which broker answers: the local books, or Alpaca's paper account. Both can do the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from typing import Protocol, TypeVar

from finclaw_cli.sdk import FinanceResult, Method, Reconciled, ToolContext
from finclaw_cli.sdk.settings import read_settings
from finclaw_paper import local, views
from finclaw_paper.local import Desk
from finclaw_paper.request import Listed, OrderRequest
from finclaw_paper.results import FILLS, placed_result
from finclaw_paper.settings import PaperSettings
from finclaw_paper.standing import Estimate

Result = TypeVar("Result")


class Broker(Protocol):
    """What the tools need of a broker."""

    name: str
    method: Method
    """Where the prices of an estimate come from."""

    async def preview(self, request: OrderRequest, client_order_id: str) -> Estimate: ...

    async def place(self, request: OrderRequest, client_order_id: str, *, repeat: bool) -> FinanceResult: ...

    async def cancel(self, client_order_id: str) -> FinanceResult: ...

    async def account(self) -> FinanceResult: ...

    async def positions(self) -> FinanceResult: ...

    async def orders(self, status: Listed) -> FinanceResult: ...

    async def became_of(self, client_order_id: str) -> Reconciled: ...

    async def is_cancelled(self, client_order_id: str) -> Reconciled: ...

    async def reconciled(self, client_order_id: str | None) -> FinanceResult: ...


def broker_for(ctx: ToolContext) -> Broker:
    """The broker that the user's settings name.

    Raises:
        ToolError: NOT_CONFIGURED: a setting is wrong, or Alpaca's keys or package are missing.
    """
    settings = read_settings(PaperSettings, ctx, "finclaw-paper")
    if settings.broker == "alpaca":
        from finclaw_paper.alpaca import AlpacaBroker

        return AlpacaBroker(ctx, settings)
    return LocalBroker(ctx, settings)


class LocalBroker:
    """The books in finclaw's data folder. SQLite blocks, so all of it happens beside the event loop."""

    name = "local paper account, no real money"
    method = FILLS

    def __init__(self, ctx: ToolContext, settings: PaperSettings) -> None:
        self._ctx = ctx
        self._settings = settings

    async def _beside(self, work: Callable[[Desk], Result]) -> Result:
        """Run `work` in a thread. It goes on when the call is given up, and writes nothing then."""
        given_up = Event()
        try:
            return await asyncio.to_thread(work, Desk(ctx=self._ctx, settings=self._settings, given_up=given_up))
        except asyncio.CancelledError:
            given_up.set()
            raise

    def _result(self, placed: local.Placed) -> FinanceResult:
        return placed_result(placed, self._settings.currency)

    async def preview(self, request: OrderRequest, client_order_id: str) -> Estimate:
        return await self._beside(lambda desk: local.preview(desk, request, client_order_id))

    async def place(self, request: OrderRequest, client_order_id: str, *, repeat: bool) -> FinanceResult:
        return self._result(await self._beside(lambda desk: local.place(desk, request, client_order_id, repeat=repeat)))

    async def cancel(self, client_order_id: str) -> FinanceResult:
        return self._result(await self._beside(lambda desk: local.cancel(desk, client_order_id)))

    async def account(self) -> FinanceResult:
        return await self._beside(views.account)

    async def positions(self) -> FinanceResult:
        return await self._beside(views.positions)

    async def orders(self, status: Listed) -> FinanceResult:
        return await self._beside(lambda desk: views.orders(desk, status))

    async def became_of(self, client_order_id: str) -> Reconciled:
        return await self._beside(lambda desk: views.became_of(desk, client_order_id))

    async def is_cancelled(self, client_order_id: str) -> Reconciled:
        return await self._beside(lambda desk: views.is_cancelled(desk, client_order_id))

    async def reconciled(self, client_order_id: str | None) -> FinanceResult:
        return await self._beside(lambda desk: views.reconciled(desk, client_order_id))
