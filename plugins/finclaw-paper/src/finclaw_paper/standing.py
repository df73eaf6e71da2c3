"""May this order be placed? The request, the price and the account go in; every check comes out, passed or not.

Nothing here reads or writes: the same checks stand on the ticket and are made again when the order is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from finclaw_paper.clock import ago
from finclaw_paper.money import minus, plus, shares_for, text, times
from finclaw_paper.pricing import Close, Quote
from finclaw_paper.problems import refused
from finclaw_paper.request import OrderRequest
from finclaw_paper.settings import PaperSettings

_UNPRICED = "cannot be checked without a price: give notional or a limit, and let open market orders be filled first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """An earlier order for the same trade."""

    client_order_id: str
    submitted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What an account can bear right now, as far as one order is concerned. Money in `currency`."""

    currency: str
    cash: Decimal
    """What may be spent, without margin: open buy orders have their part already taken off."""
    held: Decimal
    """Shares of the order's symbol; below zero for a short position."""
    sellable: Decimal
    """Shares held that no open sell order has claimed."""
    day_value: Decimal | None
    """The value of all orders placed today (UTC) that did not come to nothing; None where the broker cannot say."""
    twin: Twin | None = None
    unpriced: str | None = None
    """The id of an open order whose cost is not known, so that what is left of the cash is not known either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule and how the order fares against it."""

    name: str
    passed: bool
    detail: str
    code: str = "ORDER_REFUSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What an order would do. Money in the account's currency; None is what no price is known for."""

    request: OrderRequest
    quote: Quote | None
    standing: Standing
    price: Decimal | None
    """What a share would cost: the last close, or the limit where that is not met yet."""
    shares: Decimal | None
    value: Decimal | None
    fee: Decimal
    cash_after: Decimal | None
    held_after: Decimal | None
    fills_now: bool
    checks: tuple[Check, ...] = ()

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)


def marketable(request: OrderRequest, price: Decimal) -> bool:
    """Whether the order would be filled at that price."""
    if request.limit_price is None:
        return True
    return price <= request.limit_price if request.side == "buy" else price >= request.limit_price


def doubtful(close: Close) -> str:
    """Why a close is not traded at, and what finds out more."""
    return (
        f"the close of {close.session}, {text(close.price)}, is doubtful: {close.doubt}; "
        f"look with: finclaw data check {close.instrument.symbol}"
    )


def estimated(
    request: OrderRequest,
    quote: Quote | None,
    standing: Standing,
    settings: PaperSettings,
    moment: datetime,
    *,
    fills_at_close: bool = True,
) -> Estimate:
    """Work out what the order would do, with all checks made.

    Where a broker does not fill at the stored close, a limit order is valued at its limit, or at the close if a sale at
    that is worth more.
    """
    close = quote.close.price if quote else None
    fills_now = close is not None and marketable(request, close)
    price = close if fills_now else request.limit_price
    if not fills_at_close and request.limit_price is not None:
        price = _dearest(request, request.limit_price, close)
    shares = request.qty
    if shares is None and price is not None and request.notional is not None:
        shares = shares_for(request.notional, price)
    value = times(shares, price) if shares is not None and price is not None else request.notional
    sign = Decimal(1 if request.side == "buy" else -1)
    bare = Estimate(
        request=request,
        quote=quote,
        standing=standing,
        price=price,
        shares=shares,
        value=value,
        fee=settings.fee,
        cash_after=None if value is None else minus(standing.cash, plus(times(sign, value), settings.fee)),
        held_after=None if shares is None else plus(standing.held, times(sign, shares)),
        fills_now=fills_now,
    )
    return _with_checks(bare, settings, moment)


def _dearest(request: OrderRequest, limit: Decimal, close: Decimal | None) -> Decimal:
    """The price of a limit order that may fill at any better one."""
    return limit if request.side == "buy" or close is None else max(limit, close)


