from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st

from finclaw_analytics.drawdown import max_drawdown
from finclaw_analytics.ratios import sharpe

Ask = Callable[..., Answer]
Store = Callable[..., None]
LEVELS = (100, 110, 99, 104, 121, 115)


def dated(levels: tuple[object, ...] | list[object], step: int = 7, first: date = date(2024, 1, 5)) -> list[list[Any]]:
    return [[(first + timedelta(days=step * n)).isoformat(), level] for n, level in enumerate(levels)]


def test_the_drawdown_names_its_dates(ask: Ask) -> None:
    fall = ask("performance", values=dated(LEVELS)).data["max_drawdown"]
    assert fall == {"depth": -0.1, "peak": "2024-01-12", "trough": "2024-01-19", "recovery": "2024-02-02"}


def test_a_fall_from_the_first_value_counts(ask: Ask) -> None:
    fall = ask("performance", values=dated([100, 90, 95])).data["max_drawdown"]
    assert (fall["depth"], fall["peak"], fall["recovery"]) == (-0.1, "2024-01-05", None)


def test_both_growth_rates_are_given_and_named(ask: Ask) -> None:
    answer = ask("performance", values=dated([100, 105, 120], step=365))
    assert answer.data["cagr_periods"] == pytest.approx(math.sqrt(1.2) - 1, rel=1e-11)
    assert answer.data["cagr_calendar"] == pytest.approx(1.2 ** (365.25 / 730) - 1, rel=1e-11)
    assert "(1+total)^(365.25 / calendar days) - 1" in answer.convention
    assert "1 periods per year, inferred: years" in answer.convention


@pytest.mark.parametrize(("step", "said"), [(1, "365 "), (7, "52 "), (30, "12 "), (91, "4 "), (365, "1 ")])
def test_periods_per_year_are_told_from_the_dates(step: int, said: str, ask: Ask) -> None:
    convention = ask("performance", values=dated([100, 101, 103, 102] * 3, step=step)).convention
    assert f"; {said}periods per year, inferred" in convention


@pytest.mark.parametrize(("days", "is_warned"), [(364, True), (365, False)])
def test_less_than_a_year_of_data_is_named_in_a_warning(days: int, ask: Ask, *, is_warned: bool) -> None:
    last = date(2024, 1, 5) + timedelta(days=days)
    answer = ask("performance", values=[*dated([100, 101, 99]), *dated([102], first=last)])
    assert ("less than a year of data" in answer.warnings) is is_warned


def test_an_unknown_spacing_leaves_what_needs_it_null(ask: Ask) -> None:
    answer = ask("performance", values=dated([100, 105, 103], step=50))
    assert answer.data["total_return"] == 0.03
    assert (answer.data["cagr_periods"], answer.data["sharpe"]) == (None, None)
    assert "no known period" in answer.warnings
    assert ask("performance", values=dated([100, 105, 103], step=50), periods_per_year=7.3).data["sharpe"] is not None


def test_the_best_and_the_worst_period_are_dated(ask: Ask) -> None:
    data = ask("performance", values=dated(LEVELS)).data
    assert data["worst"] == {"return": -0.1, "date": "2024-01-19"}
    assert data["best"]["date"] == "2024-02-02"


def test_missing_values_are_left_out_and_said(ask: Ask) -> None:
    answer = ask("performance", values=dated([100, None, 110, 121]))
    assert answer.json["method"]["n"] == 2
    assert "1 missing values were left out" in answer.warnings


@pytest.mark.parametrize(
    "values",
    [
        [["2024-01-02", 1], ["2024-01-02", 2]],
        [["2024-01-03", 1], ["2024-01-02", 2]],
        [["2024-01-02", 1], ["2024-01-03", 0]],
        [["2024-01-02", 1], ["2024-01-03", -4]],
        [["2024-01-02", 1], ["2024-01-03", 1e300]],
        [["2024-02-30", 1]],
        [["2024-01-02", "NaN"]],
        [["2024-01-02", "1" * 5000]],
        [["2024-01-02", 1, 2]],
        [[1, 2]],
    ],
    ids=lambda values: str(values)[:60],
)
def test_series_that_mean_nothing_are_refused(values: list[Any], ask: Ask) -> None:
    assert ask("performance", values=values).code == "BAD_INPUT"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (0, "is 0: returns need values above zero"),
        (-4, "is -4: returns need values above zero"),
        (9e-13, "is 9e-13: not between 1e-12 and 1e+15"),
    ],
)
def test_a_value_out_of_bounds_is_named_with_its_date_and_the_reason(value: float, why: str, ask: Ask) -> None:
    answer = ask("performance", values=[["2024-01-02", 1], ["2024-01-03", value]])
    assert f"on 2024-01-03 {why}" in answer.text


