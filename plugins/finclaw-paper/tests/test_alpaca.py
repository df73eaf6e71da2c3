from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from alpaca_server import KEY, SECRET, Alpaca
from broker_calls import Calls

from finclaw_cli.testing.tools import tool_context
from finclaw_paper.request import order_id
from finclaw_paper.trading import what_became_of

BUY = {"symbol": "ACME", "side": "buy", "qty": "2"}


def test_an_order_goes_out_as_text_with_its_id(at: Calls, broker: Alpaca) -> None:
    data = at.data("place", symbol="ACME", side="buy", qty="0.1", type="limit", limit_price="12.30", tif="gtc")
    key, sent = broker.posts[0]
    assert key == KEY
    assert sent == {
        "symbol": "ACME", "side": "buy", "type": "limit", "time_in_force": "gtc",
        "client_order_id": data["client_order_id"], "qty": "0.1", "limit_price": "12.3",
    }  # fmt: skip
    assert (data["status"], data["duplicate"], data["filled_qty"]) == ("accepted", False, "0")
    broker.fill(data["client_order_id"], "12.2987654321")
    listed = at.data("orders")["orders"][0]
    assert (listed["status"], listed["fill_price"], listed["filled_qty"]) == ("filled", "12.2987654321", "0.1")
    assert at.data("orders", status="open")["count"] == 0


def test_account_and_positions(at: Calls, broker: Alpaca) -> None:
    result = at("account")
    assert result["data"] == {
        "broker": "alpaca", "currency": "USD", "status": "ACTIVE", "cash": "100000", "buying_power": "200000",
        "equity": "100000.01", "positions_value": "0",
    }  # fmt: skip
    assert result["sources"][0]["ref"] == f"{broker.url}/v2/account"
    broker.positions["ACME"] = {
        "symbol": "ACME", "qty": "5", "qty_available": "4", "avg_entry_price": "100.10", "side": "long",
        "market_value": "600.0", "cost_basis": "500.5", "unrealized_pl": "99.5", "current_price": "120.0",
    }  # fmt: skip
    assert at.data("positions")["positions"] == [
        {"symbol": "ACME", "qty": "5", "average_cost": "100.1", "cost": "500.5", "close": "120", "value": "600", "gain": "99.5"}
    ]  # fmt: skip
    assert "holding: 4.5 of 4 shares" in at.error("place", symbol="ACME", side="sell", qty="4.5")
    assert at.data("place", symbol="ACME", side="sell", qty="4")["status"] == "accepted"


@pytest.mark.parametrize("fault", ["401", "403-page"])
def test_refused_keys_name_the_variables_and_show_nothing(at: Calls, broker: Alpaca, fault: str) -> None:
    broker.post_faults = [fault]
    broker.get_faults = []
    errors = [at.error("place", **BUY)]
    broker.get_faults = [fault]
    errors.append(at.error("account"))
    for error in errors:
        assert error.startswith("NOT_CONFIGURED: Alpaca does not accept the keys")
        assert "APCA_API_KEY_ID and APCA_API_SECRET_KEY" in error
        assert KEY not in error
        assert SECRET not in error


def test_too_many_requests_say_how_long_to_wait(at: Calls, broker: Alpaca) -> None:
    broker.post_faults = ["429"]
    assert at.error("place", **BUY).startswith(
        "RATE_LIMITED: Alpaca asks to wait; retry_after=12 s. Nothing was placed"
    )
    broker.get_faults = ["429"]
    assert "retry_after=12" in at.error("positions")


def test_a_refusal_of_the_order_is_given_in_alpaca_s_words(at: Calls, broker: Alpaca) -> None:
    broker.post_faults = ["power"]
    error = at.error("place", **BUY)
    assert error == "ORDER_REFUSED: Alpaca answers: 'insufficient buying power'. Nothing was placed."
    broker.post_faults = ["echo"]
    assert at.error("place", **BUY) == "ORDER_REFUSED: Alpaca answers: 'bad header [key]'. Nothing was placed."


@pytest.mark.parametrize("fault", ["html", "truncated", "reset", "504", "huge", "redirect"])
def test_what_is_no_answer_is_never_data(at: Calls, broker: Alpaca, fault: str) -> None:
    for name in ("account", "positions", "orders"):
        broker.get_faults = [fault]
        assert at.error(name).startswith("UNAVAILABLE: Alpaca did not answer: ")


