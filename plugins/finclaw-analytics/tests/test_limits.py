"""The least and the greatest value that each number of a tool may have: both are allowed, and nothing beyond them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from answers import Answer

Ask = Callable[..., Answer]
VALUES = [[(date(2024, 1, 1) + timedelta(days=n)).isoformat(), 100 + n % 3] for n in range(600)]
LOAN = {"principal": "1000", "annual_rate": "0.05", "payments": 12}
OPTION = {"kind": "call", "spot": 49, "strike": 50, "years": 0.5, "rate": 0.05, "vol": 0.2}
BOND = {"settlement": "2024-03-15", "maturity": "2030-05-15", "coupon_rate": 0.04, "yield_rate": 0.045}
SOON = BOND | {"maturity": "2024-09-15"}
PRICED = {"settlement": "2024-03-15", "maturity": "2030-05-15", "coupon_rate": 0.04}
NPV = {"kind": "npv", "amounts": [-100, 110], "rate": "0.05"}
RISK = {"values": VALUES[:30]}
PERFORMANCE = {"values": VALUES[:40]}
SMA = {"name": "sma", "values": VALUES}


@pytest.mark.parametrize(
    ("tool", "given", "name", "least", "below", "greatest", "above"),
    [
        ("loan", LOAN, "decimals", 0, -1, 8, 9),
        ("loan", LOAN, "limit", 0, -1, 600, 601),
        ("loan", LOAN, "from_payment", 1, 0, 2400, 2401),
        ("loan", LOAN, "payments", 1, 0, 2400, 2401),
        ("loan", LOAN, "annual_rate", "0", "-0.001", "10", "10.001"),
        ("loan", LOAN, "extra", "0", "-0.01", "1000000000000000", "1000000000000001"),
        ("option_value", OPTION, "vol", 0, -0.001, 100, 100.1),
        ("option_value", OPTION, "spot", 1e-9, 9e-10, 1e12, 1.1e12),
        ("option_value", OPTION, "strike", 1e-9, 9e-10, 1e12, 1.1e12),
        ("option_value", OPTION, "years", 0, -0.001, 200, 200.1),
        ("option_value", OPTION, "rate", -1, -1.001, 10, 10.001),
        ("option_value", OPTION, "dividend_yield", -1, -1.001, 10, 10.001),
        ("bond", BOND, "coupon_rate", 0, -0.001, 10, 10.001),
        ("bond", SOON, "yield_rate", -1.98, -1.981, 20, 20.001),
        ("bond", PRICED, "price", "0.000001", "0.0000009", "1000000000", "1000000000.1"),
        ("cashflow_return", NPV, "rate", "-0.999999", "-0.9999991", "1000000", "1000000.1"),
        ("risk", RISK, "level", 0.5, 0.499, 0.9999, 0.99991),
        ("risk", RISK, "horizon", 1, 0, 2520, 2521),
        ("performance", PERFORMANCE, "rf", -0.99, -0.991, 10, 10.001),
        ("performance", PERFORMANCE, "periods_per_year", 0.1, 0.099, 10_000, 10_000.1),
        ("indicator", SMA, "last", 1, 0, 1000, 1001),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isidentifier() else "",
)
def test_a_number_may_be_the_least_and_the_greatest_and_nothing_beyond(
    ask: Ask, *, tool: str, given: dict[str, Any], name: str, least: Any, below: Any, greatest: Any, above: Any
) -> None:
    for allowed in (least, greatest):
        assert "is not between" not in ask(tool, **(given | {name: allowed})).text, allowed
    for refused in (below, above):
        answer = ask(tool, **(given | {name: refused}))
        assert answer.code == "BAD_INPUT", refused
        assert "is not between" in answer.text, refused


@pytest.mark.parametrize(
    ("name", "key", "least", "greatest"),
    [
        ("sma", "length", 1, 500),
        ("ema", "length", 2, 500),
        ("rsi", "length", 2, 500),
        ("macd", "fast", 1, 500),
        ("macd", "slow", 2, 500),
        ("macd", "signal", 1, 500),
        ("bollinger", "length", 2, 500),
        ("bollinger", "width", 0, 100),
    ],
)
def test_a_setting_of_an_indicator_may_be_the_least_and_the_greatest_and_nothing_beyond(
    ask: Ask, *, name: str, key: str, least: int, greatest: int
) -> None:
    for allowed in (least, greatest):
        answer = ask("indicator", name=name, values=VALUES, params={key: allowed})
        assert "is not between" not in answer.text, allowed
    for refused in (least - 1, greatest + 1):
        answer = ask("indicator", name=name, values=VALUES, params={key: refused})
        assert f"{key} {refused} is not between {least} and {greatest}" in answer.text
