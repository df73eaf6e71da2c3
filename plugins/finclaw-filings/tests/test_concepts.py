from __future__ import annotations

import pytest
from filing_tools import Tools
from made_facts import YEARS, fact

NARROW = "RevenueFromContractWithCustomerExcludingAssessedTax"


def test_two_tags_that_differ_for_one_period_are_both_told(tools: Tools) -> None:
    tools.load(fact("Revenues", YEARS[2022], 120, "2023-02-10"), fact(NARROW, YEARS[2022], 100, "2023-02-10"))
    (value,) = tools.values("revenue")
    assert (value["value"], value["tag"]) == ("120", "us-gaap:Revenues")
    (other,) = value["also_reported"]
    assert (other["tag"], other["value"]) == (f"us-gaap:{NARROW}", "100")
    assert "several tags with different values for 2022-12-31" in tools.warnings("revenue")


def test_two_tags_that_agree_are_no_news(tools: Tools) -> None:
    tools.load(fact("Revenues", YEARS[2022], 120, "2023-02-10"), fact(NARROW, YEARS[2022], 120, "2023-02-10"))
    assert tools.warnings("revenue") == ""


def test_different_years_may_use_different_tags_and_it_is_said(tools: Tools) -> None:
    tools.load(fact("SalesRevenueNet", YEARS[2016], 90, "2017-02-10"), fact(NARROW, YEARS[2017], 100, "2018-02-10"))
    assert [v["tag"] for v in tools.values("revenue")] == [f"us-gaap:{NARROW}", "us-gaap:SalesRevenueNet"]
    assert "the tag changes within the series" in tools.warnings("revenue")


def test_a_preferred_tag_that_is_still_in_use_is_kept_though_a_later_filing_repeats_only_another(tools: Tools) -> None:
    cash, wider = (
        "CashAndCashEquivalentsAtCarryingValue",
        "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
    )
    tools.load(
        fact("NetIncomeLoss", YEARS[2022], 5, "2023-02-10"),
        fact("NetIncomeLoss", YEARS[2023], 5, "2024-02-10"),
        fact(cash, "2022-12-31", 90, "2023-02-10"),
        fact(wider, "2022-12-31", 95, "2023-02-10"),
        fact(wider, "2022-12-31", 95, "2023-05-10", "10-Q"),
        fact(cash, "2023-12-31", 80, "2024-02-10"),
    )
    assert [(v["value"], v["tag"]) for v in tools.values("cash")] == [
        ("80", f"us-gaap:{cash}"),
        ("90", f"us-gaap:{cash}"),
    ]


def test_a_tag_that_was_given_up_gives_way_to_the_one_that_came_after(tools: Tools) -> None:
    tools.load(fact("Revenues", YEARS[2021], 90, "2022-02-10"), fact(NARROW, YEARS[2021], 80, "2023-02-10"))
    assert tools.values("revenue")[0]["value"] == "80"
    assert tools.values("revenue", as_of="2022-12-31")[0]["value"] == "90"


def test_ifrs_tags_and_other_currencies_are_found(tools: Tools) -> None:
    tools.load(fact("ifrs-full:Revenue", YEARS[2022], 7, "2023-04-01", "20-F", "EUR"))
    (value,) = tools.values("revenue")
    assert (value["tag"], value["unit"]) == ("ifrs-full:Revenue", "EUR")


def test_of_several_currencies_one_is_given_and_the_others_are_named(tools: Tools) -> None:
    tools.load(
        fact("ifrs-full:Revenue", YEARS[2021], 6, "2022-04-01", "20-F", "EUR"),
        fact("ifrs-full:Revenue", YEARS[2022], 7, "2023-04-01", "20-F", "EUR"),
        fact("ifrs-full:Revenue", YEARS[2022], 8, "2023-04-01", "20-F", "USD"),
    )
    assert {v["unit"] for v in tools.values("revenue")} == {"EUR"}
    assert "also reported in USD" in tools.warnings("revenue")
    assert [v["value"] for v in tools.values("revenue", unit="USD")] == ["8"]


@pytest.mark.parametrize("name", ["us-gaap:Widgets", "Widgets", "us-gaap:widgets"])
def test_any_tag_of_the_company_can_be_asked_for(tools: Tools, name: str) -> None:
    tools.load(fact("Widgets", YEARS[2022], 7, "2023-04-01", "10-K", "pure"))
    assert tools.values(name)[0]["tag"] == "us-gaap:Widgets"


def test_an_unknown_concept_names_candidates_and_no_number(tools: Tools) -> None:
    tools.load(fact("WidgetsSold", YEARS[2022], 7, "2023-04-01"), fact("Revenues", YEARS[2022], 70, "2023-04-01"))
    error = tools.error("financials", identifier="1234567", concepts=["widgets"])
    assert error.startswith("NO_DATA: 'widgets' is not among the company's tags; candidates: us-gaap:WidgetsSold")
    answer = tools("financials", identifier="1234567", concepts=["widgets", "revenue"])
    assert answer["data"]["widgets"] is None
    assert answer["warnings"][0].startswith("unavailable, do not estimate: 'widgets'")


def test_shares_on_the_cover_stand_at_their_own_day(tools: Tools) -> None:
    tools.load(
        fact("NetIncomeLoss", YEARS[2022], 5, "2023-02-01"),
        fact("dei:EntityCommonStockSharesOutstanding", "2023-01-20", 5000, "2023-02-01", "10-K", "shares"),
    )
    (value,) = tools.values("shares_outstanding")
    assert (value["value"], value["end"], value["unit"]) == ("5000", "2023-01-20", "shares")


def test_fifteen_concepts_may_be_asked_for_at_once(tools: Tools) -> None:
    tools.load(fact("Revenues", YEARS[2022], 70, "2023-04-01"))
    asked = ["revenue", *(f"other{number}" for number in range(14))]
    assert "BAD_INPUT" not in str(tools("financials", identifier="1234567", concepts=asked))
    assert tools.error("financials", identifier="1234567", concepts=[*asked, "more"]).startswith("BAD_INPUT: ")


@pytest.mark.parametrize(
    "wrong",
    [
        {"concepts": []},
        {"concepts": ["x"] * 3 + [f"c{n}" for n in range(40)]},
        {"concepts": ["x" * 5000]},
        {"concepts": ["revenue"], "periods": 0},
        {"concepts": ["revenue"], "periods": 10**9},
        {"concepts": ["revenue"], "identifier": "x" * 5000},
        {"concepts": ["revenue"], "identifier": " "},
    ],
)
def test_input_out_of_bounds_is_refused(tools: Tools, wrong: dict[str, object]) -> None:
    tools.load(fact("Revenues", YEARS[2022], 70, "2023-04-01"))
    assert tools.error("financials", **{"identifier": "1234567", **wrong}).startswith("BAD_INPUT: ")
