"""Ratios, growth and comparisons: values, formulas, inputs, and what is not computed."""

from __future__ import annotations

from typing import Any

import pytest
from filing_tools import Tools
from made_facts import YEARS, accession, fact

FILED = {2021: "2022-02-01", 2022: "2023-02-01", 2023: "2024-02-01"}


def year(number: int, **values: float) -> list[tuple[object, ...]]:
    """Facts of a year: flows over it, balances at its end."""
    balances = {"Assets", "StockholdersEquity", "AssetsCurrent", "LiabilitiesCurrent", "InventoryNet"}
    return [
        fact(tag, f"{number}-12-31" if tag in balances else YEARS[number], value, FILED[number])
        for tag, value in values.items()
    ]


ACME = [
    *year(2021, Revenues=50, NetIncomeLoss=5, StockholdersEquity=80),
    *year(2022, Revenues=100, NetIncomeLoss=10, StockholdersEquity=100),
    *year(2023, Revenues=120, CostOfRevenue=90, NetIncomeLoss=24, StockholdersEquity=140, AssetsCurrent=60,
          LiabilitiesCurrent=40, InventoryNet=20, NetCashProvidedByUsedInOperatingActivities=30,
          PaymentsToAcquirePropertyPlantAndEquipment=12, PaymentsOfDividends=6),
]  # fmt: skip


def one(tools: Tools, measure: str, **more: object) -> dict[str, Any]:
    (row,) = tools("ratios", identifiers=["1234567"], measures=[measure], **more)["data"]["values"]
    return row


@pytest.mark.parametrize(
    ("measure", "value", "formula"),
    [
        ("gross_margin", "0.250000", "(revenue - cost_of_revenue) / revenue"),
        ("net_margin", "0.200000", "net_income / revenue"),
        ("roe", "0.200000", "net_income / ((equity + equity a year before) / 2)"),
        ("current_ratio", "1.500000", "current_assets / current_liabilities"),
        ("quick_ratio", "1.000000", "(current_assets - inventory) / current_liabilities"),
        ("fcf", "18", "operating_cash_flow - capex"),
        ("fcf_margin", "0.150000", "(operating_cash_flow - capex) / revenue"),
        ("payout", "0.250000", "dividends_paid / net_income"),
        ("revenue_growth", "0.200000", "revenue / revenue a year before - 1"),
        ("us-gaap:Revenues_growth", "0.200000", "us-gaap:Revenues / us-gaap:Revenues a year before - 1"),
        ("revenue", "120", "as reported"),
    ],
)
def test_a_measure_has_its_formula(tools: Tools, measure: str, value: str, formula: str) -> None:
    tools.load(*ACME)
    row = one(tools, measure)
    assert (row["value"], row["formula"], row["end"]) == (value, formula, "2023-12-31")
    assert row["unit"] == ("USD" if measure in {"fcf", "revenue"} else "ratio")


def test_each_input_has_its_period_and_accession(tools: Tools) -> None:
    tools.load(*ACME)
    now, before = one(tools, "revenue_growth")["inputs"]
    assert (now["concept"], now["value"], now["start"], now["accessions"]) == (
        "revenue", "120", "2023-01-01", [accession("2024-02-01")],
    )  # fmt: skip
    assert (before["concept"], before["value"], before["end"]) == ("revenue a year before", "100", "2022-12-31")


def test_yearly_growth_over_several_years_is_compound(tools: Tools) -> None:
    tools.load(*ACME)
    row = one(tools, "revenue_cagr", periods=2)
    assert (row["value"], row["formula"]) == ("0.549193", "(revenue / revenue 2 years before) ^ (1 / 2) - 1")
    assert [entry["end"] for entry in row["inputs"]] == ["2023-12-31", "2021-12-31"]


def test_ratios_are_those_known_on_the_day(tools: Tools) -> None:
    tools.load(*ACME, fact("Revenues", YEARS[2022], 60, "2024-02-01"))
    assert one(tools, "revenue_growth")["value"] == "1.000000"
    earlier = one(tools, "revenue_growth", as_of="2023-12-31")
    assert (earlier["value"], earlier["end"]) == ("1.000000", "2022-12-31")
    assert earlier["inputs"][0]["value"] == "100"


