"""The flows that a rate of return needs, by currency, where the books know all of them."""

from __future__ import annotations

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Position

CONVENTION = "flows: purchases negative, sales and dividends positive, net of fees, without a last value"
_KINDS = frozenset({"buy", "sell", "dividend"})
_MOST = 60
_MOST_NAMES = 20
Rows = list[list[object]]


def flows_of(trades: list[Booking], found: list[Position]) -> tuple[dict[str, Rows | None], tuple[str, ...]]:
    """What cashflow_return takes, by currency, where it is short enough, and why a currency has none.

    A sale without its purchase would make a return of nothing paid, so a currency with one has None.
    """
    mine = [item for item in trades if item.kind in _KINDS and item.amount]
    if not any(item.kind == "buy" for item in mine) or len(mine) > _MOST:
        return {}, ()
    missing = _incomplete(mine, found)
    flows: dict[str, Rows | None] = {}
    for item in mine:
        if item.currency in missing:
            flows[item.currency] = None
        elif (rows := flows.setdefault(item.currency, [])) is not None:
            rows.append([item.day, plain_number(item.amount)])
    return flows, tuple(_said(currency, names) for currency, names in sorted(missing.items()))


def _incomplete(mine: list[Booking], found: list[Position]) -> dict[str, set[str]]:
    """By currency, the symbols that were sold or paid a dividend without a purchase before it in the books."""
    missing: dict[str, set[str]] = {}
    for one in found:
        if one.oversold:
            missing.setdefault(one.currency, set()).add(one.symbol)
    bought = set()
    for item in mine:
        if item.kind == "buy":
            bought.add(item.symbol)
        elif item.kind == "dividend" and item.symbol and item.symbol not in bought:
            missing.setdefault(item.currency, set()).add(item.symbol)
    return missing


def _said(currency: str, names: set[str]) -> str:
    shown = ", ".join(sorted(names)[:_MOST_NAMES])
    return f"no flows in {currency}: they are incomplete, purchases of {shown} are not in the books"
