"""Alpaca's JSON, read strictly: what is not there or not a number is an answer not understood, never a zero."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import cast

from finclaw_paper.money import maybe_text, plus, text, times
from finclaw_paper.request import OrderRequest, OrderType, Side, Tif

Body = Mapping[str, object]
_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_MAX_DIGITS = 40
# An order in one of these states will not trade any more; what was filled before, was.
_ENDED = frozenset({"canceled", "expired", "rejected", "replaced"})
CANCELLED = frozenset({"canceled", "pending_cancel"})
CLOSED = _ENDED | {"filled"}


class Misread(Exception):
    """The answer is JSON, but not what Alpaca answers."""


def as_object(body: object) -> Body:
    """A JSON object.

    Raises:
        Misread: it is none.
    """
    if not isinstance(body, dict):
        raise Misread("no object")
    return body


def as_list(body: object) -> list[Body]:
    """A JSON array of objects.

    Raises:
        Misread: it is none.
    """
    if not isinstance(body, list):
        raise Misread("no array")
    return [as_object(item) for item in body]


def word(body: Body, name: str) -> str:
    """A short text.

    Raises:
        Misread: there is none.
    """
    found = body.get(name)
    if not isinstance(found, str) or not found.isprintable() or len(found) > 128:  # noqa: PLR2004 - longest id
        raise Misread(f"no {name}")
    return found


def maybe_number(body: Body, name: str) -> Decimal | None:
    """A finite number, exactly as written; None where it is null.

    Raises:
        Misread: there is something else.
    """
    found = body.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, str | int | Decimal) or len(str(found)) > _MAX_DIGITS:
        raise Misread(f"{name} is no number")
    try:
        number = Decimal(found)
    except InvalidOperation:
        raise Misread(f"{name} is no number") from None
    if not number.is_finite() or abs(number.adjusted()) > _MAX_DIGITS:
        raise Misread(f"{name} is no finite number")
    return number


def number(body: Body, name: str) -> Decimal:
    """A number that has to be there.

    Raises:
        Misread: it is not.
    """
    found = maybe_number(body, name)
    if found is None:
        raise Misread(f"no {name}")
    return found


def moment(body: Body, name: str) -> datetime:
    """A moment with its offset.

    Raises:
        Misread: there is none.
    """
    try:
        found = datetime.fromisoformat(word(body, name))
    except ValueError:
        raise Misread(f"{name} is no time") from None
    if found.tzinfo is None:
        raise Misread(f"{name} has no time zone")
    return found


def broker_id(order: Body) -> str:
    """Alpaca's own id of an order, fit to be part of an address.

    Raises:
        Misread: it is not.
    """
    found = word(order, "id")
    if not _ID.fullmatch(found):
        raise Misread("no id")
    return found


def asked(order: Body) -> OrderRequest:
    """What an order of Alpaca's asked for.

    Raises:
        Misread: it is not an order.
    """
    return OrderRequest(
        symbol=word(order, "symbol"),
        side=cast("Side", word(order, "side")),
        type=cast("OrderType", word(order, "type")),
        tif=cast("Tif", word(order, "time_in_force")),
        qty=maybe_number(order, "qty"),
        notional=maybe_number(order, "notional"),
        limit_price=maybe_number(order, "limit_price"),
    )


def wire(request: OrderRequest, client_order_id: str) -> dict[str, str]:
    """The order as it is sent; numbers are text, so that no digit is lost on the way."""
    body = {
        "symbol": request.symbol,
        "side": request.side,
        "type": request.type,
        "time_in_force": request.tif,
        "client_order_id": client_order_id,
        "qty": maybe_text(request.qty),
        "notional": maybe_text(request.notional),
        "limit_price": maybe_text(request.limit_price),
    }
    return {name: value for name, value in body.items() if value is not None}


def counts(order: Body) -> bool:
    """Whether an order may still trade, or has traded."""
    return word(order, "status") not in _ENDED or number(order, "filled_qty") > 0


def value_of(order: Body) -> Decimal | None:
    """What an order has traded for plus what it may still trade for; None where no price is known yet."""
    filled, price = number(order, "filled_qty"), maybe_number(order, "filled_avg_price")
    done = times(filled, price) if price is not None else Decimal(0)
    if word(order, "status") in CLOSED:
        return done
    wanted = asked(order)
    if wanted.notional is not None:
        return max(wanted.notional, done)
    if wanted.qty is None or wanted.limit_price is None:
        return None
    return plus(done, times(max(wanted.qty - filled, Decimal(0)), wanted.limit_price))


def order_view(order: Body) -> dict[str, object]:
    """An order in the words of our results.

    Raises:
        Misread: it is not an order.
    """
    request, filled, price = asked(order), number(order, "filled_qty"), maybe_number(order, "filled_avg_price")
    data: dict[str, object] = {
        "client_order_id": word(order, "client_order_id"),
        "broker_id": broker_id(order),
        "status": word(order, "status"),
        "symbol": request.symbol,
        "side": request.side,
        "type": request.type,
        "tif": request.tif,
        "qty": maybe_text(request.qty),
        "notional": maybe_text(request.notional),
        "limit_price": maybe_text(request.limit_price),
        "submitted_at": moment(order, "submitted_at").isoformat(),
        "filled_qty": text(filled),
        "fill_price": maybe_text(price),
        "filled_at": moment(order, "filled_at").isoformat() if order.get("filled_at") else None,
    }
    return {name: value for name, value in data.items() if value is not None}


def position_view(position: Body) -> dict[str, object]:
    """A position in the words of our results.

    Raises:
        Misread: it is not a position.
    """
    return {
        "symbol": word(position, "symbol"),
        "qty": text(number(position, "qty")),
        "average_cost": text(number(position, "avg_entry_price")),
        "cost": maybe_text(maybe_number(position, "cost_basis")),
        "close": maybe_text(maybe_number(position, "current_price")),
        "value": maybe_text(maybe_number(position, "market_value")),
        "gain": maybe_text(maybe_number(position, "unrealized_pl")),
    }
