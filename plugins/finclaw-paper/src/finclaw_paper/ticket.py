"""The order ticket that is shown for the approval of an order: plain text, aligned."""

from __future__ import annotations

from datetime import datetime

from finclaw_paper.clock import ago
from finclaw_paper.money import text
from finclaw_paper.request import OrderRequest
from finclaw_paper.standing import Check, Estimate, doubtful

_UNKNOWN = "not known"
_LABEL = 15


def ticket(estimate: Estimate, *, broker: str, moment: datetime, repeat: bool) -> str:
    """The ticket of one order, as things stand now."""
    rows = [("ORDER TICKET", broker), *_asked(estimate), *_price(estimate), *_effect(estimate), *_outlook(estimate)]
    lines = [_line(label, value) for label, value in rows]
    lines += ["checks", *(_check(item, repeat=repeat) for item in estimate.checks)]
    if estimate.quote is not None and estimate.quote.close.doubt is not None:
        lines.append(f"WARNING: {doubtful(estimate.quote.close)}")
    twin = estimate.standing.twin
    if twin is not None:
        lines.append(f"WARNING: the same order was placed {ago(twin.submitted_at, moment)} ({twin.client_order_id})")
    lines += [f"note: {note}" for note in (estimate.quote.notes if estimate.quote else ())]
    return "\n".join(lines)


def refusal(request: OrderRequest | None, why: str, *, broker: str, label: str = "would fail") -> str:
    """The ticket of an order that cannot be estimated."""
    what = f"{request.side} {request.symbol}, {request.type}" if request else "this order"
    return "\n".join((_line("ORDER TICKET", broker), _line("order", what), _line(label, why)))


def _line(label: str, value: str) -> str:
    # Names come from imported files: nothing that does not print may reach a terminal.
    shown = "".join(mark if mark.isprintable() else " " for mark in value)
    return f"{label:<{_LABEL}} {shown}".rstrip()


def _asked(estimate: Estimate) -> list[tuple[str, str]]:
    asked, quote, currency = estimate.request, estimate.quote, estimate.standing.currency
    name = f"  {quote.instrument.name}" if quote and quote.instrument.name else ""
    shares = text(estimate.shares) if estimate.shares is not None else _UNKNOWN
    of = f" ({text(asked.notional)} {currency}, rounded down)" if asked.notional is not None else ""
    limit = [("limit", f"{text(asked.limit_price)} {currency} per share")] if asked.limit_price is not None else []
    return [
        ("symbol", f"{asked.symbol}{name}"),
        ("side", asked.side),
        ("quantity", f"{shares} shares{of}"),
        ("type", f"{asked.type}, good {'for the next session' if asked.tif == 'day' else 'until cancelled'}"),
        *limit,
    ]


def _price(estimate: Estimate) -> list[tuple[str, str]]:
    quote = estimate.quote
    if quote is None:
        return [("last close", f"{_UNKNOWN}: no stored price")]
    unit = f"{quote.instrument.currency or 'unknown currency'} per share"
    return [
        ("last close", f"{text(quote.close.price)} {unit}, {quote.close.session}"),
        ("source", f"{quote.close.source.ref} ({quote.close.source.kind})"),
    ]


def _effect(estimate: Estimate) -> list[tuple[str, str]]:
    standing, currency = estimate.standing, estimate.standing.currency
    word = "cost" if estimate.request.side == "buy" else "proceeds"
    value, cash = estimate.value, estimate.cash_after
    held = estimate.held_after
    return [
        (f"est. {word}", f"{text(value)} {currency}" if value is not None else _UNKNOWN),
        ("fee", f"{text(estimate.fee)} {currency}"),
        ("cash after", f"{text(cash) if cash is not None else _UNKNOWN} {currency} (now {text(standing.cash)})"),
        ("position after", f"{text(held) if held is not None else _UNKNOWN} shares (now {text(standing.held)})"),
    ]


def _outlook(estimate: Estimate) -> list[tuple[str, str]]:
    if estimate.fills_now or estimate.request.limit_price is None:
        return []
    return [("outlook", "stays open: the last close does not meet the limit")]


def _check(item: Check, *, repeat: bool) -> str:
    waived = item.name == "repeat" and not item.passed and repeat
    verdict = "waived" if waived else "ok" if item.passed else "FAILED"
    return f"  {verdict:<6} {item.name:<10} {item.detail}"