def test_limits_hold_before_anything_is_sent(at: Calls, broker: Alpaca, market: Callable[..., None]) -> None:
    at.settings["max_order"] = "24.99"
    assert "max_order: 25 of 24.99 USD" in at.error("place", **BUY)
    assert "max_order: cannot be checked without a price" in at.error("place", symbol="OTHER", side="buy", qty="1")
    at.settings |= {"max_order": "30", "max_day": "40"}
    at.data("place", symbol="ACME", side="buy", notional="20")
    assert "max_day: 45 of 40 USD" in at.error("place", **BUY)
    at.settings["sides"] = ["sell"]
    assert "sides: buy; allowed: sell" in at.error("place", symbol="ACME", side="buy", qty="1")
    assert len(broker.posts) == 1


def test_the_same_order_twice_is_refused(at: Calls, broker: Alpaca) -> None:
    first = at.data("place", **BUY)["client_order_id"]
    error = at.error("place", **BUY)
    assert "repeat: the same order was placed" in error
    assert first in error
    at.data("place", repeat=True, **BUY)
    assert len(broker.orders) == 2


async def test_the_ticket_and_the_hook_ask_alpaca(at: Calls, broker: Alpaca) -> None:
    ticket = await at.ticket(**BUY)
    assert ticket.startswith("ORDER TICKET    Alpaca paper account, no real money\nsymbol          ACME")
    assert broker.posts == []
    context = tool_context(home=at.home, settings=at.settings)
    assert (await what_became_of("k" * 32, context)).state == "not_found"
    broker.accept({"symbol": "ACME", "side": "buy", "type": "market", "time_in_force": "day", "qty": "2",
                   "client_order_id": "fc-" + "k" * 32})  # fmt: skip
    found = await what_became_of("k" * 32, context)
    assert found.state == "done"
    assert found.content.data["duplicate"]  # type: ignore[attr-defined]
    broker.lookup_faults = ["504"]
    assert (await what_became_of("k" * 32, context)).state == "unknown"


def test_a_preview_is_an_estimate_and_sends_nothing(at: Calls, broker: Alpaca) -> None:
    result = at("preview", **BUY)
    assert (result["method"]["name"], result["data"]["cost"], result["data"]["cash_now"]) == (
        "estimate",
        "25",
        "100000",
    )
    without_price = at("preview", symbol="OTHER", side="buy", qty="1")
    assert "cost" not in {name for name, value in without_price["data"].items() if value is not None}
    assert broker.posts == []


def test_cancelling(at: Calls, broker: Alpaca) -> None:
    own = at.data("place", **BUY)["client_order_id"]
    assert at.data("cancel", client_order_id=own)["status"] == "canceled"
    assert at.data("cancel", client_order_id=own)["duplicate"]
    assert broker.requests.count("DELETE") == 1
    other = at.data("place", **BUY)["client_order_id"]
    broker.fill(other, "1")
    assert "is filled and cannot be cancelled" in at.error("cancel", client_order_id=other)
    assert at.error("cancel", client_order_id="fc-x").startswith("UNKNOWN_ORDER")


@pytest.mark.parametrize("fault", ["504", "reset", "slow", "html"])
def test_a_lost_answer_to_a_cancellation_is_found_out(at: Calls, broker: Alpaca, fault: str) -> None:
    own = at.data("place", **BUY)["client_order_id"]
    broker.delete_faults = [f"{fault} before", f"{fault} after"]
    assert at.error("cancel", client_order_id=own).startswith(f"NOT_CANCELLED: {own} is accepted after the request")
    assert at.data("cancel", client_order_id=own)["status"] == "canceled"


def test_a_cancellation_that_nobody_confirms_is_unknown(at: Calls, broker: Alpaca) -> None:
    own = at.data("place", **BUY)["client_order_id"]
    broker.delete_faults = ["429"]
    assert at.error("cancel", client_order_id=own).startswith("RATE_LIMITED")
    broker.delete_faults, broker.lookup_faults = ["504 after"], ["", *["504"] * 40]
    error = at.error("cancel", client_order_id=own)
    broker.lookup_faults = []
    assert error.startswith(f"OUTCOME_UNKNOWN: {own} MAY have been cancelled (status 504)")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("qty", "two"), ("qty", True), ("qty", "Infinity"), ("qty", "1e99"), ("qty", "9" * 60), ("filled_qty", None),
        ("filled_avg_price", {}), ("id", "../../v2/account"), ("submitted_at", "yesterday"),
        ("submitted_at", "2024-01-03T10:00:00"), ("status", None), ("symbol", 7), ("symbol", "AC\x1b[2JME"),
        ("client_order_id", "x" * 129),
    ],
)  # fmt: skip
def test_an_order_that_is_not_understood_is_not_guessed_at(
    at: Calls, broker: Alpaca, field: str, wrong: object
) -> None:
    own = at.data("place", **BUY, session_id="one")["client_order_id"]
    broker.orders[own][field] = wrong
    assert at.error("orders").startswith("UNAVAILABLE: Alpaca did not answer: the answer was not understood")
    again, is_error = at.raw("place", session_id="one", **BUY)
    assert is_error
    assert again.startswith(("OUTCOME_UNKNOWN", "UNAVAILABLE"))
    assert len(broker.posts) == 1


