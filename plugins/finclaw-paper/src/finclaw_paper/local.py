"""The local broker's acts: take an order, cancel one, and try the open ones again when newer closes are there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from threading import Event

from finclaw_cli.sdk import Instrument, ToolContext, ToolError
from finclaw_paper import book, clock
from finclaw_paper.book import Fill, Order
from finclaw_paper.holdings import held_of
from finclaw_paper.ledger import reading, writing
from finclaw_paper.money import minus, shares_for, text, total
from finclaw_paper.pricing import Close, closes_after, last_quote, quote_of
from finclaw_paper.problems import AlreadyPlaced, not_configured, refused, unknown_order
from finclaw_paper.request import OrderRequest
from finclaw_paper.settings import PaperSettings
from finclaw_paper.splits import Splits
from finclaw_paper.standing import Estimate, Standing, Twin, demand, doubtful, estimated, marketable

_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One call at the broker: who asks, under which rules, on which day."""

    ctx: ToolContext
    settings: PaperSettings
    given_up: Event
    now: Callable[[], datetime] = clock.now

    @property
    def day(self) -> date:
        return clock.day_of(self.ctx)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An order in the books; `duplicate` where it had been there before this call."""

    order: Order
    duplicate: bool = False
    notes: tuple[str, ...] = ()


def preview(desk: Desk, request: OrderRequest, client_order_id: str = "") -> Estimate:
    """What the order would do now; changes nothing.

    Raises:
        ToolError: there is no price, or the id belongs to another order.
        AlreadyPlaced: the books have this order.
    """
    with reading(desk.ctx.home) as connection:
        known = _recorded(connection, desk, request, client_order_id)
        if known is not None:
            raise AlreadyPlaced(client_order_id, known.order.status)
        quote = last_quote(request.symbol, desk.ctx)
        standing = _standing(connection, desk, request, desk.now())
    return estimated(request, quote, standing, desk.settings, desk.now())


def place(desk: Desk, request: OrderRequest, client_order_id: str, *, repeat: bool) -> Placed:
    """Enter the order, and fill it at the last close where that is marketable.

    Raises:
        ToolError: there is no price, a check fails, or the id belongs to another order.
    """
    with reading(desk.ctx.home) as connection:
        known = _recorded(connection, desk, request, client_order_id)
    if known is not None:
        return known
    settle(desk)
    quote = last_quote(request.symbol, desk.ctx)
    with writing(desk.ctx.home, desk.given_up) as connection:
        known = _recorded(connection, desk, request, client_order_id)
        if known is not None:
            return known
        moment = desk.now()
        estimate = estimated(request, quote, _standing(connection, desk, request, moment), desk.settings, moment)
        demand(estimate, repeat=repeat)
        _enter(connection, desk, estimate, client_order_id, moment)
        book.add_instrument(connection, client_order_id, quote.instrument)
        entered = book.order(connection, client_order_id)
    if entered is None:  # pragma: no cover - it was entered above
        raise AssertionError(client_order_id)
    return Placed(order=entered, notes=quote.notes)


def _recorded(
    connection: sqlite3.Connection | None, desk: Desk, request: OrderRequest, client_order_id: str
) -> Placed | None:
    found = book.order(connection, client_order_id) if connection else None
    if found is None:
        return None
    if found.day > desk.day:
        raise _later_entries_error(desk.day)
    found = found.as_of(desk.day)
    if found.request_hash != request.fingerprint:
        raise refused(f"{client_order_id} is already the id of another order ({found.status})")
    return Placed(order=found, duplicate=True)


def _standing(
    connection: sqlite3.Connection | None, desk: Desk, request: OrderRequest, moment: datetime, own: Order | None = None
) -> Standing:
    """What the account can bear beside the order `own`, which is tried again; the day is that of `moment`."""
    opened = book.account(connection) if connection else None
    settings = desk.settings
    if connection is None or opened is None:
        nothing = total([])
        return Standing(
            currency=settings.currency, cash=settings.starting_cash, held=nothing, sellable=nothing, day_value=nothing
        )
    _not_backwards(connection, desk.day)
    _same_account(opened, settings)
    waiting = [item for item in book.open_orders(connection) if item != own]
    held = held_of(request.symbol, book.fills(connection, date.max), Splits(desk.ctx))
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = [item for item in book.submitted_since(connection, midnight) if item != own]
    return Standing(
        currency=opened.currency,
        cash=minus(opened.cash, book.reserved_cash(waiting)),
        held=held,
        sellable=minus(held, book.reserved_shares(waiting, request.symbol)),
        day_value=total([item.value for item in of_day if item.submitted_at < clock.stamp(midnight + _A_DAY)]),
        twin=_twin(connection, request, moment, settings.repeat_window_s, own),
    )


def _twin(
    connection: sqlite3.Connection, request: OrderRequest, moment: datetime, window_s: int, own: Order | None
) -> Twin | None:
    """The same order, placed within the window before that moment."""
    recent = book.submitted_since(connection, moment - timedelta(seconds=window_s)) if window_s else ()
    earlier = next((item for item in recent if item.request.same_trade(request) and item != own), None)
    if earlier is None:
        return None
    return Twin(client_order_id=earlier.client_order_id, submitted_at=datetime.fromisoformat(earlier.submitted_at))


def _same_account(opened: book.Account, settings: PaperSettings) -> None:
    if opened.currency != settings.currency:
        raise not_configured(
            f"the paper account is in {opened.currency}, the setting is currency = {settings.currency!r}; "
            "an account's currency cannot be changed"
        )


def _not_backwards(connection: sqlite3.Connection, day: date) -> None:
    latest = book.latest_day(connection)
    if latest is not None and day < latest:
        raise _later_entries_error(day)


def _later_entries_error(day: date) -> ToolError:
    # The later entries themselves must not be shown.
    return refused(f"the books go on after {day}, the day of this run: orders go forward in time only")


def _enter(
    connection: sqlite3.Connection, desk: Desk, estimate: Estimate, client_order_id: str, moment: datetime
) -> None:
    request, quote = estimate.request, estimate.quote
    if quote is None or estimate.value is None or estimate.shares is None:  # pragma: no cover - a price is known here
        raise AssertionError("an order without a price")
    if book.account(connection) is None:
        book.open_account(connection, desk.settings.currency, desk.settings.starting_cash, moment)
    entered = Order(
        client_order_id=client_order_id,
        request=request,
        request_hash=request.fingerprint,
        status="accepted",
        day=desk.day,
        seen=quote.close.session,
        submitted_at=clock.stamp(moment),
        fee=estimate.fee,
        value=estimate.value,
    )
    book.add_order(connection, entered)
    if estimate.fills_now:
        _fill(connection, entered, quote.close, desk, desk.day)


def _fill(connection: sqlite3.Connection, order: Order, close: Close, desk: Desk, day: date) -> None:
    request = order.request
    shares = request.qty if request.notional is None else shares_for(request.notional, close.price)
    fill = Fill(
        symbol=request.symbol,
        side=request.side,
        qty=shares or total([]),
        price=close.price,
        fee=order.fee,
        session=close.session,
        day=day,
        filled_at=clock.stamp(desk.now()),
        source=close.source,
    )
    book.add_fill(connection, order.client_order_id, fill)


def settle(desk: Desk) -> tuple[str, ...]:
    """Try the open orders at the closes that arrived since, and return what went wrong with that, if anything."""
    with reading(desk.ctx.home) as connection:
        waiting = book.open_orders(connection) if connection else []
        latest = book.latest_day(connection) if connection else None
    # A run that looks back must neither fill nor expire what was ordered later.
    if not waiting or latest is None or desk.day < latest:
        return ()
    try:
        due = [(item, closes_after(item.request.symbol, item.seen, desk.ctx)) for item in waiting]
    except ToolError as error:
        return (f"open orders could not be tried again: {error}",)
    due = [(item, closes) for item, closes in due if closes]
    if due:
        with writing(desk.ctx.home, desk.given_up) as connection:
            for item, closes in due:
                # Another process may have been faster.
                if book.order(connection, item.client_order_id) == item:
                    _try_again(connection, item, closes, desk)
    return ()


def _try_again(connection: sqlite3.Connection, order: Order, closes: list[Close], desk: Desk) -> None:
    for close in closes:
        if close.split:
            _expire(
                connection, order, close, desk, f"shares were split before {close.session}; the limit meant old ones"
            )
            return
        if close.session < order.day:
            continue  # it was past already when the order came
        is_met = marketable(order.request, close.price)
        is_usable = close.doubt is None or desk.settings.doubtful_prices == "accept"
        if is_met and is_usable:
            if why := _refusal_at_fill(connection, order, close, desk):
                _expire(connection, order, close, desk, f"not filled at the close of {close.session}, {why}")
                return
            # Where it is tomorrow already, the books are still at today.
            _fill(connection, order, close, desk, min(close.session, desk.day))
            return
        if order.request.tif == "day":
            why = text(close.price) if not is_met else doubtful(close)
            _expire(connection, order, close, desk, f"not filled at the close of {close.session}, {why}")
            return
    book.mark_seen(connection, order.client_order_id, closes[-1].session)


def _refusal_at_fill(connection: sqlite3.Connection, order: Order, close: Close, desk: Desk) -> str | None:
    """Why an order that was accepted may not be filled at this close under today's rules; None where it may."""
    then, now = book.ordered_instrument(connection, order), close.instrument
    if then is not None and (then.exchange, then.currency) != (now.exchange, now.currency):
        return f"{text(close.price)}: instrument: it was {_traded(then)} when it was ordered, and is {_traded(now)}"
    submitted = datetime.fromisoformat(order.submitted_at)
    standing = _standing(connection, desk, order.request, submitted, order)
    estimate = estimated(order.request, quote_of(close), standing, desk.settings, submitted)
    failed = [check for check in estimate.checks if not check.passed and check.name != "repeat"]
    return f"{text(close.price)}: " + "; ".join(f"{check.name}: {check.detail}" for check in failed) if failed else None


