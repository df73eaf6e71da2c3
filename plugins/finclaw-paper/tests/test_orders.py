from __future__ import annotations

import stat
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from broker_calls import Calls

from finclaw_paper.request import order_id


def test_a_market_order_fills_at_the_last_close_with_its_source(calls: Calls) -> None:
    result = calls("place", symbol="acme", side="buy", qty="2.5")
    data = result["data"]
    assert data["status"] == "filled"
    assert (data["filled_qty"], data["fill_price"], data["fee"]) == ("2.5", "12.5", "0")
    assert (data["fill_session"], data["day"], data["duplicate"]) == ("2024-01-03", "2024-01-03", False)
    assert data["client_order_id"].startswith("fc-")
    assert len(data["client_order_id"]) <= 48
    assert data["fill_source"] == "s1"
    source = result["sources"][0]
    assert source["ref"].startswith("ACME-")
    assert (source["kind"], source["rows"], len(source["sha256"])) == ("file", "3..3", 64)
    assert result["units"]["fill_price"] == "USD/share"
    assert result["method"]["name"] == "paper_fill"


def test_cash_and_positions_follow(calls: Calls) -> None:
    calls.settings["fee"] = "0.35"
    calls.buy("4")
    calls.data("place", symbol="ACME", side="sell", qty="1.5")
    account = calls.data("account")
    assert account["cash"] == "99968.05"  # 100000 - 50 + 18.75 - 2 × 0.35
    assert (account["positions_value"], account["equity"], account["fees_paid"]) == ("31.25", "99999.3", "0.7")
    position = calls.data("positions")["positions"][0]
    assert (position["qty"], position["average_cost"], position["cost"], position["gain"]) == (
        "2.5",
        "12.5",
        "31.25",
        "0",
    )
    assert calls.data("reconcile")["books"] == {
        "consistent": True, "cash": "99968.05", "orders": 2, "fills": 2, "differences": []
    }  # fmt: skip


def test_money_buys_shares_rounded_down_and_nothing_is_rounded_away(calls: Calls) -> None:
    calls.as_of = date(2024, 1, 3)
    data = calls.data("place", symbol="ACME", side="buy", notional="100.01")
    assert data["filled_qty"] == "8.0008"
    third = Calls(calls.home)
    third.as_of = date(2024, 1, 3)
    assert Decimal(calls.data("account")["cash"]) == Decimal(100_000) - Decimal("8.0008") * Decimal("12.5")


def test_the_same_call_is_answered_from_the_books(calls: Calls) -> None:
    first = calls.buy(session_id="one")
    again = calls.buy(session_id="one")
    assert again == first | {"duplicate": True}
    assert len(calls.data("orders")["orders"]) == 1
    # Not even limits that came later change what was done.
    calls.settings |= {"max_order": "1", "symbols": []}
    assert calls.buy(session_id="one")["duplicate"]


def test_the_same_id_with_another_request_is_refused(calls: Calls) -> None:
    placed = calls.buy(session_id="one")
    calls.sql("UPDATE orders SET request_hash = ?", "0" * 64)
    error = calls.error("place", session_id="one", symbol="ACME", side="buy", qty="1")
    assert error == (
        f"ORDER_REFUSED: {placed['client_order_id']} is already the id of another order (filled). Nothing was placed."
    )


def test_an_identical_order_with_another_key_is_taken_for_a_mistake(calls: Calls) -> None:
    first = calls.buy("1.0")
    error = calls.error("place", symbol="ACME", side="buy", qty="1", tif="gtc")
    assert error.startswith("ORDER_REFUSED: repeat: the same order was placed ")
    assert first["client_order_id"] in error
    assert calls.buy("1", repeat=True)["status"] == "filled"
    calls.buy("1.000000001")
    assert len(calls.data("orders")["orders"]) == 3


def test_after_the_window_the_same_order_is_a_new_one(calls: Calls) -> None:
    calls.buy()
    past = datetime.now(UTC) - timedelta(seconds=61)
    calls.sql("UPDATE orders SET submitted_at = ?", past.isoformat(timespec="microseconds"))
    calls.buy()
    calls.settings["repeat_window_s"] = 0
    calls.buy()


