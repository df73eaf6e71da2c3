"""Sending an order to Alpaca: once, under one id, and never leaving open what became of it if that can be found out."""

from __future__ import annotations

import asyncio

from finclaw_cli.sdk import OutcomeUnknown, ToolError
from finclaw_cli.sdk.http import HttpError, NotSent
from finclaw_paper.alpaca_desk import OK, RATE_LIMITED, Desk, is_denied, rate_limited, unavailable
from finclaw_paper.alpaca_http import Answer
from finclaw_paper.alpaca_shapes import (
    CANCELLED,
    CLOSED,
    Body,
    Misread,
    as_object,
    asked,
    broker_id,
    order_view,
    wire,
    word,
)
from finclaw_paper.problems import refused, unknown_order
from finclaw_paper.request import OrderRequest

# After an answer got lost: when to ask, one after another, as parts of the user's timeout (0.2, 0.8 and 2 s of 8 s).
_ASK_AFTER = (0.025, 0.1, 0.25)
_ASK_S = 2.0
_REFUSALS = frozenset({400, 403, 404, 422})


class Outcome:
    """An order at the broker; `duplicate` where an earlier call had placed it, `note` where an answer was lost."""

    def __init__(self, order: Body, *, duplicate: bool = False, note: str = "") -> None:
        self.order = order
        self.duplicate = duplicate
        self.notes = (note,) if note else ()


async def send(desk: Desk, request: OrderRequest, client_order_id: str) -> Outcome:
    """Send the order, once.

    Raises:
        ToolError: refused, not sent, or, after asking for it, not known to have been placed: the message has the case.
    """
    body = wire(request, client_order_id)
    try:
        answer = await desk.http.ask("POST", "/v2/orders", body=body, timeout_s=desk.timeout_s)
    except NotSent as error:
        raise unavailable(f"it {error.why}, the order was not sent") from None
    except HttpError as error:
        return await _find_out(desk, request, client_order_id, f"Alpaca {error.why}")
    if answer.is_json and answer.status in OK:
        found = _own(answer.body, request, client_order_id)
        return Outcome(found) if found else await _find_out(desk, request, client_order_id, "an answer not understood")
    if is_denied(answer):
        raise desk.failure(answer)
    if answer.status == RATE_LIMITED:
        raise rate_limited(answer)
    if answer.is_json and answer.status in _REFUSALS:
        return await _refused(desk, request, client_order_id, answer)
    return await _find_out(desk, request, client_order_id, f"status {answer.status}")


def _own(body: object, request: OrderRequest, client_order_id: str) -> Body | None:
    """The order, if that is what the answer is."""
    try:
        order = as_object(body)
        order_view(order)
        same = word(order, "client_order_id") == client_order_id and asked(order).same_trade(request)
    except Misread:
        return None
    return order if same else None


def duplicate(order: Body, request: OrderRequest, client_order_id: str, note: str = "") -> Outcome:
    """An order that is there already, if it is this one.

    Raises:
        ToolError: it asked for something else.
    """
    try:
        same = asked(order).same_trade(request)
        order_view(order)
    except Misread as error:
        raise unknown_outcome(client_order_id, f"the order is there, but was not understood ({error})") from None
    if not same:
        raise refused(f"{client_order_id} is already the id of another order ({order.get('status')})")
    return Outcome(order, duplicate=True, note=note)


async def _refused(desk: Desk, request: OrderRequest, client_order_id: str, answer: Answer) -> Outcome:
    if "client_order_id" not in answer.message:
        raise refused(f"Alpaca answers: {answer.message}")
    # "client_order_id must be unique": this very call was made before.
    try:
        found = await desk.lookup(client_order_id)
    except ToolError as error:
        raise unknown_outcome(client_order_id, f"Alpaca knows the id already, but: {error}") from None
    if found is None:
        raise refused(f"Alpaca answers: {answer.message}")
    return duplicate(found, request, client_order_id)


async def _find_out(desk: Desk, request: OrderRequest, client_order_id: str, why: str) -> Outcome:
    """Ask, after a lost answer, for the order by its id until Alpaca knows it.

    That Alpaca does not know it right after the request proves nothing yet: `reconcile` waits longer.
    """
    for part in _ASK_AFTER:
        await asyncio.sleep(part * desk.timeout_s)
        try:
            found = await desk.lookup(client_order_id, timeout_s=_ASK_S)
        except ToolError:
            continue
        if found is not None:
            note = f"the answer to the order was lost ({why}); Alpaca was asked, and has it"
            outcome = duplicate(found, request, client_order_id, note)
            outcome.duplicate = False
            return outcome
    raise unknown_outcome(client_order_id, f"the answer was lost ({why}), and Alpaca does not know the order yet")


def unknown_outcome(client_order_id: str, why: str) -> OutcomeUnknown:
    """The order may or may not have been placed."""
    return OutcomeUnknown(
        f"OUTCOME_UNKNOWN: the order {client_order_id} MAY have been placed: {why}. Do not place it again; "
        "run reconcile with that client_order_id."
    )


async def cancel(desk: Desk, client_order_id: str) -> Outcome:
    """Cancel an open order and say how it stands afterwards.

    Raises:
        ToolError: there is no such order, it is not open any more, or Alpaca does not say.
    """
    order = await _known(desk, client_order_id)
    if word(order, "status") in CANCELLED:
        return Outcome(order, duplicate=True)
    if word(order, "status") in CLOSED:
        raise ToolError(f"ORDER_REFUSED: {client_order_id} is {word(order, 'status')} and cannot be cancelled.")
    try:
        answer = await desk.http.ask("DELETE", f"/v2/orders/{broker_id(order)}", timeout_s=min(4.0, desk.timeout_s))
    except HttpError as error:
        why = f"Alpaca {error.why}"
    else:
        if is_denied(answer) or answer.status == RATE_LIMITED:
            raise desk.failure(answer)
        why = f"status {answer.status}"
    # Whatever was answered: what counts is how the order stands.
    try:
        after = await _known(desk, client_order_id)
    except ToolError as error:
        raise OutcomeUnknown(
            f"OUTCOME_UNKNOWN: {client_order_id} MAY have been cancelled ({why}): {error} Look again with list_orders."
        ) from None
    status = word(after, "status")
    if status in CANCELLED:
        return Outcome(after)
    raise ToolError(f"NOT_CANCELLED: {client_order_id} is {status} after the request to cancel it ({why}).")


async def _known(desk: Desk, client_order_id: str) -> Body:
    found = await desk.lookup(client_order_id)
    if found is None:
        raise unknown_order(client_order_id)
    return found