def test_the_value_of_a_day_counts_what_was_filled_and_what_may_be(at: Calls, broker: Alpaca) -> None:
    for qty in ("1", "2", "3", "4"):
        at.data("place", symbol="ACME", side="buy", qty=qty, type="limit", limit_price="10")
    cancelled, partly, gone, _ = broker.orders.values()
    cancelled["status"] = "canceled"
    partly |= {"status": "partially_filled", "filled_qty": "1", "filled_avg_price": "9.5"}
    gone |= {"status": "canceled", "filled_qty": "2", "filled_avg_price": "9"}
    at.settings["max_day"] = "80"
    # 9.5 + 10 of the second, 18 of the third, 40 of the fourth.
    assert "max_day: 90 of 80 USD" in at.error("place", symbol="ACME", side="buy", qty="1")
    at.data("place", symbol="ACME", side="buy", qty="0.1")
    assert "max_day: cannot be checked" in at.error("place", symbol="ACME", side="buy", qty="0.01")


def test_without_keys_nothing_is_asked(at: Calls, broker: Alpaca, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APCA_API_SECRET_KEY")
    assert at.error("account").startswith("NOT_CONFIGURED: APCA_API_SECRET_KEY is not set")
    monkeypatch.setenv("APCA_API_SECRET_KEY", "line\nbreak")
    error = at.error("account")
    assert error.startswith("NOT_CONFIGURED: APCA_API_SECRET_KEY holds something")
    assert "break" not in error
    assert broker.requests == []


def test_a_run_that_looks_back_trades_nothing_now(at: Calls, broker: Alpaca) -> None:
    at.as_of = date(2024, 1, 3)
    assert "Alpaca's paper account trades now" in at.error("place", **BUY)
    assert at.error("account").startswith("NO_DATA: ")
    assert broker.requests == []


def test_where_nobody_listens_nothing_was_sent(at: Calls) -> None:
    at.settings["base_url"] = "http://127.0.0.1:9"
    assert at.error("place", **BUY).startswith(
        "UNAVAILABLE: Alpaca did not answer: it could not be reached (ConnectError)"
    )


def test_margin_is_not_spent(at: Calls, broker: Alpaca) -> None:
    broker.account |= {"cash": "20", "buying_power": "40"}
    assert "cash: needs 25 of 20 USD" in at.error("place", **BUY)
    broker.account |= {"cash": "100", "non_marginable_buying_power": "24"}
    assert "cash: needs 25 of 24 USD" in at.error("place", **BUY)
    assert broker.posts == []


async def test_the_ticket_of_an_order_that_alpaca_has_says_so(at: Calls, broker: Alpaca) -> None:
    broker.accept({"symbol": "ACME", "side": "buy", "type": "market", "time_in_force": "day", "qty": "2",
                   "client_order_id": order_id(tool_context().idempotency_key)})  # fmt: skip
    ticket = await at.ticket(**BUY)
    assert "placed already" in ticket


def test_what_open_orders_will_cost_is_not_spent_again(at: Calls, broker: Alpaca) -> None:
    broker.account |= {"cash": "60", "buying_power": "200"}
    at.data("place", symbol="ACME", side="buy", qty="2", type="limit", limit_price="12", tif="gtc")
    at.data("place", **BUY)
    assert "cash: needs 12.5 of 11 USD" in at.error("place", symbol="ACME", side="buy", qty="1")


def test_a_limit_order_is_valued_at_its_limit(at: Calls, broker: Alpaca) -> None:
    broker.account |= {"cash": "1000"}
    error = at.error("place", symbol="ACME", side="buy", qty="10", type="limit", limit_price="150")
    assert "cash: needs 1500 of 1000 USD" in error


def test_a_purchase_whose_cost_is_not_known_is_refused(at: Calls, broker: Alpaca) -> None:
    assert "cash: cannot be checked without a price" in at.error("place", symbol="OTHER", side="buy", qty="1")
    broker.accept({"symbol": "OTHER", "side": "buy", "type": "market", "time_in_force": "day", "qty": "2",
                   "client_order_id": "mine"})  # fmt: skip
    assert "cash: what the open order mine will cost is not known" in at.error("place", **BUY)
