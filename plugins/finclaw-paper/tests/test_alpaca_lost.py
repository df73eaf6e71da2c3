"""Answers of Alpaca that get lost: what became of the order is found out, and nothing is sent twice."""

from __future__ import annotations

import pytest
from alpaca_server import Alpaca
from broker_calls import Calls

BUY = {"symbol": "ACME", "side": "buy", "qty": "2"}


@pytest.mark.parametrize(
    "fault", ["504", "500", "html", "truncated", "reset", "slow", "huge", "redirect", "nan", "stacked"]
)
def test_an_answer_lost_after_acceptance_is_found_out(at: Calls, broker: Alpaca, fault: str) -> None:
    broker.post_faults = [f"{fault} after"]
    result = at("place", **BUY)
    assert (result["data"]["status"], result["data"]["duplicate"]) == ("accepted", False)
    assert "Alpaca was asked, and has it" in result["warnings"][0]
    assert len(broker.posts) == len(broker.orders) == 1


@pytest.mark.parametrize("fault", ["504", "500", "reset", "slow"])
def test_an_order_that_did_not_arrive_did_nothing_once_alpaca_keeps_not_knowing_it(
    at: Calls, broker: Alpaca, fault: str
) -> None:
    broker.post_faults = [f"{fault} before"]
    error = at.error("place", **BUY)
    assert error == "[The service was asked for this call afterwards and does not know it: it did nothing.]"
    assert (len(broker.posts), len(broker.orders)) == (1, 0)


def test_an_order_that_alpaca_does_not_know_right_after_the_request_is_asked_for_again(
    at: Calls, broker: Alpaca
) -> None:
    broker.post_faults = ["504 after"]
    broker.lookup_faults = ["missing"] * 6
    assert at.data("place", **BUY)["status"] == "accepted"
    assert len(broker.posts) == len(broker.orders) == 1


@pytest.mark.parametrize("fault", ["504", "404-page", "html", "429", "reset", "truncated"])
def test_where_nobody_says_the_outcome_is_unknown_and_nothing_is_sent_again(
    at: Calls, broker: Alpaca, fault: str
) -> None:
    broker.post_faults = ["504 after"]
    broker.lookup_faults = ["missing", *[fault] * 40]
    error = at.error("place", session_id="one", **BUY)
    broker.lookup_faults = []
    assert error.startswith("OUTCOME_UNKNOWN: the order fc-")
    assert "MAY have been placed" in error
    assert "Do not place it again; run reconcile" in error
    own = error.split()[3]
    assert at.data("reconcile", client_order_id=own)["outcome"] == "found"
    again = at.data("place", session_id="one", **BUY)
    assert (again["client_order_id"], again["duplicate"]) == (own, True)
    assert len(broker.posts) == 1


def test_an_order_that_turns_up_late_is_still_found(at: Calls, broker: Alpaca) -> None:
    broker.post_faults = ["504 after"]
    broker.lookup_faults = ["missing", "missing", "504", ""]
    assert at.data("place", **BUY)["status"] == "accepted"


def test_an_id_that_alpaca_knows_already_gives_the_order(at: Calls, broker: Alpaca) -> None:
    first = at.data("place", session_id="one", **BUY)
    broker.lookup_faults = ["missing"]
    again = at.data("place", session_id="one", **BUY)
    assert again == first | {"duplicate": True}
    assert [sent["client_order_id"] for _, sent in broker.posts] == [first["client_order_id"]] * 2
    broker.orders[first["client_order_id"]]["qty"] = "3"
    assert "is already the id of another order" in at.error("place", session_id="one", **BUY)
