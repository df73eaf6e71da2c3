from __future__ import annotations

from filing_tools import Tools
from made_facts import YEARS, fact


def test_three_nine_and_twelve_months_are_told_apart(tools: Tools) -> None:
    tools.load(
        fact("Revenues", "2023-07-01..2023-09-30", 30, "2023-11-01", "10-Q"),
        fact("Revenues", "2023-01-01..2023-09-30", 85, "2023-11-01", "10-Q"),
        fact("Revenues", YEARS[2023], 120, "2024-02-01"),
    )
    assert [(v["value"], v["months"]) for v in tools.values("revenue")] == [("120", 12)]
    quarters = tools.values("revenue", period="quarterly")
    assert [(v["value"], v["end"], v["months"]) for v in quarters] == [("35", "2023-12-31", 3), ("30", "2023-09-30", 3)]


def test_a_fourth_quarter_that_was_not_reported_is_marked_as_derived(tools: Tools) -> None:
    tools.load(
        fact("Revenues", "2023-01-01..2023-09-30", 85, "2023-11-01", "10-Q"),
        fact("Revenues", YEARS[2023], 120, "2024-02-01"),
    )
    (derived,) = tools.values("revenue", period="quarterly")
    assert (derived["derived"], derived["value"], derived["start"]) == (True, "35", "2023-10-01")
    assert derived["method"] == "not reported: 12 months less the first 9 months"
    assert [(part["value"], part["filed"]) for part in derived["inputs"]] == [
        ("120", "2024-02-01"),
        ("85", "2023-11-01"),
    ]


def test_a_derived_quarter_is_known_only_when_both_parts_are(tools: Tools) -> None:
    tools.load(
        fact("Revenues", "2023-01-01..2023-09-30", 85, "2023-11-01", "10-Q"),
        fact("Revenues", YEARS[2023], 120, "2024-02-01"),
    )
    error = tools.error(
        "financials", identifier="1234567", concepts=["revenue"], period="quarterly", as_of="2024-01-31"
    )
    assert "no quarters filed by 2024-01-31 (us-gaap:Revenues); there are periods of 273 days" in error


NINE = fact("Revenues", "2023-01-01..2023-09-30", 88, "2023-11-01", "10-Q")
YEAR = fact("Revenues", YEARS[2023], 120, "2024-02-01")


def quarter(tools: Tools, *facts: tuple[object, ...]) -> tuple[str, str]:
    """The value of the one derived quarter, and the warnings."""
    tools.load(*facts)
    (derived,) = (v for v in tools.values("revenue", period="quarterly") if v.get("derived"))
    return derived["value"], tools.warnings("revenue", period="quarterly")


def test_a_year_that_was_restated_later_is_not_mixed_with_original_months(tools: Tools) -> None:
    value, warnings = quarter(tools, NINE, YEAR, fact("Revenues", YEARS[2023], 90, "2025-02-01"))
    assert value == "32"
    assert "12 months to 2023-12-31 were restated later, to 90 on 2025-02-01" in warnings


def test_months_that_were_restated_later_are_not_mixed_with_the_original_year(tools: Tools) -> None:
    value, warnings = quarter(tools, NINE, YEAR, fact("Revenues", "2023-01-01..2023-09-30", 70, "2024-11-01", "10-Q"))
    assert value == "32"
    assert "9 months to 2023-09-30 were restated later, to 70 on 2024-11-01" in warnings


def test_months_that_were_corrected_before_the_year_was_reported_count_corrected(tools: Tools) -> None:
    corrected = fact("Revenues", "2023-01-01..2023-09-30", 80, "2023-12-01", "10-Q/A")
    value, warnings = quarter(tools, NINE, corrected, YEAR)
    assert (value, "restated later" in warnings) == ("40", False)