def test_a_cancelled_order_may_be_placed_again_at_once(calls: Calls) -> None:
    limit = {"type": "limit", "limit_price": "9"}
    first = calls.buy(**limit)
    calls.data("cancel", client_order_id=first["client_order_id"])
    assert calls.buy(**limit)["status"] == "accepted"


@pytest.mark.parametrize(
    ("settings", "order", "said"),
    [
        ({"max_order": "12.49"}, {}, "max_order: 12.5 of 12.49 USD allowed"),
        ({"max_order": 20}, {"qty": "2"}, "max_order: 25 of 20 USD allowed"),
        ({"symbols": ["GLOBEX"]}, {}, "symbols: ACME; allowed: GLOBEX"),
        ({"sides": ["sell"]}, {}, "sides: buy; allowed: sell"),
        ({}, {"side": "sell"}, "holding: 1 of 0 shares held and free; shorting is off"),
        ({"starting_cash": "12.49"}, {}, "cash: needs 12.5 of 12.49 USD"),
        ({"starting_cash": "12.5", "fee": "0.01"}, {}, "cash: needs 12.51 of 12.5 USD"),
        ({}, {"qty": None, "notional": "0.000000001"}, "size: 0 shares"),
    ],
)  # fmt: skip
def test_what_exceeds_a_limit_is_refused_and_leaves_nothing(
    calls: Calls, settings: dict[str, object], order: dict[str, object], said: str
) -> None:
    calls.settings = settings
    asked = {"symbol": "ACME", "side": "buy", "qty": "1"} | order
    error = calls.error("place", **{name: value for name, value in asked.items() if value is not None})
    assert error == f"ORDER_REFUSED: {said}. Nothing was placed."
    assert calls.data("orders") == {"orders": [], "count": 0}


def test_the_day_s_limit_adds_up_by_utc_day_without_cancelled_orders(calls: Calls) -> None:
    calls.settings["max_day"] = "30"
    calls.buy("1")
    waiting = calls.buy("1", type="limit", limit_price="10")
    assert "max_day: 35 of 30 USD" in calls.error("place", symbol="ACME", side="buy", qty="1", repeat=True)
    calls.data("cancel", client_order_id=waiting["client_order_id"])
    calls.buy("1", repeat=True)
    calls.sql("UPDATE orders SET submitted_at = '2024-01-01T23:59:59.999999+00:00'")
    calls.buy("2")


def test_open_orders_hold_their_cash_and_shares(calls: Calls) -> None:
    calls.settings["starting_cash"] = "100"
    calls.buy("4")
    calls.buy("5", type="limit", limit_price="9")
    assert "cash: needs 12.5 of 5 USD" in calls.error("place", symbol="ACME", side="buy", qty="1")
    sell = {"symbol": "ACME", "side": "sell", "type": "limit", "limit_price": "20"}
    calls.data("place", qty="3", **sell)
    assert "holding: 2 of 1 shares held and free" in calls.error("place", symbol="ACME", side="sell", qty="2")
    account = calls.data("account")
    assert (account["cash"], account["reserved"], account["buying_power"]) == ("50", "45", "5")


def test_shorting_is_a_setting(calls: Calls) -> None:
    calls.settings["shorting"] = True
    calls.data("place", symbol="ACME", side="sell", qty="2")
    assert calls.data("account")["equity"] == "100000"
    assert calls.data("positions")["positions"][0]["qty"] == "-2"
    calls.data("place", symbol="ACME", side="buy", qty="3")
    position = calls.data("positions")["positions"][0]
    assert (position["qty"], position["average_cost"]) == ("1", "12.5")


