"""What results show of a valuation: all of it, each position, each currency."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from finclaw_analytics.numbers import stat
from finclaw_market.currencies import whole_currency
from finclaw_portfolio.amounts import money, number, part
from finclaw_portfolio.positions import CASH, Position
from finclaw_portfolio.valuation import Holding, Valuation

CONVENTION = (
    "value = quantity × last close on or before the day × the ECB's reference rate of the newest close; weight = value "
    "/ value of all; gain = value - cost, cost at the rate of its day of purchase where that is known; "
    "local_gain_fraction = value / cost - 1 in the currency of the prices; without dividends, fees and taxes; amounts "
    "are rounded half to even to the decimals of their currency after they are added up; what is in `incomplete` has "
    "no value and is in no sum"
)
UNITS = {
    **dict.fromkeys(
        ("weight", "gain_fraction", "local_gain_fraction", "target", "drift", "weight_after"), "1 (fraction)"
    ),
    "price": "currency of the row",
    "local_value": "currency of the row",
    "rate": "base currency for one unit of the row's currency",
    **dict.fromkeys(("value", "cost", "gain", "amount", "cash_left"), "base currency"),
}
_MOST_LOTS = 50
_ALWAYS = frozenset({"symbol", "quantity", "value"})


def as_data(found: Valuation) -> dict[str, object]:
    """All positions, and what they come to."""
    value, cost = found.known_value, found.cost
    return {
        "currency": found.currency,
        "value": money(value, found.currency),
        "cost": money(cost, found.currency),
        "gain": money(gain(value, cost), found.currency),
        "gain_fraction": change(value, cost),
        "incomplete": list(found.incomplete),
        "positions": [_row(one, found) for one in found.holdings],
        "by_currency": _by_currency(found),
    }


def gain(value: Fraction | None, cost: Fraction | None) -> Fraction | None:
    """What was gained; None where the value or the cost is not known."""
    return None if value is None or cost is None else value - cost


def change(value: Fraction | None, cost: Fraction | None) -> float | None:
    """The same as a part of the cost."""
    return None if value is None or not cost else stat(float((value - cost) / abs(cost)))


def _row(one: Holding, found: Valuation) -> dict[str, object]:
    is_foreign = one.rate is not None and one.currency != found.currency
    row: dict[str, object] = {
        "symbol": one.symbol,
        "quantity": number(one.quantity),
        "price": None if one.price is None or one.symbol == CASH else number(one.price),
        "currency": one.currency,
        "price_date": one.day,
        "local_value": None if one.currency is None else money(one.local_value, one.currency),
        "rate": stat(float(one.rate.value)) if one.rate is not None and is_foreign else None,
        "rate_date": one.rate.day if one.rate is not None else None,
        "value": money(one.value, found.currency),
        "weight": part(one.value, found.value),
        "cost": money(one.cost, found.currency),
        "gain": money(gain(one.value, one.cost), found.currency),
        "gain_fraction": change(one.value, one.cost),
        "local_gain_fraction": change(one.local_value, one.local_cost),
        "lots": _lots(one.lots),
        "reason": one.reason,
    }
    return {name: value for name, value in row.items() if name in _ALWAYS or value is not None}


def _lots(lots: Sequence[Position]) -> list[dict[str, object]] | None:
    """The purchases, where the books have them."""
    rows: list[dict[str, object]] = [
        {
            "lot": lot.lot,
            "bought": lot.day,
            "quantity": number(Fraction(lot.quantity)),
            "cost": money(None if lot.cost is None else Fraction(lot.cost), lot.currency or ""),
            "currency": lot.currency,
        }
        for lot in lots[:_MOST_LOTS]
        if lot.lot is not None
    ]
    return rows or None


def _by_currency(found: Valuation) -> list[dict[str, object]]:
    groups: dict[str, list[Holding]] = {}
    for one in found.holdings:
        if one.value is not None and one.currency is not None:
            groups.setdefault(whole_currency(one.currency)[0], []).append(one)
    rows = [(code, _value_and_cost(group)) for code, group in groups.items()]
    return [
        {
            "currency": code,
            "value": money(value, found.currency),
            "cost": money(cost, found.currency),
            "gain": money(gain(value, cost), found.currency),
            "weight": part(value, found.value),
        }
        for code, (value, cost) in sorted(rows, key=lambda row: -row[1][0])
    ]


def _value_and_cost(group: Sequence[Holding]) -> tuple[Fraction, Fraction | None]:
    value = sum((one.value for one in group if one.value is not None), Fraction(0))
    costs = [one.value if one.symbol == CASH else one.cost for one in group]
    known = [cost for cost in costs if cost is not None]
    return value, sum(known, Fraction(0)) if len(known) == len(costs) else None
