"""What account, positions, orders and reconcile give as a whole: every field, its unit, and the files it is from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from broker_calls import Calls


def refs(result: dict[str, Any]) -> list[tuple[str, str]]:
    return [(source["id"], source["ref"]) for source in result.get("sources", [])]


@pytest.fixture
def held(calls: Calls, market: Callable[..., None]) -> Calls:
    """Two symbols held, bought with fees, and one order that waits."""
    market("2024-01-02,5\n2024-01-03,4", "GLOBEX")
    calls.settings |= {"starting_cash": "1000", "fee": "0.25"}
    calls.buy("2")
    calls.data("place", symbol="GLOBEX", side="buy", qty="3")
    calls.buy("1", type="limit", limit_price="9", repeat=True)
    market("2024-01-04,13", "ACME")
    market("2024-01-04,3.5", "GLOBEX")
    return calls


def test_an_account_has_each_amount_with_its_unit_and_the_files_of_its_prices(held: Calls) -> None:
    result = held("account")
    assert result["data"] == {
        "broker": "local", "currency": "USD", "cash": "962.5", "reserved": "9.25", "buying_power": "953.25",
        "positions_value": "37", "equity": "999.5", "starting_cash": "1000", "fees_paid": "0.5", "open_orders": 1,
    }  # fmt: skip
    assert (result["as_of"], result["tz"]) == ("2024-01-03", "UTC")
    amounts = ("cash", "reserved", "buying_power", "positions_value", "equity", "starting_cash", "fees_paid")
    assert result["units"] == dict.fromkeys(amounts, "USD")
    assert result["method"]["name"] == "last_close"
    assert [(name, ref[:4]) for name, ref in refs(result)] == [("s1", "ACME"), ("s2", "GLOB")]


def test_a_position_has_its_cost_its_value_and_the_file_of_its_price(held: Calls) -> None:
    result = held("positions")
    assert result["data"]["positions"] == [
        {
            "symbol": "ACME", "qty": "2", "average_cost": "12.5", "cost": "25", "close": "12.5",
            "session": "2024-01-03", "value": "25", "gain": "0", "source": "s1",
        },
        {
            "symbol": "GLOBEX", "qty": "3", "average_cost": "4", "cost": "12", "close": "4",
            "session": "2024-01-03", "value": "12", "gain": "0", "source": "s2",
        },
    ]  # fmt: skip
    assert result["units"] == {
        "qty": "shares", "average_cost": "USD/share", "close": "USD/share", "cost": "USD", "value": "USD", "gain": "USD",
    }  # fmt: skip
    assert [(name, ref[:4]) for name, ref in refs(result)] == [("s1", "ACME"), ("s2", "GLOB")]
