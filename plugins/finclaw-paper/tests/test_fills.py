"""What an order is filled at: a price without doubt, of the instrument that was ordered, under the rules of the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from broker_calls import Calls, with_settings

from finclaw_cli.testing.tools import tool_context
from finclaw_paper.trading import place_order

Market = Callable[..., None]
NEXT = date(2024, 1, 10)
WAITING = {"symbol": "ACME", "side": "buy", "qty": "2", "type": "limit", "limit_price": "11", "tif": "gtc"}


def status(calls: Calls) -> dict[str, Any]:
    order: dict[str, Any] = calls.data("orders")["orders"][0]
    return order


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"symbols": ["GLOBEX"]}, "symbols: ACME; allowed: GLOBEX"),
        ({"sides": ["sell"]}, "sides: buy; allowed: sell"),
        ({"max_order": "20"}, "max_order: 21.6 of 20 USD allowed"),
        ({"max_day": "20"}, "max_day: 21.6 of 20 USD allowed"),
    ],
)
def test_a_waiting_order_is_held_against_the_rules_of_the_day_it_would_fill(
    calls: Calls, market: Market, settings: dict[str, Any], why: str
) -> None:
    calls.data("place", **WAITING)
    calls.settings |= settings
    calls.as_of = NEXT
    market("2024-01-04,10.80")
    order = status(calls)
    assert (order["status"], order["note"]) == ("expired", f"not filled at the close of 2024-01-04, 10.8: {why}")
    assert calls.data("account")["cash"] == "100000"


def test_a_waiting_order_does_not_fill_in_another_currency(calls: Calls, market: Market) -> None:
    calls.data("place", **WAITING)
    calls.as_of = NEXT
    market("2024-01-04,10.80", currency="JPY", replaces=True)
    order = status(calls)
    assert order["status"] == "expired"
    assert "instrument: it was USD at XNYS when it was ordered, and is JPY at XNYS" in order["note"]
    assert calls.data("account")["cash"] == "100000"


def test_a_sell_order_whose_price_rose_above_the_limit_of_an_order_is_not_filled(calls: Calls, market: Market) -> None:
    calls.buy("2")
    calls.settings |= {"max_order": "27"}
    calls.data("place", symbol="ACME", side="sell", qty="2", type="limit", limit_price="13", tif="gtc")
    calls.as_of = NEXT
    market("2024-01-04,14")
    assert status(calls)["note"].endswith("max_order: 28 of 27 USD allowed")


def test_a_waiting_order_does_not_count_against_itself(calls: Calls, market: Market) -> None:
    calls.settings |= {"max_day": "25", "starting_cash": "22"}
    calls.data("place", **WAITING)
    calls.as_of = NEXT
    market("2024-01-04,11")
    assert status(calls)["status"] == "filled"


JUMP = "2024-01-04,1250"


def test_an_order_at_a_doubtful_price_is_refused(calls: Calls, market: Market) -> None:
    market(JUMP)
    calls.as_of = date(2024, 1, 4)
    error = calls.error("place", symbol="ACME", side="buy", qty="1")
    assert error.startswith("DOUBTFUL_PRICE: price: the close of 2024-01-04, 1250, is doubtful: prices change by")
    assert "finclaw data check ACME" in error


def test_a_preview_shows_that_the_price_is_doubtful(calls: Calls, market: Market) -> None:
    market(JUMP)
    calls.as_of = date(2024, 1, 4)
    preview = calls("preview", symbol="ACME", side="buy", qty="1")
    assert [check["name"] for check in preview["data"]["checks"] if not check["passed"]] == ["price"]
    assert any("prices change by a factor of 100" in warning for warning in preview["warnings"])


async def test_the_ticket_shows_that_the_price_is_doubtful(calls: Calls, market: Market) -> None:
    market(JUMP)
    calls.as_of = date(2024, 1, 4)
    ticket = await calls.ticket(symbol="ACME", side="buy", qty="1")
    assert "WARNING: the close of 2024-01-04, 1250, is doubtful" in ticket


def test_a_user_may_accept_doubtful_prices(calls: Calls, market: Market) -> None:
    market(JUMP)
    calls.as_of = date(2024, 1, 4)
    calls.settings["doubtful_prices"] = "accept"
    assert calls.buy("1")["fill_price"] == "1250"


def test_prices_that_are_back_at_their_level_are_not_doubtful(calls: Calls, market: Market) -> None:
    market(f"{JUMP}\n2024-01-05,12.60")
    calls.as_of = NEXT
    assert calls.buy("1")["fill_price"] == "12.6"


def test_prices_that_stay_at_a_new_level_are_doubtful(calls: Calls, market: Market) -> None:
    market(f"{JUMP}\n2024-01-05,1260\n2024-01-08,1255")
    calls.as_of = NEXT
    assert calls.error("place", symbol="ACME", side="buy", qty="1").startswith("DOUBTFUL_PRICE")


def test_a_waiting_order_passes_over_a_doubtful_close(calls: Calls, market: Market) -> None:
    calls.data("place", **WAITING)
    calls.as_of = NEXT
    market("2024-01-04,0.125\n2024-01-05,10.50")
    order = status(calls)
    assert (order["status"], order["fill_session"]) == ("filled", "2024-01-05")


def test_a_day_order_ends_at_a_doubtful_close(calls: Calls, market: Market) -> None:
    calls.data("place", **WAITING | {"tif": "day"})
    calls.as_of = NEXT
    market("2024-01-04,0.125")
    order = status(calls)
    assert order["status"] == "expired"
    assert "is doubtful: prices change by a factor of 1/100" in order["note"]


async def test_the_ticket_of_an_order_in_the_books_says_so(calls: Calls) -> None:
    context = tool_context(home=calls.home, as_of=calls.as_of)
    wanted = {"symbol": "ACME", "side": "buy", "qty": "10"}
    await with_settings(place_order, {}).handler(wanted, context)
    ticket = await calls.ticket(symbol="ACME", side="buy", qty="10")
    assert "placed already" in ticket
    assert "is filled; the call is answered with it, and nothing is placed" in ticket
