from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from broker_calls import Calls

from finclaw_cli.testing.tools import tool_context
from finclaw_paper.trading import what_became_of

Market = Callable[..., None]
NEXT = date(2024, 1, 10)


def status(calls: Calls) -> dict[str, Any]:
    order: dict[str, Any] = calls.data("orders")["orders"][0]
    return order


@pytest.mark.parametrize(
    ("side", "limit", "filled"),
    [("buy", "12.5", True), ("buy", "13", True), ("buy", "12.49", False), ("sell", "12.5", True), ("sell", "12.51", False)],
)  # fmt: skip
def test_a_limit_order_fills_at_the_close_or_waits(calls: Calls, side: str, limit: str, filled: bool) -> None:
    calls.buy("10")
    result = calls("place", symbol="ACME", side=side, qty="1", type="limit", limit_price=limit)
    if filled:
        assert (result["data"]["status"], result["data"]["fill_price"]) == ("filled", "12.5")
    else:
        assert (result["data"]["status"], result["warnings"]) == (
            "accepted",
            ["not filled yet: it waits for a close that meets the limit (day)"],
        )


def test_a_newer_close_fills_it_on_any_later_call(calls: Calls, market: Market) -> None:
    calls.buy("2", type="limit", limit_price="11", tif="gtc")
    calls.as_of = NEXT
    market("2024-01-04,11.01\n2024-01-05,10.90\n2024-01-08,5")
    assert calls.data("account")["cash"] == "99978.2"
    order = status(calls)
    assert (order["status"], order["fill_price"], order["fill_session"]) == ("filled", "10.9", "2024-01-05")
    assert calls.data("reconcile")["books"]["consistent"]


def test_a_day_order_is_tried_at_one_session_more(calls: Calls, market: Market) -> None:
    calls.buy("2", type="limit", limit_price="11")
    calls.as_of = NEXT
    market("2024-01-04,11.01\n2024-01-05,10.90")
    order = status(calls)
    assert (order["status"], order["note"]) == ("expired", "not filled at the close of 2024-01-04, 11.01")
    assert calls.data("account")["buying_power"] == "100000"


def test_a_close_before_the_order_s_day_never_fills_it(calls: Calls, market: Market) -> None:
    calls.as_of = date(2024, 1, 9)
    calls.buy("2", type="limit", limit_price="11")
    calls.as_of = date(2024, 1, 12)
    market("2024-01-08,5")
    assert status(calls)["status"] == "accepted"
    market("2024-01-09,10.5")
    assert status(calls)["fill_session"] == "2024-01-09"


def test_closes_after_as_of_do_not_exist_yet(calls: Calls, market: Market) -> None:
    calls.buy("2", type="limit", limit_price="11", tif="gtc")
    market("2024-01-04,10")
    assert status(calls)["status"] == "accepted"
    calls.as_of = NEXT
    assert status(calls)["status"] == "filled"
    calls.as_of = date(2024, 1, 3)
    looked_back = status(calls)
    assert (looked_back["status"], "fill_price" in looked_back) == ("accepted", False)
    found = calls.data("reconcile", client_order_id=looked_back["client_order_id"])
    assert "10" not in str(found["order"].get("fill_price"))


def test_a_split_ends_a_waiting_order(calls: Calls, market: Market) -> None:
    calls.buy("2", type="limit", limit_price="11", tif="gtc")
    calls.as_of = NEXT
    market("2024-01-04,6.20,2")
    order = status(calls)
    assert (order["status"], order["note"]) == (
        "expired",
        "shares were split before 2024-01-04; the limit meant old ones",
    )


def test_a_split_of_what_is_held_is_said(calls: Calls, market: Market) -> None:
    calls.buy("2")
    calls.as_of = NEXT
    market("2024-01-04,6.20,2")
    warned = "ACME was split on 2024-01-04: shares are counted as they are since"
    assert warned in calls("positions")["warnings"]
    assert warned in calls("account")["warnings"]


