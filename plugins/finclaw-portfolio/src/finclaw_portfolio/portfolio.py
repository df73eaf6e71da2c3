"""`portfolio`: what the user's positions are worth in one currency, what they gained, and what to trade for targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from finclaw_analytics.numbers import bad_input, decimal_within, stat
from finclaw_analytics.rational import to_decimal
from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, tool
from finclaw_cli.sdk.render import shortest_number
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.currencies import normal_code, rounded, whole_currency
from finclaw_portfolio.positions import CASH, Position, given_positions, read_positions
from finclaw_portfolio.rebalance import METHOD, Asset, Limits, rebalanced
from finclaw_portfolio.valuation import Holding, Valuation, valuation

_CONVENTION = (
    "value = quantity × last close on or before the day × the ECB's reference rate of the newest close; weight = value "
    "/ value of all; gain = value - cost, cost at the rate of its day of purchase where that is known; "
    "local_gain_fraction = value / cost - 1 in the currency of the prices; without dividends, fees and taxes; amounts "
    "are rounded half to even to the decimals of their currency after they are added up"
)
_UNITS = {
    **dict.fromkeys(
        ("weight", "gain_fraction", "local_gain_fraction", "target", "drift", "weight_after"), "1 (fraction)"
    ),
    "price": "currency of the row",
    "local_value": "currency of the row",
    "rate": "base currency for one unit of the row's currency",
    **dict.fromkeys(("value", "cost", "gain", "amount", "cash_left"), "base currency"),
}
_EXAMPLE = {"positions": {"CASH": "1000.50"}, "currency": "EUR"}
_LARGEST = Decimal(10) ** 15


@tool(group="finance", read_only=True, idempotent=True, timeout=30, examples=(_EXAMPLE,))
def portfolio(
    ctx: ToolContext,
    *,
    path: str | None = None,
    positions: dict[str, Decimal] | None = None,
    costs: dict[str, Decimal] | None = None,
    currency: str | None = None,
    as_of: date | None = None,
    targets: dict[str, Decimal] | None = None,
    contribution: Decimal = Decimal(0),
    sell: bool = True,
    whole_units: bool = True,
) -> FinanceResult:
    """Value, gain and weight of the user's positions in one currency; with targets also what to trade. Places no order.

    Args:
        ctx: given by finclaw.
        path: CSV of the workspace with symbol, quantity and, if known, cost or purchase price, currency and date.
        positions: instead of a path, quantity by symbol.
        costs: what the positions cost in all, by symbol.
        currency: to value in; by default that of all prices.
        as_of: use nothing later.
        targets: part of the whole by symbol, 0 to sell all of it; what is left to 1 stays cash.
        contribution: money to add, or to take out where negative.
        sell: whether anything may be sold to reach the targets.
        whole_units: whether only whole units can be traded.
    """
    if (path is None) == (positions is None):
        raise bad_input("give either a path or positions")
    decimal_within("contribution", contribution, -_LARGEST, _LARGEST)
    held = read_positions(path, ctx) if path is not None else given_positions(positions or {}, costs, _code(currency))
    found = valuation(held.items, _code(currency), ctx, as_of)
    data = _data(found)
    if targets is not None:
        limits = Limits(cash=_cash(found), contribution=Fraction(contribution), sell=sell, whole=whole_units)
        data["rebalance"] = _rebalance(found, _checked(targets, found), limits, ctx, as_of)
    return FinanceResult(
        data=data,
        as_of=found.day.isoformat(),
        units=_UNITS,
        method=Method(
            name="portfolio_value", convention=_CONVENTION + (f"; {METHOD}" if targets else ""), n=len(found.holdings)
        ),
        sources=_sources(held.source, found),
        warnings=tuple(dict.fromkeys(found.warnings)),
    )


def _code(given: str | None) -> str | None:
    try:
        return None if given is None else normal_code(given)
    except BadOption as error:
        raise bad_input(str(error)) from None


def _data(found: Valuation) -> dict[str, object]:
    value, cost = found.value, found.cost
    return {
        "currency": found.currency,
        "value": _money(value, found.currency),
        "cost": _money(cost, found.currency),
        "gain": _money(_gain(value, cost), found.currency),
        "gain_fraction": _change(value, cost),
        "positions": [_row(one, found) for one in found.holdings],
        "by_currency": _by_currency(found),
    }


def _row(one: Holding, found: Valuation) -> dict[str, object]:
    row: dict[str, object] = {
        "symbol": one.symbol,
        "quantity": _number(one.quantity),
        "price": None if one.price is None or one.symbol == CASH else _number(one.price),
        "currency": one.currency,
        "price_date": one.day,
        "local_value": None if one.currency is None else _money(one.local_value, one.currency),
        "rate": stat(float(one.rate.value)) if one.rate is not None and one.currency != found.currency else None,
        "rate_date": one.rate.day if one.rate is not None else None,
        "value": _money(one.value, found.currency),
        "weight": _part(one.value, found.value),
        "cost": _money(one.cost, found.currency),
        "gain": _money(_gain(one.value, one.cost), found.currency),
        "gain_fraction": _change(one.value, one.cost),
        "local_gain_fraction": _change(one.local_value, one.local_cost),
        "reason": one.reason,
    }
    return {name: value for name, value in row.items() if name in {"symbol", "quantity", "value"} or value is not None}


def _by_currency(found: Valuation) -> list[dict[str, object]]:
    sums: dict[str, Fraction] = {}
    for one in found.holdings:
        if one.value is not None and one.currency is not None:
            code = whole_currency(one.currency)[0]
            sums[code] = sums.get(code, Fraction(0)) + one.value
    return [
        {"currency": code, "value": _money(value, found.currency), "weight": _part(value, found.value)}
        for code, value in sorted(sums.items(), key=lambda pair: -pair[1])
    ]


def _checked(targets: Mapping[str, Decimal], found: Valuation) -> dict[str, Fraction]:
    """The targets by symbol.

    Raises:
        ToolError: BAD_INPUT: they are no parts of one, or a holding has none.
    """
    for symbol, part in targets.items():
        decimal_within(f"target of {symbol[:32]}", part, Decimal(0), Decimal(1))
    wanted = {symbol.strip(): Fraction(part) for symbol, part in targets.items() if symbol.strip().upper() != CASH}
    if (total := sum(wanted.values())) > 1:
        raise bad_input(f"the targets sum to {float(total):g}, more than 1")
    missing = [one.symbol for one in found.holdings if one.symbol != CASH and one.symbol not in wanted]
    if missing:
        raise bad_input(f"no target for {', '.join(missing[:10])}; give 0 to sell all of it")
    if found.value is None:
        raise bad_input(f"what is held cannot all be valued: {'; '.join(found.warnings[:3])}")
    return wanted


def _cash(found: Valuation) -> Fraction:
    return sum((one.value for one in found.holdings if one.symbol == CASH and one.value is not None), Fraction(0))


def _rebalance(
    found: Valuation, targets: Mapping[str, Fraction], limits: Limits, ctx: ToolContext, as_of: date | None
) -> dict[str, object]:
    assets = [_asset(symbol, part, found, ctx, as_of) for symbol, part in targets.items()]
    plan = rebalanced(assets, limits)
    total = limits.cash + limits.contribution + sum(one.value for one in assets)
    if total <= 0:
        raise bad_input("nothing is left to hold: the contribution takes out everything")
    rows = [
        _target_row(one, count, (found.value or Fraction(0), total), found.currency)
        for one, count in zip(assets, plan.units, strict=True)
    ]
    return {"targets": rows, "cash_left": _money(plan.cash, found.currency)}


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


def _target_row(one: Asset, units: Fraction, totals: tuple[Fraction, Fraction], currency: str) -> dict[str, object]:
    before, after = totals
    trade = {
        "side": "buy" if units > 0 else "sell",
        "quantity": _number(abs(units)),
        "amount": _money(abs(units) * one.price, currency),
    }
    return {
        "symbol": one.symbol,
        "target": stat(float(one.target)),
        "drift": None if not before else stat(float(one.value / before - one.target)),
        "trade": trade if units else None,
        "weight_after": stat(float((one.value + units * one.price) / after)),
    }


def _gain(value: Fraction | None, cost: Fraction | None) -> Fraction | None:
    return None if value is None or cost is None else value - cost


def _change(value: Fraction | None, cost: Fraction | None) -> float | None:
    return None if value is None or not cost else stat(float((value - cost) / abs(cost)))


def _part(value: Fraction | None, whole: Fraction | None) -> float | None:
    return None if value is None or not whole else stat(float(value / whole))


def _money(amount: Fraction | None, currency: str) -> str | None:
    return None if amount is None else f"{rounded(to_decimal(amount), currency):f}"


def _number(value: Fraction) -> str:
    return shortest_number(to_decimal(value))


def _sources(own: Source, found: Valuation) -> tuple[Source, ...]:
    every = [own, *(source for one in found.prices if one.closes is not None for source in one.closes.sources)]
    every += [one.rate.source for one in found.holdings if one.rate is not None and one.rate.source is not None]
    distinct = dict.fromkeys(replace(source, id="") for source in every)
    return tuple(replace(source, id=f"s{number}") for number, source in enumerate(distinct, 1))
