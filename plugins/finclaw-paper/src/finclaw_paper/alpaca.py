"""Alpaca's paper account behind the same tools. Live trading is not offered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from finclaw_cli.sdk import FinanceResult, Method, Reconciled, Source, ToolContext, ToolError, no_data
from finclaw_paper import alpaca_orders, clock
from finclaw_paper.alpaca_desk import Desk, misread, unavailable
from finclaw_paper.alpaca_orders import Outcome
from finclaw_paper.alpaca_shapes import (
    CANCELLED,
    Body,
    Misread,
    as_list,
    as_object,
    asked,
    counts,
    maybe_number,
    moment,
    number,
    order_view,
    position_view,
    value_of,
    word,
)
from finclaw_paper.money import maybe_text, minus, plus, text, times
from finclaw_paper.pricing import Quote, last_quote
from finclaw_paper.problems import AlreadyPlaced, refused
from finclaw_paper.request import Listed, OrderRequest
from finclaw_paper.results import order_units
from finclaw_paper.settings import PaperSettings
from finclaw_paper.standing import Estimate, Standing, Twin, demand, estimated

Read = TypeVar("Read")
_MOST = 500
# Of the 30 s that an order has, what comes before sending it may take so much.
_BEFORE_S = 10.0
_METHOD = Method(name="alpaca", convention="as Alpaca's paper account has it; prices and fills are Alpaca's")
_ESTIMATE = Method(name="estimate", convention="at the last stored close or the limit; the price will be Alpaca's")
_MONEY = ("cash", "buying_power", "equity", "positions_value")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What an account is looked at for."""

    request: OrderRequest
    own_id: str
    midnight: datetime
    window: datetime
    """Since when an identical order counts as a repetition."""