@pytest.mark.parametrize("value", [1e-12, 1e15])
def test_the_least_and_the_greatest_value_are_taken(value: float, ask: Ask) -> None:
    assert ask("performance", values=dated([1, value])).data["total_return"] == pytest.approx(value - 1)


@pytest.mark.parametrize("values", [[], [["2024-01-02", 1]], [["2024-01-02", 1], ["2024-01-03", None]]], ids=str)
def test_one_value_is_not_enough(values: list[Any], ask: Ask) -> None:
    assert ask("performance", values=values).code == "NOT_ENOUGH_DATA"


def test_a_symbol_or_values_but_not_both(ask: Ask) -> None:
    assert ask("performance").code == "BAD_INPUT"
    assert ask("performance", symbol="ACME", values=dated(LEVELS)).code == "BAD_INPUT"


@pytest.mark.parametrize("levels", [[100] * 6, [100 * 1.01**n for n in range(6)]], ids=["flat", "steady"])
def test_without_variation_ratios_are_null_and_it_is_said(levels: list[float], ask: Ask) -> None:
    answer = ask("performance", values=dated(list(levels)))
    assert (answer.data["sharpe"], answer.data["sortino"]) == (None, None)
    assert answer.data["volatility"] == 0
    assert "sharpe is undefined and null" in answer.warnings


def test_growth_beyond_a_float_is_null(ask: Ask) -> None:
    answer = ask("performance", values=[["2024-01-02", 1e-12], ["2024-02-02", 1e15]])
    assert answer.data["cagr_calendar"] is None
    assert "too large" in answer.warnings


def test_a_loss_of_all_but_a_trace_is_a_loss_of_all(ask: Ask) -> None:
    assert ask("performance", values=[["2024-01-02", 1e15], ["2024-02-02", 1e-12]]).data["cagr_periods"] == -1


def test_nothing_after_the_run_s_date_is_used(ask: Ask) -> None:
    answer = ask("performance", {"as_of": date(2024, 1, 25)}, values=dated(LEVELS))
    assert (answer.data["last"], answer.json["as_of"]) == ("2024-01-19", "2024-01-19")
    assert "3 values" in answer.warnings
    assert ask("performance", values=dated(LEVELS), as_of="2024-01-19").data["n_returns"] == 2


def test_values_in_the_future_are_not_used(ask: Ask) -> None:
    assert ask("performance", values=[["2024-01-02", 1], ["9024-01-03", 2]]).code == "NOT_ENOUGH_DATA"


def test_a_symbol_s_answer_names_instrument_source_and_adjustment(ask: Ask, store: Store) -> None:
    store("ACME", dated(LEVELS), adjustment="split")
    answer = ask("performance", symbol="acme")
    assert answer.json["instrument"] == {"symbol": "ACME", "currency": "USD"}
    assert (answer.json["adjustment"], answer.json["as_of"]) == ("split", "2024-02-09")
    assert answer.json["sources"][0]["ref"] == "ACME.csv"
    assert "dividends are not in the returns" in answer.warnings


def test_an_index_may_leave_dividends_out(ask: Ask, store: Store) -> None:
    store("^IDX", dated(LEVELS))
    assert "only where it is a total-return index" in ask("performance", symbol="^IDX").warnings


def test_an_unknown_symbol_is_the_store_s_error(ask: Ask, store: Store) -> None:
    store("ACME", dated(LEVELS))
    assert ask("performance", symbol="ACNE").code == "UNKNOWN_SYMBOL"
    assert ask("performance", symbol="ACME", benchmark="MKT").code == "UNKNOWN_SYMBOL"


def test_a_benchmark_is_compared_on_common_dates(ask: Ask, store: Store) -> None:
    store("ACME", dated(LEVELS))
    store("MKT", dated([50, 55, 49.5, 52, 60.5, 57.5])[1:], currency="EUR", adjustment="split")
    answer = ask("performance", symbol="ACME", benchmark="MKT")
    assert answer.data["benchmark"]["beta"] == pytest.approx(1)
    assert answer.data["benchmark"]["n_returns"] == 4
    assert "1 of 6 dates of ACME were left out" in answer.warnings
    assert "adjusted differently" in answer.warnings
    assert "exchange rates are not in it" in answer.warnings
    assert [source["id"] for source in answer.json["sources"]] == ["s1", "s2"]