def test_a_filing_that_restates_both_gives_the_restated_quarter(tools: Tools) -> None:
    both = [
        fact("Revenues", "2023-01-01..2023-09-30", 66, "2025-02-01"),
        fact("Revenues", YEARS[2023], 90, "2025-02-01"),
    ]
    value, warnings = quarter(tools, NINE, YEAR, *both)
    assert (value, "restated later" in warnings) == ("24", False)


def test_a_reported_fourth_quarter_is_preferred_to_a_derived_one(tools: Tools) -> None:
    tools.load(
        fact("Revenues", "2023-01-01..2023-09-30", 85, "2023-11-01", "10-Q"),
        fact("Revenues", "2023-10-01..2023-12-31", 36, "2024-02-01"),
        fact("Revenues", YEARS[2023], 120, "2024-02-01"),
    )
    (quarter,) = tools.values("revenue", period="quarterly")
    assert (quarter["value"], "derived" in quarter) == ("36", False)


def test_values_per_share_are_never_derived(tools: Tools) -> None:
    tools.load(
        fact("EarningsPerShareDiluted", "2023-01-01..2023-09-30", 3, "2023-11-01", "10-Q", "USD/shares"),
        fact("EarningsPerShareDiluted", YEARS[2023], 4, "2024-02-01", "10-K", "USD/shares"),
    )
    asked = {"identifier": "1234567", "concepts": ["eps_diluted"], "period": "quarterly"}
    assert "eps_diluted: no quarters" in tools.error("financials", **asked)


def test_cumulative_cash_flows_give_the_second_and_third_quarter(tools: Tools) -> None:
    tag = "NetCashProvidedByUsedInOperatingActivities"
    tools.load(
        fact(tag, "2023-01-01..2023-03-31", 10, "2023-05-01", "10-Q"),
        fact(tag, "2023-01-01..2023-06-30", 25, "2023-08-01", "10-Q"),
        fact(tag, "2023-01-01..2023-09-30", 45, "2023-11-01", "10-Q"),
    )
    quarters = tools.values("operating_cash_flow", period="quarterly")
    assert [(v["value"], v.get("derived", False)) for v in quarters] == [("20", True), ("15", True), ("10", False)]


def test_years_of_52_and_53_weeks_are_years(tools: Tools) -> None:
    tools.load(
        fact("Revenues", "2021-09-26..2022-09-24", 10, "2022-10-28"),
        fact("Revenues", "2022-09-25..2023-09-30", 11, "2023-11-03"),
    )
    assert [v["duration_days"] for v in tools.values("revenue")] == [371, 364]


def test_twelve_months_up_to_a_quarter_are_no_fiscal_year(tools: Tools) -> None:
    tools.load(
        fact("Revenues", YEARS[2022], 100, "2023-02-01"),
        fact("Revenues", "2022-07-01..2023-06-30", 105, "2023-08-01", "10-Q"),
    )
    assert [v["end"] for v in tools.values("revenue")] == ["2022-12-31"]


def test_balance_sheet_values_are_those_at_the_end_of_a_year(tools: Tools) -> None:
    tools.load(
        fact("NetIncomeLoss", YEARS[2022], 5, "2023-02-01"),
        fact("NetIncomeLoss", "2023-01-01..2023-03-31", 1, "2023-05-01", "10-Q"),
        fact("Assets", "2022-12-31", 900, "2023-02-01"),
        fact("Assets", "2022-11-15", 1, "2023-02-01"),
        fact("Assets", "2023-03-31", 950, "2023-05-01", "10-Q"),
    )
    (value,) = tools.values("assets")
    assert (value["value"], value["end"], "start" in value, "months" in value) == ("900", "2022-12-31", False, False)
    assert [v["value"] for v in tools.values("assets", period="quarterly")] == ["950", "900"]


def test_a_gap_in_a_series_is_told(tools: Tools) -> None:
    tools.load(fact("Revenues", YEARS[2019], 1, "2020-02-01"), fact("Revenues", YEARS[2022], 2, "2023-02-01"))
    assert "nothing is reported between 2019-12-31 and 2022-12-31" in tools.warnings("revenue")
