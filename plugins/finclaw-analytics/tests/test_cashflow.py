from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, cast

import pytest
from answers import Answer
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_analytics.cashflow import cashflow_return
from finclaw_analytics.pairs import Pairs
from finclaw_cli.sdk import ToolError

Ask = Callable[..., Answer]
# Microsoft's documentation of XIRR.
EXCEL = [
    ["2008-01-01", -10000],
    ["2008-03-01", 2750],
    ["2008-10-30", 4250],
    ["2009-02-15", 3250],
    ["2009-04-01", 2750],
]


def test_excel_s_example(ask: Ask) -> None:
    answer = ask("cashflow_return", kind="xirr", flows=EXCEL)
    assert answer.data["rate"] == pytest.approx(0.373362535, abs=1e-8)
    assert (answer.data["roots_found"], answer.data["conventional"]) == (1, True)
    assert "actual days / 365 (fixed)" in answer.convention
    assert "rates fit" not in answer.text


def test_the_order_of_flows_does_not_matter(ask: Ask) -> None:
    assert (
        ask("cashflow_return", kind="xirr", flows=EXCEL[::-1]).data
        == ask("cashflow_return", kind="xirr", flows=EXCEL).data
    )


def test_periodic_flows(ask: Ask) -> None:
    assert ask("cashflow_return", kind="irr", amounts=[-100, 39, 59, 55, 20]).data["rate"] == 0.28094842116


@pytest.mark.parametrize("years", [60, 200])
def test_flows_of_many_years_have_a_rate(years: int, ask: Ask) -> None:
    # Interest only: 5 a year on 100, which are paid back at the end.
    found = ask("cashflow_return", kind="irr", amounts=[-100, *[5] * (years - 1), 105]).data
    assert (found["rate"], found["roots_found"]) == (pytest.approx(0.05), 1)


def test_flows_that_no_rate_fits_are_an_error(ask: Ask) -> None:
    # x² - 2x + 2 in x = 1 + rate has no real root.
    answer = ask("cashflow_return", kind="irr", amounts=[1, -2, 2])
    assert answer.code == "NO_DATA"
    assert "no rate between -0.999999 and 1e+06" in answer.text


def test_several_rates_are_all_told_and_none_is_chosen(ask: Ask) -> None:
    # (1.1 - x)(1.3 - x) in x = 1 + r: both 10 % and 30 % fit.
    answer = ask("cashflow_return", kind="irr", amounts=["-1", "2.4", "-1.43"])
    assert answer.data["roots"] == pytest.approx([0.1, 0.3], rel=1e-9)
    assert (answer.data["rate"], answer.data["roots_found"], answer.data["conventional"]) == (None, 2, False)
    assert "none is the return" in answer.warnings


def test_a_far_second_rate_does_not_hide_the_only_positive_one(ask: Ask) -> None:
    answer = ask("cashflow_return", kind="irr", amounts=[-100, 150, -1, 1, -1, 2, -0.001])
    assert answer.data["roots_found"] > 1
    assert answer.data["rate"] == max(answer.data["roots"])
    assert "Norstrom" in answer.warnings


@pytest.mark.parametrize(
    ("amounts", "rate"),
    [
        (["-1", "2.4", "-1.44"], 0.2),
        ([-100, 220, -121], 0.1),
        ([-10000, 21000, -11025], 0.05),
        (["-1", "2.2", "-1.21"], 0.1),
        (["-1", "3.3", "-3.63", "1.331"], 0.1),
        ([1, -4, 6, -4, 1], 0),
    ],
    ids=str,
)
def test_roots_that_fall_together_are_one_with_all_its_digits(amounts: list[Any], rate: float, ask: Ask) -> None:
    assert ask("cashflow_return", kind="irr", amounts=amounts).data["roots"] == [pytest.approx(rate, abs=1e-11)]


def test_a_double_root_by_dates_has_all_its_digits(ask: Ask) -> None:
    flows = [["2021-01-01", -100], ["2022-01-01", 220], ["2023-01-01", -121]]
    assert ask("cashflow_return", kind="xirr", flows=flows).data["roots"] == [pytest.approx(0.1, abs=1e-11)]


def test_two_rates_close_together_stay_two(ask: Ask) -> None:
    # (1.1 - x)(1.1002 - x) in x = 1 + r.
    roots = ask("cashflow_return", kind="irr", amounts=["-1", "2.2002", "-1.21022"]).data["roots"]
    assert roots == pytest.approx([0.1, 0.1002], abs=1e-10)


def test_a_rate_of_zero_is_zero(ask: Ask) -> None:
    # (1 - x)(2 - x)(3 - x) in x = 1 + r.
    roots = ask("cashflow_return", kind="irr", amounts=[-1, 6, -11, 6]).data["roots"]
    assert roots[0] == 0
    assert roots == pytest.approx([0, 1, 2], rel=1e-11)


