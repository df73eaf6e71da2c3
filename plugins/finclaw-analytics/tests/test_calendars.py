"""Series whose dates differ: monthly values beside daily prices, and markets with holidays of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from answers import Answer
from days import weekdays

Ask = Callable[..., Answer]
Store = Callable[..., None]
FIRST = date(2020, 1, 1)
# Four years of weekdays, each 0.05 % higher.
DAILY = [[day.isoformat(), f"{100 * 1.0005**n:.6f}"] for n, day in enumerate(weekdays(FIRST, 1_044))]
MONTHS = [date(2020 + n // 12, n % 12 + 1, 1) for n in range(48)]
MONTHLY: list[list[Any]] = [[day.isoformat(), 100 + n + n % 5] for n, day in enumerate(MONTHS)]


def last_price(day: date) -> float:
    return next(float(price) for known, price in reversed(DAILY) if known <= day.isoformat())


@pytest.fixture
def market(store: Store) -> None:
    store("MKT", DAILY)


@pytest.mark.usefixtures("market")
def test_monthly_values_meet_a_daily_benchmark_month_by_month(ask: Ask) -> None:
    answer = ask("performance", values=MONTHLY, benchmark="MKT")
    found, total = answer.data["benchmark"], last_price(MONTHS[-1]) / last_price(MONTHS[0])
    assert (found["n_returns"], found["total_return"]) == (47, pytest.approx(total - 1))
    assert found["cagr_periods"] == pytest.approx(total ** (12 / 47) - 1, rel=1e-9)
    assert found["cagr_calendar"] == pytest.approx(total ** (365.25 / (MONTHS[-1] - MONTHS[0]).days) - 1, rel=1e-9)
    assert "MKT is denser than the values: taken on the latter's 48 dates, on 13 of them" in answer.warnings
    assert "at most 7 days earlier" in answer.convention


@pytest.mark.usefixtures("market")
def test_a_monthly_series_made_of_the_benchmark_has_beta_one(ask: Ask) -> None:
    values = [[day.isoformat(), last_price(day)] for day in MONTHS]
    found = ask("performance", values=values, benchmark="MKT").data["benchmark"]
    assert (found["beta"], found["correlation"]) == (pytest.approx(1), pytest.approx(1))
    assert found["tracking_error"] == 0


def test_a_daily_series_meets_a_monthly_benchmark_on_its_dates(ask: Ask, store: Store) -> None:
    store("IDX", [[day, str(level)] for day, level in MONTHLY])
    store("ACME", DAILY)
    found = ask("performance", symbol="ACME", benchmark="IDX", periods_per_year=252).data["benchmark"]
    assert found["n_returns"] == 47
    assert found["cagr_periods"] == pytest.approx((MONTHLY[-1][1] / 100) ** (12 / 47) - 1, rel=1e-9)


def test_a_benchmark_with_a_hole_is_not_annualised_by_periods(ask: Ask, store: Store) -> None:
    store("MKT", [row for row in DAILY if not "2021-03-10" < row[0] < "2021-09-20"])
    answer = ask("performance", values=MONTHLY[6:30], benchmark="MKT")
    found = answer.data["benchmark"]
    assert (found["cagr_periods"], found["tracking_error"], found["information_ratio"]) == (None, None, None)
    assert found["cagr_calendar"] is not None


@pytest.mark.usefixtures("market")
def test_a_benchmark_of_other_holidays_counts_the_days_in_common(ask: Ask, store: Store) -> None:
    store("ACME", [row for n, row in enumerate(DAILY) if n % 10])
    store("OTHER", [row for n, row in enumerate(DAILY) if n % 10 != 5])
    answer = ask("performance", symbol="ACME", benchmark="OTHER")
    days = [date.fromisoformat(row[0]) for n, row in enumerate(DAILY) if n % 10 not in {0, 5}]
    per_year = round((len(days) - 1) * 365.25 / (days[-1] - days[0]).days, 1)
    found = answer.data["benchmark"]
    expected = (1 + found["total_return"]) ** (per_year / found["n_returns"]) - 1
    assert found["cagr_periods"] == pytest.approx(expected, rel=1e-8)


def test_holdings_of_mixed_calendars_are_taken_on_the_sparser_dates(ask: Ask, store: Store) -> None:
    store("DAILY", DAILY)
    store("MONTHLY", [[day, str(level)] for day, level in MONTHLY])
    answer = ask("risk", holdings={"DAILY": 0.5, "MONTHLY": 0.5})
    prices = [last_price(day) for day in MONTHS]
    levels = [float(level) for _, level in MONTHLY]
    returns = [(prices[n + 1] / prices[n] + levels[n + 1] / levels[n]) / 2 - 1 for n in range(47)]
    mean = sum(returns) / 47
    spread = math.sqrt(sum((one - mean) ** 2 for one in returns) / 46)
    assert answer.data["n_returns"] == 47
    assert answer.data["volatility"] == pytest.approx(spread * math.sqrt(12), rel=1e-8)
    assert "DAILY is denser than MONTHLY" in answer.warnings


@pytest.mark.parametrize(("count", "names"), [(5, "A0, A1, A2, A3, A4"), (6, "A0, A1, A2, A3, A4 and others")])
def test_series_without_three_common_dates_are_named_up_to_five(ask: Ask, store: Store, count: int, names: str) -> None:
    for number in range(count):
        # They begin one after the other and end together, so that all have the last two dates.
        store(f"A{number}", DAILY[number * 2 : count * 2])
    answer = ask("risk", holdings={f"A{number}": str(1 / count) for number in range(count)})
    assert answer.text.startswith(f"NOT_ENOUGH_DATA: needs 3 dates common to {names}, had 2")


def test_a_value_of_a_later_day_is_never_taken(ask: Ask, store: Store) -> None:
    weekly = [FIRST + timedelta(days=7 * n) for n in range(20)]
    store("WEEKLY", [[day.isoformat(), str(100 + n * n)] for n, day in enumerate(weekly)])
    # The day before each weekly date has one price, the days after it another.
    rows = [[day.isoformat(), "100" if day.weekday() == 1 else "110"] for day in weekdays(FIRST - timedelta(1), 96)]
    rows = [row for row in rows if date.fromisoformat(row[0]) not in weekly]
    store("DAILY", rows)
    assert ask("performance", symbol="WEEKLY", benchmark="DAILY").data["benchmark"]["total_return"] == 0


@pytest.mark.parametrize(("age", "n_returns", "is_left_out"), [(6, 19, False), (7, 18, True)])
def test_a_value_as_old_as_a_whole_period_of_the_sparser_series_is_not_taken(
    ask: Ask, store: Store, age: int, n_returns: int, *, is_left_out: bool
) -> None:
    weekly = [FIRST + timedelta(days=7 * n) for n in range(20)]
    store("WEEKLY", [[day.isoformat(), str(100 + n * n)] for n, day in enumerate(weekly)])
    hole = {(weekly[10] - timedelta(days=back)).isoformat() for back in range(age)}
    store("DAILY", [row for row in DAILY[:120] if row[0] not in hole])
    answer = ask("performance", symbol="WEEKLY", benchmark="DAILY")
    assert answer.data["benchmark"]["n_returns"] == n_returns
    left_out = "1 of 20 dates of WEEKLY were left out: not common to all"
    assert (left_out in answer.warnings) is is_left_out
