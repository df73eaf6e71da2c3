"""Trailing twelve months: what is summed, from which filings, as of when."""

from __future__ import annotations

from filing_tools import Tools
from made_facts import YEARS, fact

QUARTERS = (
    fact("Revenues", "2023-01-01..2023-03-31", 20, "2023-05-01", "10-Q"),
    fact("Revenues", "2023-04-01..2023-06-30", 30, "2023-08-01", "10-Q"),
    fact("Revenues", "2023-07-01..2023-09-30", 30, "2023-11-01", "10-Q"),
    fact("Revenues", "2023-01-01..2023-09-30", 80, "2023-11-01", "10-Q"),
    fact("Revenues", YEARS[2023], 120, "2024-02-01"),
    fact("Revenues", "2024-01-01..2024-03-31", 25, "2024-05-01", "10-Q"),
)


def test_twelve_months_are_the_sum_of_four_quarters_or_the_year_itself(tools: Tools) -> None:
    tools.load(*QUARTERS)
    latest, year = tools.values("revenue", period="ttm")
    assert (latest["value"], latest["start"], latest["end"], latest["months"]) == (
        "125",
        "2023-04-01",
        "2024-03-31",
        12,
    )
    assert latest["method"] == "sum of four quarters"
    assert [part["value"] for part in latest["inputs"]] == ["25", "40", "30", "30"]
    assert latest["inputs"][1]["method"] == "not reported: 12 months less the first 9 months"
    assert all("accession" in part or "inputs" in part for part in latest["inputs"])
    assert (year["value"], "derived" in year) == ("120", False)


def test_twelve_months_are_those_known_on_the_day(tools: Tools) -> None:
    tools.load(*QUARTERS, fact("Revenues", "2023-07-01..2023-09-30", 35, "2024-06-01", "10-Q/A"))
    assert [value["value"] for value in tools.values("revenue", period="ttm", as_of="2024-04-30")] == ["120"]
    assert tools.values("revenue", period="ttm", as_of="2024-05-31")[0]["value"] == "125"
    assert tools.values("revenue", period="ttm")[0]["value"] == "130"


def test_a_missing_quarter_leaves_no_twelve_months(tools: Tools) -> None:
    tools.load(*QUARTERS[:2], QUARTERS[5])
    error = tools.error("financials", identifier="1234567", concepts=["revenue"], period="ttm")
    assert "no twelve months to the end of a quarter filed by" in error


def test_values_per_share_are_not_summed(tools: Tools) -> None:
    eps = [fact("EarningsPerShareDiluted", *row[1:5], unit="USD/shares") for row in QUARTERS]
    tools.load(*QUARTERS, *eps)
    assert [value["end"] for value in tools.values("eps_diluted", period="ttm")] == ["2023-12-31"]


def test_a_balance_stands_at_the_end_of_each_quarter(tools: Tools) -> None:
    assets = fact("Assets", "2024-03-31", 500, "2024-05-01", "10-Q")
    tools.load(*QUARTERS, assets)
    assert [value["end"] for value in tools.values("assets", period="ttm")] == ["2024-03-31"]
