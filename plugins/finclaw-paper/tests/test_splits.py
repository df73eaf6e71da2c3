"""Positions across a split: counted in the new shares, or without a value; never valued as if nothing had happened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from broker_calls import Calls

from finclaw_market.importer import ImportOptions, import_files
from finclaw_market.staging import Facts

Market = Callable[..., None]
LATER = date(2024, 1, 10)


@pytest.fixture
def split_calls(home: Path, market: Market) -> Calls:
    """A broker over ACME, which closed at 100, and at 10 after a split of ten for one on 2024-01-04."""
    market("2024-01-03,100,1\n2024-01-04,10,10\n2024-01-05,11,1")
    return Calls(home)


def position(calls: Calls) -> dict[str, Any]:
    found: list[dict[str, Any]] = calls.data("positions")["positions"]
    return found[0]


def test_shares_bought_before_a_split_are_counted_in_new_ones(split_calls: Calls) -> None:
    split_calls.buy("10")
    split_calls.as_of = date(2024, 1, 4)
    found = position(split_calls)
    assert (found["qty"], found["average_cost"], found["cost"], found["value"], found["gain"]) == ("100", "10", "1000", "1000", "0")  # fmt: skip
    assert "ACME was split on 2024-01-04: shares are counted as they are since" in split_calls("positions")["warnings"]
    assert split_calls.data("account")["equity"] == "100000"


def test_a_purchase_after_a_split_is_added_to_new_shares(split_calls: Calls) -> None:
    split_calls.buy("10")
    split_calls.as_of = date(2024, 1, 4)
    split_calls.buy("1")
    found = position(split_calls)
    assert (found["qty"], found["cost"], found["value"], found["gain"]) == ("101", "1010", "1010", "0")
    split_calls.as_of = date(2024, 1, 5)
    assert position(split_calls)["gain"] == "101"
    assert split_calls.data("reconcile")["books"]["consistent"]


def test_new_shares_can_be_sold_and_no_more(split_calls: Calls) -> None:
    split_calls.buy("10")
    split_calls.as_of = date(2024, 1, 4)
    assert split_calls.data("preview", symbol="ACME", side="sell", qty="100")["position_now"] == "100"
    assert "100.5 of 100 shares held" in split_calls.error("place", symbol="ACME", side="sell", qty="100.5")
    split_calls.data("place", symbol="ACME", side="sell", qty="40")
    found = position(split_calls)
    assert (found["qty"], found["cost"]) == ("60", "600")
    split_calls.data("place", symbol="ACME", side="sell", qty="60")
    assert split_calls.data("positions")["positions"] == []
    assert split_calls.data("account")["cash"] == "100000"


def test_before_the_split_the_old_shares_are_shown(split_calls: Calls) -> None:
    split_calls.buy("10")
    assert (position(split_calls)["qty"], position(split_calls)["value"]) == ("10", "1000")


def test_a_reverse_split_leaves_no_less_than_the_smallest_part_of_a_share(home: Path, market: Market) -> None:
    calls = Calls(home)
    market("2024-01-03,10,1\n2024-01-04,30,0.3333333333333333333333333333")
    calls.buy("30")
    calls.buy("1", repeat=True)
    calls.as_of = LATER
    assert position(calls)["qty"] == "10.333333333"
    calls.data("place", symbol="ACME", side="sell", qty="10.333333333")
    assert calls.data("positions")["positions"] == []


def restated(home: Path, folder: Path, rows: str) -> None:
    """Replace what is stored by prices that are adjusted for splits, as services give them."""
    path = folder / "restated.csv"
    path.write_text(f"Date,Close,Stock Splits\n{rows}\n")
    options = ImportOptions(symbol="ACME", facts=Facts(currency="USD"), adjustment="split", replace=True)
    assert import_files([path], home, options).imported


def test_prices_that_were_restated_for_the_split_count_new_shares_too(calls: Calls, tmp_path: Path) -> None:
    calls.buy("10")  # at 12.50
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,6.25,1\n2024-01-04,6.5,2")
    calls.as_of = LATER
    found = position(calls)
    assert (found["qty"], found["value"], found["gain"]) == ("20", "130", "5")


def test_a_purchase_at_restated_prices_is_made_at_those_of_its_day(home: Path, tmp_path: Path) -> None:
    calls = Calls(home)
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,6.25,1\n2024-01-04,6.5,2")
    assert calls.buy("10")["fill_price"] == "12.5"
    calls.as_of = LATER
    found = position(calls)
    assert (found["qty"], found["value"], found["gain"]) == ("20", "130", "5")


def test_shares_bought_at_adjusted_prices_are_new_ones_already(calls: Calls, tmp_path: Path) -> None:
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,6.25,1\n2024-01-04,6.5,1")
    calls.buy("10")  # at 6.25, before the split was recorded
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,6.25,1\n2024-01-04,6.5,2")
    calls.as_of = LATER
    found = position(calls)
    assert (found["qty"], found["value"], found["gain"]) == ("10", "65", "2.5")


def test_where_the_prices_do_not_show_which_shares_were_bought_there_is_no_value(calls: Calls, tmp_path: Path) -> None:
    calls.buy("10")  # at 12.50
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,9,1\n2024-01-04,9.5,2")
    calls.as_of = LATER
    found = calls("positions")
    held = found["data"]["positions"][0]
    assert [held[name] for name in ("qty", "value", "gain", "average_cost")] == [None] * 4
    assert "how many shares of ACME are held is not known" in " ".join(found["warnings"])
    assert calls.data("account")["equity"] is None
    error = calls.error("place", symbol="ACME", side="sell", qty="10")
    assert error.startswith("ORDER_REFUSED: how many shares of ACME are held is not known")


def test_where_nothing_says_how_prices_are_adjusted_they_must_jump_with_the_split(home: Path, tmp_path: Path) -> None:
    calls = Calls(home)
    path = tmp_path / "unstated.csv"
    path.write_text("Date,Close,Stock Splits\n2024-01-03,6.25,1\n2024-01-04,6.5,2\n")
    import_files([path], home, ImportOptions(symbol="ACME", facts=Facts(currency="USD")))
    calls.buy("10")
    calls.as_of = LATER
    assert (position(calls)["qty"], position(calls)["value"]) == (None, None)


@pytest.mark.parametrize("rows", ["2024-01-04,1.25", "2024-01-04,12.60,2", "2024-01-04,1250"])
def test_where_prices_look_like_an_action_that_is_not_recorded_there_is_no_value(
    calls: Calls, market: Market, rows: str
) -> None:
    calls.buy("10")
    market(rows)
    calls.as_of = LATER
    found = calls("positions")
    held = found["data"]["positions"][0]
    assert (held["cost"], held["value"], held["gain"]) == ("125", None, None)
    assert "ACME has no value: its prices are probably wrong: 2024-01-04" in " ".join(found["warnings"])
    assert calls.data("account")["equity"] is None


def test_a_split_ends_a_waiting_order_whatever_the_prices_are_adjusted_for(calls: Calls, tmp_path: Path) -> None:
    calls.buy("2", type="limit", limit_price="11", tif="gtc")
    restated(calls.home, tmp_path, "2024-01-02,5,1\n2024-01-03,6.25,1\n2024-01-04,6.5,2")
    calls.as_of = LATER
    order = calls.data("orders")["orders"][0]
    assert (order["status"], order["note"]) == (
        "expired",
        "shares were split before 2024-01-04; the limit meant old ones",
    )