def test_several_periods_are_the_latest_first_and_a_missing_base_is_named(tools: Tools) -> None:
    tools.load(*ACME)
    answer = tools("ratios", identifiers=["1234567"], measures=["revenue_growth"], periods=3)
    assert [row["value"] for row in answer["data"]["values"]] == ["0.200000", "1.000000", None]
    assert "revenue a year before is not reported for the period to 2021-12-31" in answer["warnings"][0]


def test_a_base_that_is_not_above_zero_gives_no_ratio(tools: Tools) -> None:
    tools.load(*year(2022, NetIncomeLoss=-10), *year(2023, NetIncomeLoss=5, Revenues=50))
    answer = tools("ratios", identifiers=["1234567"], measures=["net_income_growth", "net_margin"])
    assert [row["value"] for row in answer["data"]["values"]] == [None, "0.100000"]
    assert "net_income a year before is -10, which is not above zero" in answer["warnings"][0]


def test_an_average_of_balances_that_are_not_above_zero_is_no_base(tools: Tools) -> None:
    tools.load(*year(2022, Revenues=1, StockholdersEquity=-100), *year(2023, NetIncomeLoss=5, StockholdersEquity=100))
    assert (
        "equity a year before is -100, which is not above zero"
        in tools("ratios", identifiers=["1234567"], measures=["roe", "net_income"])["warnings"][0]
    )


def test_doubts_about_an_input_are_in_the_answer(tools: Tools) -> None:
    tools.load(*ACME, fact("SalesRevenueNet", YEARS[2023], 119, "2024-02-01"))
    warnings = tools("ratios", identifiers=["1234567"], measures=["net_margin", "revenue_growth"])["warnings"]
    assert [warning for warning in warnings if "several tags with different values" in warning] == [
        "CIK0001234567 revenue: several tags with different values for 2023-12-31: see also_reported; check which is meant"
    ]


def test_returns_of_a_quarter_are_not_computed(tools: Tools) -> None:
    tools.load(*ACME)
    assert "ask for annual or ttm" in tools.error(
        "ratios", identifiers=["1234567"], measures=["roe"], period="quarterly"
    )


def test_companies_are_ranked_and_periods_that_differ_are_shown(tools: Tools) -> None:
    tools.load(*ACME)
    other = [
        fact(tag, "2022-10-01..2023-09-30", value, "2023-11-15")
        for tag, value in (("Revenues", 500), ("NetIncomeLoss", 50))
    ]
    tools.load(*other, name="Globex", cik=7654321)
    answer = tools("ratios", identifiers=["1234567", "Globex"], measures=["revenue", "net_margin"])
    assert answer["data"]["ranking"] == {
        "revenue": {"USD": ["CIK0007654321", "CIK0001234567"]},
        "net_margin": {"ratio": ["CIK0001234567", "CIK0007654321"]},
    }
    assert "revenue: the periods differ: CIK0001234567 to 2023-12-31, CIK0007654321 to 2023-09-30" in answer["warnings"]
    assert len(answer["sources"]) == 2


def test_currencies_that_differ_are_not_ranked_as_one(tools: Tools) -> None:
    tools.load(*ACME)
    tools.load(fact("Revenues", YEARS[2023], 9_000, "2024-03-01", "20-F", "KRW"), name="Globex", cik=7654321)
    answer = tools("ratios", identifiers=["1234567", "7654321"], measures=["revenue"])
    assert answer["data"]["ranking"] == {"revenue": {"KRW": ["CIK0007654321"], "USD": ["CIK0001234567"]}}
    assert "revenue is in KRW, USD: not ranked as one" in answer["warnings"]


def test_a_company_without_the_concept_is_named_and_the_others_are_answered(tools: Tools) -> None:
    tools.load(*ACME)
    tools.load(*year(2023, Revenues=7), name="Globex", cik=7654321)
    answer = tools("ratios", identifiers=["1234567", "7654321"], measures=["net_margin"])
    assert answer["data"]["ranking"] == {"net_margin": {"ratio": ["CIK0001234567"]}}
    assert "unavailable, do not estimate: CIK0007654321 net_margin: " in answer["warnings"][-1]


@pytest.mark.parametrize(
    "wrong", [{"identifiers": []}, {"measures": []}, {"periods": 0}, {"periods": 13}, {"measures": [""]}]
)
def test_what_is_out_of_bounds_is_refused(tools: Tools, wrong: dict[str, object]) -> None:
    tools.load(*ACME)
    given = {"identifiers": ["1234567"], "measures": ["roe"], **wrong}
    assert tools.error("ratios", **given).startswith("BAD_INPUT: ")