def test_cancelling(calls: Calls) -> None:
    placed = calls.buy("2", type="limit", limit_price="11")
    own = placed["client_order_id"]
    assert calls.data("cancel", client_order_id=own)["status"] == "canceled"
    again = calls.data("cancel", client_order_id=own)
    assert (again["status"], again["duplicate"]) == ("canceled", True)
    filled = calls.buy("1")["client_order_id"]
    assert (
        calls.error("cancel", client_order_id=filled) == f"ORDER_REFUSED: {filled} is filled and cannot be cancelled."
    )
    assert calls.error("cancel", client_order_id="fc-nope").startswith("UNKNOWN_ORDER: no order is called 'fc-nope'")


def test_what_a_newer_close_fills_cannot_be_cancelled(calls: Calls, market: Market) -> None:
    own = calls.buy("2", type="limit", limit_price="11")["client_order_id"]
    calls.as_of = NEXT
    market("2024-01-04,10")
    assert "is filled" in calls.error("cancel", client_order_id=own)


def test_lists_by_status(calls: Calls) -> None:
    calls.buy("1")
    calls.buy("2", type="limit", limit_price="11")
    assert [o["status"] for o in calls.data("orders")["orders"]] == ["accepted", "filled"]
    assert [o["status"] for o in calls.data("orders", status="open")["orders"]] == ["accepted"]
    assert [o["status"] for o in calls.data("orders", status="closed")["orders"]] == ["filled"]


def test_an_order_that_is_cancelled_later_was_open_before(calls: Calls) -> None:
    placed = calls.buy("2", type="limit", limit_price="11", tif="gtc")
    calls.as_of = NEXT
    calls.data("cancel", client_order_id=placed["client_order_id"])
    assert status(calls)["status"] == "canceled"
    calls.as_of = date(2024, 1, 5)
    assert status(calls)["status"] == "accepted"
    assert [o["status"] for o in calls.data("orders", status="closed")["orders"]] == []
    assert calls.data("account")["reserved"] == "22"
    found = calls.data("reconcile", client_order_id=placed["client_order_id"])
    assert found["order"]["status"] == "accepted"
    # The books have gone on, whatever happened in them.
    assert "orders go forward in time only" in calls.error("place", symbol="ACME", side="buy", qty="1")


def test_later_orders_are_not_counted(calls: Calls, market: Market) -> None:
    calls.buy("1")
    calls.as_of = NEXT
    market("2024-01-09,12.6")
    calls.buy("777")
    calls.as_of = date(2024, 1, 5)
    assert calls.data("reconcile")["books"] == {"consistent": True, "orders": 1, "fills": 1}
    calls.sql("UPDATE account SET cash = '777'")
    assert calls.data("reconcile")["books"] == {"consistent": False, "orders": 1, "fills": 1}


def test_an_account_that_is_opened_later_is_not_open_yet(calls: Calls) -> None:
    calls.settings["starting_cash"] = "777000"
    calls.as_of = NEXT
    calls.buy("1")
    calls.settings["starting_cash"] = "5000"
    calls.as_of = date(2024, 1, 5)
    account = calls("account")
    assert account["data"]["cash"] == "5000"
    assert "777" not in str(account)
    assert "the books go on after 2024-01-05; shown as of that day" in account["warnings"]


async def test_the_hook_says_how_the_order_stood_on_the_run_s_day(calls: Calls, market: Market) -> None:
    placed = calls.buy("2", type="limit", limit_price="11", tif="gtc", session_id="one")
    market("2024-01-04,10.5")
    calls.as_of = NEXT
    assert status(calls)["status"] == "filled"
    key = placed["client_order_id"].removeprefix("fc-")
    found = await what_became_of(key, tool_context(home=calls.home, as_of=date(2024, 1, 3)))
    assert found.state == "done"
    assert found.content.data["status"] == "accepted"  # type: ignore[attr-defined]
    calls.as_of = date(2024, 1, 3)
    again = calls.buy("2", type="limit", limit_price="11", tif="gtc", session_id="one")
    assert (again["status"], again["duplicate"]) == ("accepted", True)