class AlpacaBroker:
    """One call at Alpaca."""

    name = "Alpaca paper account, no real money"
    method = _ESTIMATE

    def __init__(self, ctx: ToolContext, settings: PaperSettings) -> None:
        self._ctx = ctx
        # Alpaca charges its own fees and has them in its own books.
        self._settings = settings.model_copy(update={"fee": Decimal(0)})
        self._desk = Desk(settings, ctx.secret)

    async def preview(self, request: OrderRequest, client_order_id: str) -> Estimate:
        self._now_only()
        known = await self._desk.lookup(client_order_id) if client_order_id else None
        if known is not None:
            raise AlreadyPlaced(client_order_id, _read(lambda: word(known, "status")))
        return await self._estimate(request, client_order_id)

    async def _estimate(self, request: OrderRequest, own_id: str) -> Estimate:
        moment = clock.now()
        quote = await self._quote(request.symbol)
        standing = await self._standing(request, own_id, moment)
        return estimated(request, quote, standing, self._settings, moment, fills_at_close=False)

    async def place(self, request: OrderRequest, client_order_id: str, *, repeat: bool) -> FinanceResult:
        self._now_only()
        try:
            async with asyncio.timeout(_BEFORE_S):
                known = await self._desk.lookup(client_order_id)
                if known is not None:
                    return self._outcome(alpaca_orders.duplicate(known, request, client_order_id))
                demand(await self._estimate(request, client_order_id), repeat=repeat)
        except TimeoutError:
            raise unavailable("checking the order took too long") from None
        return self._outcome(await alpaca_orders.send(self._desk, request, client_order_id))

    async def cancel(self, client_order_id: str) -> FinanceResult:
        self._now_only()
        try:
            return self._outcome(await alpaca_orders.cancel(self._desk, client_order_id))
        except Misread as error:
            raise misread(error) from None

    async def account(self) -> FinanceResult:
        self._seen_now()
        body = _object(await self._desk.get("/v2/account"))
        data = _read(lambda: _account(body))
        return self._result(data, dict.fromkeys(_MONEY, str(data["currency"])), "/v2/account")

    async def positions(self) -> FinanceResult:
        self._seen_now()
        body = await self._desk.get("/v2/positions")
        data = _read(lambda: [position_view(item) for item in as_list(body)])
        prices = dict.fromkeys(("average_cost", "close"), "USD/share")
        units = {"qty": "shares", **prices, **dict.fromkeys(("cost", "value", "gain"), "USD")}
        return self._result({"positions": data}, units, "/v2/positions")

    async def orders(self, status: Listed) -> FinanceResult:
        self._seen_now()
        body = await self._desk.get("/v2/orders", {"status": status, "limit": "200", "direction": "desc"})
        data = _read(lambda: [order_view(item) for item in as_list(body)])
        return self._result({"orders": data, "count": len(data)}, order_units("USD"), "/v2/orders")

    async def became_of(self, client_order_id: str) -> Reconciled:
        found = await self._desk.lookup(client_order_id)
        if found is None:
            return Reconciled(state="not_found")
        return Reconciled(state="done", content=self._outcome(Outcome(found, duplicate=True)))

    async def is_cancelled(self, client_order_id: str) -> Reconciled:
        found = await self._desk.lookup(client_order_id)
        if found is None or _read(lambda: word(found, "status")) not in CANCELLED:
            return Reconciled(state="not_found")
        return Reconciled(state="done", content=self._outcome(Outcome(found, duplicate=True)))

    async def reconciled(self, client_order_id: str | None) -> FinanceResult:
        self._seen_now()
        data: dict[str, object] = {"books": "kept by Alpaca"}
        if client_order_id:
            found = await self._desk.lookup(client_order_id)
            view = None if found is None else _read(lambda: order_view(found))
            data = {"outcome": "found" if view else "not_found", "order": view, **data}
        return self._result(data, order_units("USD"), "/v2/orders:by_client_order_id")

    def _now_only(self) -> None:
        if clock.day_of(self._ctx) < clock.now().date():
            raise refused(f"this run is as of {self._ctx.as_of}, and Alpaca's paper account trades now")

    def _seen_now(self) -> None:
        if clock.day_of(self._ctx) < clock.now().date():
            raise no_data(f"Alpaca shows its account of now, and this run may see nothing after {self._ctx.as_of}")

    async def _quote(self, symbol: str) -> Quote | None:
        """The last stored close, as an estimate; Alpaca's trading address gives no prices."""
        try:
            return await asyncio.to_thread(last_quote, symbol, self._ctx)
        except ToolError:
            return None

    async def _standing(self, request: OrderRequest, own_id: str, now: datetime) -> Standing:
        account = _object(await self._desk.get("/v2/account"))
        position = await self._desk.get(f"/v2/positions/{request.symbol}")
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        window = now - timedelta(seconds=self._settings.repeat_window_s)
        after = min(midnight, window).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        listed = await self._desk.get("/v2/orders", {"status": "all", "limit": str(_MOST), "after": after})
        cash = await self._cash(account, own_id)
        question = _Question(request=request, own_id=own_id, midnight=midnight, window=window)
        return _read(lambda: _standing(account, position, as_list(listed), cash, question))

    async def _cash(self, account: Body, own_id: str) -> tuple[Decimal, str | None]:
        """What may be spent without margin, and the open order whose cost is not known."""
        body = await self._desk.get("/v2/orders", {"status": "open", "limit": str(_MOST)})
        waiting = _read(
            lambda: [
                item for item in as_list(body) if asked(item).side == "buy" and word(item, "client_order_id") != own_id
            ]
        )
        if len(waiting) >= _MOST:
            raise unavailable(f"{_MOST} open orders or more, so what is left of the cash cannot be known")
        symbols = _read(lambda: {asked(item).symbol for item in waiting if value_of(item) is None})
        quotes = [await self._quote(symbol) for symbol in sorted(symbols)]
        closes = {quote.instrument.symbol: quote.close.price for quote in quotes if quote is not None}
        return _read(lambda: _own_cash(account, waiting, closes))

    def _outcome(self, outcome: Outcome) -> FinanceResult:
        data = _read(lambda: order_view(outcome.order)) | {"duplicate": outcome.duplicate}
        return self._result(data, order_units("USD"), "/v2/orders", outcome.notes)

    def _result(self, data: object, units: dict[str, str], path: str, warnings: tuple[str, ...] = ()) -> FinanceResult:
        now = clock.now()
        moment = now.isoformat(timespec="seconds")
        return FinanceResult(
            data=data,
            as_of=now.date().isoformat(),
            tz="UTC",
            units=units,
            method=_METHOD,
            sources=(Source(id="s1", kind="service", ref=f"{self._desk.url}{path}", retrieved_at=moment),),
            warnings=warnings,
        )