@pytest.mark.parametrize("amounts", [[100, 20], [-100, -20], [0, 0], [], [-100]], ids=str)
def test_flows_of_one_sign_have_no_rate(amounts: list[int], ask: Ask) -> None:
    assert ask("cashflow_return", kind="irr", amounts=amounts).code == "NOT_ENOUGH_DATA"


def test_flows_on_one_day_have_no_rate(ask: Ask) -> None:
    flows = [["2024-01-01", -100], ["2024-01-01", 101]]
    assert ask("cashflow_return", kind="xirr", flows=flows).code == "NOT_ENOUGH_DATA"


def test_present_value_is_a_decimal_and_starts_now(ask: Ask) -> None:
    answer = ask("cashflow_return", kind="npv", amounts=["-100", "110"], rate="0.1")
    assert answer.data["npv"] == "0"
    assert "Excel's NPV" in answer.convention


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "npv", "amounts": [1]},
        {"kind": "npv", "amounts": [1], "rate": -1},
        {"kind": "npv", "amounts": [1], "rate": "1e400"},
        {"kind": "xirr", "amounts": [-1, 2]},
        {"kind": "irr"},
        {"kind": "xirr", "flows": [["2024-13-01", 1]]},
        {"kind": "xirr", "flows": [["2024-01-01"]]},
        {"kind": "xirr", "flows": [["2024-01-01", None]]},
        {"kind": "xirr", "flows": [["2024-01-01", "ten"]]},
        {"kind": "xirr", "flows": [["2024-01-01", "1e99"]]},
        {"kind": "xirr", "flows": [[5, 5]]},
    ],
    ids=str,
)
def test_input_that_means_nothing_is_refused(given: dict[str, Any], ask: Ask) -> None:
    assert ask("cashflow_return", **given).code == "BAD_INPUT"


def test_time_weighted_return_links_the_subperiods(ask: Ask) -> None:
    # 100 → 110 (+10 %), 50 paid in, 160 → 176 (+10 %).
    values = [["2023-01-01", 100], ["2023-06-30", 110], ["2024-01-01", 176]]
    answer = ask("cashflow_return", kind="twr", flows=[["2023-06-30", -50]], values=values)
    assert answer.data["return"] == pytest.approx(0.21)
    assert answer.data["annualised"] == pytest.approx(0.21)


def test_time_weighted_return_needs_a_value_on_each_flow_s_date(ask: Ask) -> None:
    values = [["2023-01-01", 100], ["2024-01-01", 176]]
    answer = ask("cashflow_return", kind="twr", flows=[["2023-06-30", -50]], values=values)
    assert answer.code == "NOT_ENOUGH_DATA"
    assert "2023-06-30" in answer.text


def test_modified_dietz_weighs_flows_by_the_time_left(ask: Ask) -> None:
    values = [["2023-01-01", 100], ["2023-01-11", 165]]
    answer = ask("cashflow_return", kind="modified_dietz", flows=[["2023-01-05", -50]], values=values)
    assert answer.data["return"] == pytest.approx(15 / (100 + 50 * 0.6))
    assert answer.data["annualised"] is None


def test_a_flow_on_the_last_date_is_not_yet_in_the_value(ask: Ask) -> None:
    values = [["2023-01-01", 100], ["2023-01-11", 110]]
    answer = ask("cashflow_return", kind="modified_dietz", flows=[["2023-01-11", -50]], values=values)
    assert answer.data["return"] == pytest.approx(0.1)
    assert "changes nothing" in answer.warnings


AMOUNTS = st.integers(-10_000, 10_000).map(lambda cents: Decimal(cents) / 100)


@settings(max_examples=30)
@given(st.lists(AMOUNTS, min_size=2, max_size=8))
def test_each_internal_rate_makes_the_present_value_zero(amounts: list[Decimal]) -> None:
    flows = [Decimal(-50), *amounts, Decimal(80)]
    found = cashflow_return("irr", amounts=flows)
    for root in cast("dict[str, list[float]]", found.data)["roots"]:
        terms = [float(amount) / (1 + root) ** step for step, amount in enumerate(flows)]
        assert abs(math.fsum(terms)) <= 1e-7 * math.fsum(abs(term) for term in terms)


def dated_rate(first: date, received: int, gap: int) -> object:
    days = (first, first + timedelta(days=gap), first + timedelta(days=900))
    flows = zip(days, (-1000, received, 1), strict=True)
    pairs: Pairs = [[day.isoformat(), Decimal(amount)] for day, amount in flows]
    return cast("dict[str, object]", cashflow_return("xirr", flows=pairs).data)["rate"]


@given(st.integers(-3000, 3000), st.integers(1, 5000), st.integers(1, 400))
def test_moving_all_dates_does_not_change_the_rate(shift: int, received: int, gap: int) -> None:
    try:
        expected = dated_rate(date(2015, 1, 1), received, gap)
    except ToolError as error:
        expected = str(error)
    try:
        found = dated_rate(date(2015, 1, 1) + timedelta(days=shift), received, gap)
    except ToolError as error:
        found = str(error)
    assert found == expected