def test_a_few_days_are_not_annualised(ask: Ask) -> None:
    answer = ask("performance", values=[["2024-01-02", 100], ["2024-01-03", 180], ["2024-01-04", 175]])
    assert [answer.data[name] for name in ("cagr_calendar", "cagr_periods", "sharpe", "calmar")] == [None] * 4
    assert answer.data["total_return"] == 0.75
    assert "less than 30 days" in answer.warnings


def test_absurd_growth_is_null_and_said(ask: Ask) -> None:
    answer = ask("performance", values=[["2024-01-01", 1], ["2024-02-01", 3]])
    assert (answer.data["cagr_calendar"], answer.data["cagr_periods"]) == (None, None)
    assert "too large to mean anything" in answer.warnings


def test_uneven_spacing_is_not_annualised_by_periods(ask: Ask) -> None:
    months = [["2023-01-01", 100], ["2023-02-01", 101], ["2023-03-01", 103], ["2023-06-01", 102], ["2023-07-01", 104]]
    answer = ask("performance", values=months)
    assert (answer.data["cagr_periods"], answer.data["volatility"], answer.data["sharpe"]) == (None, None, None)
    assert answer.data["cagr_calendar"] is not None
    assert "1 of 4 gaps" in answer.warnings


def test_a_series_with_a_probable_error_has_no_statistics(ask: Ask, store: Store) -> None:
    days = [(date(2024, 1, 1) + timedelta(days=n)) for n in range(90)]
    days = [day for day in days if day.weekday() < 5]
    rows = [[day.isoformat(), str((400 + n % 7) if n < 30 else (100 + n % 3))] for n, day in enumerate(days)]
    store("ACME", rows, adjustment="none")
    store("MKT", dated(LEVELS))
    for tool, asked in (
        ("performance", {"symbol": "ACME"}),
        ("performance", {"values": dated(LEVELS), "benchmark": "ACME"}),
        ("risk", {"symbol": "ACME"}),
        ("risk", {"holdings": {"ACME": 0.5, "MKT": 0.5}}),
    ):
        answer = ask(tool, **asked)
        assert answer.code == "NO_DATA"
        assert "split" in answer.text
        assert "finclaw data repair ACME" in answer.text
    assert ask("performance", symbol="ACME", start=days[30].isoformat()).data["n_returns"] > 20


def test_a_series_is_its_own_benchmark_with_beta_one(ask: Ask, store: Store) -> None:
    store("ACME", dated(LEVELS))
    compared = ask("performance", symbol="ACME", benchmark="ACME").data["benchmark"]
    assert (compared["beta"], compared["correlation"], compared["information_ratio"]) == (1, 1, None)


RETURNS = st.lists(st.floats(-0.5, 0.5), min_size=3, max_size=40)


@given(st.lists(st.floats(0.01, 1000), min_size=1, max_size=40), st.integers(-20, 20))
def test_drawdown_does_not_depend_on_the_unit(levels: list[float], power: int) -> None:
    assert max_drawdown([level * 2.0**power for level in levels]) == max_drawdown(levels)


@given(RETURNS, st.floats(0.1, 10))
def test_sharpe_does_not_depend_on_leverage(returns: list[float], leverage: float) -> None:
    plain, geared = sharpe(returns, 252, 0), sharpe([one * leverage for one in returns], 252, 0)
    if plain is not None and geared is not None:
        assert geared == pytest.approx(plain, rel=1e-6)


@pytest.mark.parametrize("stored", [True, False])
def test_a_period_counts_from_the_last_value_before_it(ask: Ask, store: Store, *, stored: bool) -> None:
    rows = [
        ["2023-12-20", "90"],
        ["2023-12-29", "100"],
        ["2024-01-02", "104"],
        ["2024-12-31", "125"],
        ["2025-01-02", "1"],
    ]
    store("ACME", rows)
    given = {"symbol": "ACME"} if stored else {"values": rows}
    answer = ask("performance", **given, period="2024")
    assert (answer.data["first"], answer.data["last"], answer.data["total_return"]) == (
        "2023-12-29",
        "2024-12-31",
        0.25,
    )
    assert answer.json["period"] == {"words": "2024", "start": "2024-01-01", "end": "2024-12-31"}


def test_a_period_without_a_value_shortly_before_it_counts_from_its_first(ask: Ask, store: Store) -> None:
    store("ACME", [["2023-11-30", "90"], ["2024-01-02", "100"], ["2024-12-31", "125"]])
    assert ask("performance", symbol="ACME", period="2024").data["first"] == "2024-01-02"


def test_a_period_is_not_given_beside_a_start(ask: Ask) -> None:
    assert ask("performance", values=dated(LEVELS), period="2024", start="2024-01-01").code == "BAD_INPUT"