def _with_checks(bare: Estimate, settings: PaperSettings, moment: datetime) -> Estimate:
    checks = (*_allowed(bare, settings), *_within(bare, settings), *_affordable(bare, settings))
    return replace(bare, checks=(*checks, _repeated(bare, settings, moment)))


def _allowed(order: Estimate, settings: PaperSettings) -> Iterator[Check]:
    request, currency = order.request, order.standing.currency
    if order.quote is not None:
        found = order.quote.instrument.currency
        reason = f"{request.symbol} trades in {found or 'a currency that its import did not say'}"
        detail = f"{reason}, the account is in {currency}"
        yield Check(name="currency", passed=found == currency, detail=detail, code="CURRENCY_MISMATCH")
    if order.quote is not None and order.fills_now and order.quote.close.doubt is not None:
        passed = settings.doubtful_prices == "accept"
        yield Check(name="price", passed=passed, detail=doubtful(order.quote.close), code="DOUBTFUL_PRICE")
    if settings.symbols is not None:
        passed = request.symbol in settings.symbols
        yield Check(name="symbols", passed=passed, detail=f"{request.symbol}; allowed: {', '.join(settings.symbols)}")
    passed = request.side in settings.sides
    yield Check(name="sides", passed=passed, detail=f"{request.side}; allowed: {', '.join(settings.sides) or 'none'}")
    if order.shares is not None:
        yield Check(name="size", passed=order.shares > 0, detail=f"{text(order.shares)} shares")


def _within(order: Estimate, settings: PaperSettings) -> Iterator[Check]:
    before = order.standing.day_value
    day = None if order.value is None or before is None else plus(before, order.value)
    limits = (("max_order", settings.max_order, order.value), ("max_day", settings.max_day, day))
    for name, limit, value in limits:
        if limit is None:
            continue
        if value is None:
            yield Check(name=name, passed=False, detail=_UNPRICED)
        else:
            detail = f"{text(value)} of {text(limit)} {order.standing.currency} allowed"
            yield Check(name=name, passed=value <= limit, detail=detail)


def _affordable(order: Estimate, settings: PaperSettings) -> Iterator[Check]:
    standing, currency = order.standing, order.standing.currency
    if order.request.side == "buy" and standing.unpriced is not None:
        yield Check(name="cash", passed=False, detail=f"what the open order {standing.unpriced} will cost is not known")
    elif order.cash_after is not None:
        needed = minus(standing.cash, order.cash_after)
        detail = f"needs {text(max(needed, Decimal(0)))} of {text(standing.cash)} {currency}"
        # A sale that its fee makes dearer than its proceeds needs cash, too.
        yield Check(name="cash", passed=order.cash_after >= 0 or needed <= 0, detail=detail)
    elif order.request.side == "buy":
        yield Check(name="cash", passed=False, detail=_UNPRICED)
    if order.request.side == "sell" and order.shares is not None and not settings.shorting:
        detail = f"{text(order.shares)} of {text(standing.sellable)} shares held and free; shorting is off"
        yield Check(name="holding", passed=order.shares <= standing.sellable, detail=detail)


def _repeated(order: Estimate, settings: PaperSettings, moment: datetime) -> Check:
    twin = order.standing.twin
    if twin is None:
        detail = f"no identical order in the last {settings.repeat_window_s} s"
        return Check(name="repeat", passed=True, detail=detail)
    detail = (
        f"the same order was placed {ago(twin.submitted_at, moment)} ({twin.client_order_id}); "
        "say repeat=true if a second one is meant"
    )
    return Check(name="repeat", passed=False, detail=detail)


def demand(order: Estimate, *, repeat: bool) -> None:
    """Refuse the order unless every check passed.

    Raises:
        ToolError: ORDER_REFUSED or CURRENCY_MISMATCH, naming each check that failed.
    """
    failed = [check for check in order.checks if not check.passed and not (repeat and check.name == "repeat")]
    if failed:
        raise refused("; ".join(f"{check.name}: {check.detail}" for check in failed), code=failed[0].code)
