"""The answers of the local broker: numbers with their unit, their day, and the file each price stands in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from finclaw_cli.sdk import FinanceResult, Instrument, Method, Source
from finclaw_paper.book import Order
from finclaw_paper.local import Placed
from finclaw_paper.money import maybe_text, text
from finclaw_paper.standing import Estimate

FILLS = Method(
    name="paper_fill",
    convention="filled at the last stored close on or before the day; a limit order waits for a close that meets it",
)


class Citations:
    """The sources of an answer, each named once."""

    def __init__(self) -> None:
        self._found: dict[Source, str] = {}

    def id_of(self, source: Source) -> str:
        """The id of that source in this answer."""
        bare = replace(source, id="")
        return self._found.setdefault(bare, f"s{len(self._found) + 1}")

    def all(self) -> tuple[Source, ...]:
        return tuple(replace(source, id=name) for source, name in self._found.items())


def order_data(order: Order, citations: Citations) -> dict[str, object]:
    """One order as results show it."""
    asked, fill = order.request, order.fill
    data: dict[str, object] = {
        "client_order_id": order.client_order_id,
        "status": order.status,
        "symbol": asked.symbol,
        "side": asked.side,
        "type": asked.type,
        "tif": asked.tif,
        "qty": maybe_text(asked.qty),
        "notional": maybe_text(asked.notional),
        "limit_price": maybe_text(asked.limit_price),
        "submitted_at": order.submitted_at,
        "day": order.day,
        "note": order.note,
    }
    if fill is not None:
        data |= {
            "filled_qty": text(fill.qty),
            "fill_price": text(fill.price),
            "fee": text(fill.fee),
            "fill_session": fill.session,
            "fill_source": citations.id_of(fill.source),
        }
    return {name: value for name, value in data.items() if value is not None}


def order_units(currency: str) -> dict[str, str]:
    """The units of an order's fields."""
    price = f"{currency}/share"
    money = {"notional": currency, "limit_price": price, "fill_price": price, "fee": currency}
    return {"qty": "shares", "filled_qty": "shares", **money, "submitted_at": "UTC", "day": "UTC"}


def placed_result(placed: Placed, currency: str) -> FinanceResult:
    """What `place_order` and `cancel_order` answer."""
    citations = Citations()
    order = placed.order
    data = order_data(order, citations) | {"duplicate": placed.duplicate}
    waits = (f"not filled yet: it waits for a close that meets the limit ({order.request.tif})",)
    return FinanceResult(
        data=data,
        as_of=(order.fill.session if order.fill else order.day).isoformat(),
        instrument=Instrument(symbol=order.request.symbol, currency=currency),
        units=order_units(currency),
        method=FILLS,
        sources=citations.all(),
        warnings=(*placed.notes, *(waits if order.status == "accepted" else ())),
    )


def estimate_result(estimate: Estimate, *, method: Method) -> FinanceResult:
    """What `preview_order` answers: the ticket as data."""
    quote, standing = estimate.quote, estimate.standing
    return FinanceResult(
        data=_estimate_data(estimate),
        as_of=quote.close.session.isoformat() if quote else None,
        instrument=quote.instrument if quote else Instrument(symbol=estimate.request.symbol),
        tz=quote.tz if quote else None,
        sessions_behind=quote.weekdays_old if quote else None,
        calendar="weekdays" if quote else None,
        units=_estimate_units(standing.currency),
        adjustment=quote.adjustment if quote else None,
        method=method,
        sources=(quote.close.source,) if quote else (),
        warnings=quote.notes if quote else ("no stored price: cost and cash after are not known",),
    )


def _estimate_data(estimate: Estimate) -> dict[str, object]:
    asked = estimate.request
    return {
        "passed": estimate.passed,
        "fills_now": estimate.fills_now,
        "symbol": asked.symbol,
        "side": asked.side,
        "type": asked.type,
        "tif": asked.tif,
        "qty": maybe_text(estimate.shares),
        "price": maybe_text(estimate.price),
        "cost": maybe_text(estimate.value),
        "fee": text(estimate.fee),
        "cash_now": text(estimate.standing.cash),
        "cash_after": maybe_text(estimate.cash_after),
        "position_now": text(estimate.standing.held),
        "position_after": maybe_text(estimate.held_after),
        "checks": [{"name": item.name, "passed": item.passed, "detail": item.detail} for item in estimate.checks],
    }


def _estimate_units(currency: str) -> dict[str, str]:
    shares = dict.fromkeys(("qty", "position_now", "position_after"), "shares")
    money = dict.fromkeys(("cost", "fee", "cash_now", "cash_after"), currency)
    return {**shares, "price": f"{currency}/share", **money}


def listed(orders: Iterable[Order], citations: Citations) -> list[dict[str, object]]:
    """Several orders as results show them."""
    return [order_data(order, citations) for order in orders]