def _object(body: object) -> Body:
    return _read(lambda: as_object(body))


def _read(reader: Callable[[], Read]) -> Read:
    try:
        return reader()
    except Misread as error:
        raise misread(error) from None


def _account(body: Body) -> dict[str, object]:
    data: dict[str, object] = {
        "broker": "alpaca",
        "currency": word(body, "currency"),
        "status": word(body, "status"),
        "cash": text(number(body, "cash")),
        "buying_power": text(number(body, "buying_power")),
        "equity": maybe_text(maybe_number(body, "equity")),
        "positions_value": maybe_text(maybe_number(body, "long_market_value")),
    }
    return {name: value for name, value in data.items() if value is not None}


def _standing(
    account: Body, position: object, listed: list[Body], cash: tuple[Decimal, str | None], question: _Question
) -> Standing:
    if len(listed) >= _MOST:
        raise unavailable(f"{_MOST} orders or more today, so the limits cannot be checked")
    held = as_object(position) if position is not None else {}
    alive = [item for item in listed if counts(item) and word(item, "client_order_id") != question.own_id]
    recent = [item for item in alive if moment(item, "submitted_at") >= question.window]
    twins = [item for item in recent if asked(item).same_trade(question.request)]
    qty = number(held, "qty") if held else Decimal(0)
    free = maybe_number(held, "qty_available") if held else None
    return Standing(
        currency=word(account, "currency"),
        cash=cash[0],
        unpriced=cash[1],
        held=qty,
        sellable=qty if free is None else free,
        day_value=_total([value_of(item) for item in alive if moment(item, "submitted_at") >= question.midnight]),
        twin=_twin(twins),
    )


def _total(values: list[Decimal | None]) -> Decimal | None:
    """The sum; None where one of the values is not known."""
    total = Decimal(0)
    for value in values:
        if value is None:
            return None
        total = plus(total, value)
    return total


def _own_cash(account: Body, waiting: list[Body], closes: Mapping[str, Decimal]) -> tuple[Decimal, str | None]:
    """The cash that open orders leave, and the open order whose cost is not known, if there is one.

    Alpaca's `buying_power` has the margin that it lends in it. An open market order is valued at the stored close.
    """
    left, unknown = number(account, "cash"), None
    for item in waiting:
        value, wanted = value_of(item), asked(item)
        if value is None and wanted.qty is not None and wanted.symbol in closes:
            value = times(wanted.qty, closes[wanted.symbol])
        if value is None:
            unknown = word(item, "client_order_id")
        else:
            filled = maybe_number(item, "filled_avg_price")
            done = times(number(item, "filled_qty"), filled) if filled is not None else Decimal(0)
            left = minus(left, max(minus(value, done), Decimal(0)))
    free = maybe_number(account, "non_marginable_buying_power")
    return min(left, number(account, "buying_power"), left if free is None else free), unknown


def _twin(found: list[Body]) -> Twin | None:
    if not found:
        return None
    latest = max(found, key=lambda item: moment(item, "submitted_at"))
    return Twin(client_order_id=word(latest, "client_order_id"), submitted_at=moment(latest, "submitted_at"))
