"""How far positions are from their targets, and the trades that bring them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_analytics.numbers import bad_input, decimal_within, stat
from finclaw_cli.sdk import ToolContext
from finclaw_market.bars import normal_symbol
from finclaw_portfolio.amounts import money, number
from finclaw_portfolio.positions import CASH, Position
from finclaw_portfolio.rebalance import Asset, Limits, rebalanced
from finclaw_portfolio.valuation import Valuation, valuation


def rebalance(
    found: Valuation, given: Mapping[str, Decimal], limits: Limits, ctx: ToolContext, as_of: date | None
) -> dict[str, object]:
    """The drift of each position, its trade, and the cash that is left.

    Raises:
        ToolError: BAD_INPUT: the targets are no parts of one, a holding has none, or something has no price.
    """
    targets = _checked(given, found)
    assets = [_asset(symbol, part, found, ctx, as_of) for symbol, part in targets.items()]
    limits = replace(limits, cash=_cash(found))
    plan = rebalanced(assets, limits)
    total = limits.cash + limits.contribution + sum(one.value for one in assets)
    if total <= 0:
        raise bad_input("nothing is left to hold: the contribution takes out everything")
    if limits.contribution < 0 and plan.cash < 0:
        raise bad_input(
            f"{money(-plan.cash, found.currency)} {found.currency} are missing to take out: nothing may be sold"
        )
    rows = [
        _row(one, count, (found.known_value, total), found.currency)
        for one, count in zip(assets, plan.units, strict=True)
    ]
    return {"targets": rows, "cash_left": money(plan.cash, found.currency)}


def _checked(targets: Mapping[str, Decimal], found: Valuation) -> dict[str, Fraction]:
    for symbol, part in targets.items():
        decimal_within(f"target of {symbol[:32]}", part, Decimal(0), Decimal(1))
    parts = [(normal_symbol(symbol) or symbol.strip(), Fraction(part)) for symbol, part in targets.items()]
    wanted = {symbol: part for symbol, part in parts if symbol != CASH}
    if len(dict(parts)) < len(parts):
        raise bad_input("two targets are of one symbol: capitals make no difference")
    if (total := sum(wanted.values())) > 1:
        raise bad_input(f"the targets sum to {float(total):g}, more than 1")
    missing = [one.symbol for one in found.holdings if one.symbol != CASH and one.symbol not in wanted]
    if missing:
        raise bad_input(f"no target for {', '.join(missing[:10])}; give 0 to sell all of it")
    if found.incomplete:
        why = "; ".join(found.warnings[:3]) or ", ".join(found.incomplete[:10])
        raise bad_input(f"what is held cannot all be valued: {why}")
    return wanted


def _cash(found: Valuation) -> Fraction:
    return sum((one.value for one in found.holdings if one.symbol == CASH and one.value is not None), Fraction(0))


def _asset(symbol: str, part: Fraction, found: Valuation, ctx: ToolContext, as_of: date | None) -> Asset:
    """A holding with its target, or something that is not held yet.

    Raises:
        ToolError: BAD_INPUT: it has no price.
    """
    held = next((one for one in found.holdings if one.symbol == symbol), None)
    if held is None:
        bought = valuation([Position(symbol=symbol, quantity=Decimal(1))], found.currency, ctx, as_of or found.day)
        held, units = bought.holdings[0], Fraction(0)
    else:
        units = held.quantity
    if held.value is None or held.price is None or held.rate is None:
        raise bad_input(f"{symbol} has no price: {held.reason}")
    price = held.price * held.rate.value
    return Asset(symbol=symbol, price=price, value=units * price, target=part)


def _row(one: Asset, units: Fraction, totals: tuple[Fraction, Fraction], currency: str) -> dict[str, object]:
    before, after = totals
    trade = {
        "side": "buy" if units > 0 else "sell",
        "quantity": number(abs(units)),
        "amount": money(abs(units) * one.price, currency),
    }
    return {
        "symbol": one.symbol,
        "target": stat(float(one.target)),
        "drift": None if not before else stat(float(one.value / before - one.target)),
        "trade": trade if units else None,
        "weight_after": stat(float((one.value + units * one.price) / after)),
    }