def _traded(instrument: Instrument) -> str:
    return f"{instrument.currency or 'an unknown currency'} at {instrument.exchange or 'an unknown exchange'}"


def _expire(connection: sqlite3.Connection, order: Order, close: Close, desk: Desk, note: str) -> None:
    book.mark_seen(connection, order.client_order_id, min(close.session, desk.day))
    book.close_order(connection, order.client_order_id, "expired", clock.stamp(desk.now()), note)


def cancel(desk: Desk, client_order_id: str) -> Placed:
    """Cancel an open order; one that is cancelled already is given as it is.

    Raises:
        ToolError: there is no such order, or it is not open any more.
    """
    settle(desk)
    with reading(desk.ctx.home) as connection:
        if connection is None:
            raise unknown_order(client_order_id)
    with writing(desk.ctx.home, desk.given_up) as connection:
        found = book.order(connection, client_order_id)
        if found is None or found.day > desk.day:
            raise unknown_order(client_order_id)
        _not_backwards(connection, desk.day)
        if found.status == "canceled":
            return Placed(order=found, duplicate=True)
        if found.status != "accepted":
            raise ToolError(f"ORDER_REFUSED: {client_order_id} is {found.status} and cannot be cancelled.")
        book.mark_seen(connection, client_order_id, desk.day)
        book.close_order(connection, client_order_id, "canceled", clock.stamp(desk.now()))
        cancelled = book.order(connection, client_order_id)
    return Placed(order=cancelled or found)