def test_another_currency_is_refused_and_never_converted(calls: Calls, market: object) -> None:
    market("2024-01-02,71000", "HANBIT", "KRW")  # type: ignore[operator]
    market("2024-01-02,5", "NONE", None)  # type: ignore[operator]
    error = calls.error("place", symbol="HANBIT", side="buy", qty="1")
    assert error.startswith("CURRENCY_MISMATCH: currency: HANBIT trades in KRW, the account is in USD")
    error = calls.error("place", symbol="NONE", side="buy", qty="1")
    assert error.startswith("CURRENCY_MISMATCH: currency: NONE trades in a currency that its import did not say")
    calls.buy()
    calls.settings["currency"] = "KRW"
    error = calls.error("place", symbol="HANBIT", side="buy", qty="1")
    assert error.startswith("NOT_CONFIGURED: the paper account is in USD")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({}, "give either qty (shares) or notional"),
        ({"qty": "1", "notional": "1"}, "and not both"),
        ({"qty": "1", "type": "limit"}, "a limit order needs one"),
        ({"qty": "1", "limit_price": "1"}, "limit_price belongs to type=limit"),
        ({"notional": "1", "type": "limit", "limit_price": "1"}, "takes qty"),
        ({"qty": "0"}, "qty must be above 0"),
        ({"qty": "-1"}, "qty must be above 0"),
        ({"qty": "1000000000001"}, "at most 1000000000000"),
        ({"qty": "0.0000000001"}, "at most 9 decimals"),
        ({"qty": "1", "type": "limit", "limit_price": "0"}, "limit_price must be above 0"),
    ],
)
def test_orders_that_make_no_sense(calls: Calls, order: dict[str, str], said: str) -> None:
    error = calls.error("place", symbol="ACME", side="buy", **order)
    assert error.startswith("BAD_INPUT: ")
    assert said in error


def test_nan_is_no_quantity(calls: Calls) -> None:
    for wrong in ("NaN", "Infinity", "1e999"):
        calls.error("place", symbol="ACME", side="buy", qty=wrong)


def test_without_a_price_nothing_is_invented(calls: Calls) -> None:
    error = calls.error("place", symbol="NOPE", side="buy", qty="1")
    assert error.startswith("UNKNOWN_SYMBOL: ")
    assert error.endswith("Report this as unavailable; do not estimate.")
    calls.as_of = date(2023, 1, 1)
    assert "do not estimate" in calls.error("place", symbol="ACME", side="buy", qty="1")


def test_an_empty_store_says_how_to_import(home: object) -> None:
    error = Calls(home).error("place", symbol="ACME", side="buy", qty="1")  # type: ignore[arg-type]
    assert error.startswith("NO_DATA: no prices have been imported yet")


def test_nothing_after_as_of_is_used_or_shown(calls: Calls) -> None:
    calls.as_of = date(2024, 1, 2)
    assert calls.buy()["fill_price"] == "10"
    calls.as_of = date(2024, 1, 3)
    calls.buy(repeat=True)
    calls.as_of = date(2024, 1, 2)
    account = calls("account")
    assert account["data"]["cash"] == "99990"
    assert account["warnings"] == ["the books go on after 2024-01-02; shown as of that day"]
    assert calls.data("positions")["positions"][0]["qty"] == "1"
    assert calls.data("orders")["count"] == 1
    assert "cash" not in calls.data("reconcile")["books"]
    assert "orders go forward in time only" in calls.error("place", symbol="ACME", side="buy", qty="3")


def test_an_old_close_is_used_and_named(calls: Calls) -> None:
    calls.as_of = date(2024, 2, 1)
    result = calls("place", symbol="ACME", side="buy", qty="1")
    assert result["data"]["fill_session"] == "2024-01-03"
    assert result["warnings"] == ["the last close of ACME is of 2024-01-03, 21 weekdays old"]


def test_the_file_is_private(calls: Calls) -> None:
    calls.buy()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in calls.home.iterdir() if "paper" in path.name}
    assert modes == {"paper.db": 0o600}


def test_looking_creates_nothing(calls: Calls) -> None:
    for name in ("account", "positions", "orders", "reconcile"):
        calls.data(name)
    calls.data("preview", symbol="ACME", side="buy", qty="1")
    assert not (calls.home / "paper.db").exists()


def test_ids_are_safe_whatever_the_key_is() -> None:
    assert order_id("0" * 32) == "fc-" + "0" * 32
    for key in ("a b", "x" * 100, "ключ", "../.."):
        assert order_id(key).removeprefix("fc-").isalnum()
        assert len(order_id(key)) == 35
