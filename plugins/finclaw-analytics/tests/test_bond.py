from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal, cast

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st

from finclaw_analytics.bond import bond
from finclaw_analytics.daycount import DayCount, days_30_360, year_fraction

Ask = Callable[..., Answer]
NOTE: dict[str, Any] = {"settlement": "2024-03-15", "maturity": "2030-05-15", "coupon_rate": 0.04}


def test_on_a_coupon_date_a_bond_yielding_its_coupon_costs_par(ask: Ask) -> None:
    answer = ask("bond", **(NOTE | {"settlement": "2024-05-15"}), yield_rate=0.04)
    assert (answer.data["clean"], answer.data["accrued"], answer.data["coupons_left"]) == ("100", "0", 12)


def test_clean_is_dirty_without_accrued(ask: Ask) -> None:
    data = ask("bond", **NOTE, yield_rate=0.045).data
    assert float(data["dirty"]) == pytest.approx(float(data["clean"]) + float(data["accrued"]), rel=1e-11)
    assert float(data["accrued"]) == pytest.approx(2 * 121 / 182, rel=1e-11)
    assert (data["previous_coupon"], data["next_coupon"]) == ("2023-11-15", "2024-05-15")


@pytest.mark.parametrize(
    ("day_count", "accrued"),
    [("act/act", 2 * 121 / 182), ("30/360", 4 / 3), ("act/365f", 4 * 121 / 365), ("act/360", 4 * 121 / 360)],
)
def test_accrued_interest_follows_the_day_count_and_names_it(day_count: str, accrued: float, ask: Ask) -> None:
    answer = ask("bond", **NOTE, yield_rate=0.04, day_count=day_count)
    assert float(answer.data["accrued"]) == pytest.approx(accrued, rel=1e-11)
    assert "accrued = " in answer.convention


def test_month_ends_stay_month_ends(ask: Ask) -> None:
    data = ask("bond", settlement="2024-03-15", maturity="2030-08-31", coupon_rate=0.04, yield_rate=0.04).data
    assert (data["previous_coupon"], data["next_coupon"]) == ("2024-02-29", "2024-08-31")


def test_a_zero_coupon_bond_lasts_as_long_as_its_maturity(ask: Ask) -> None:
    data = ask("bond", settlement="2024-05-15", maturity="2034-05-15", coupon_rate=0, yield_rate=0.05, frequency=1).data
    assert data["macaulay_duration"] == 10
    assert float(data["clean"]) == pytest.approx(100 / 1.05**10, rel=1e-11)


def test_a_dirty_price_includes_accrued_interest(ask: Ask) -> None:
    by_yield = ask("bond", **NOTE, yield_rate=0.045).data
    by_price = ask("bond", **NOTE, price=by_yield["dirty"], price_is="dirty").data
    assert by_price["yield"] == pytest.approx(0.045, rel=1e-10)


def test_a_price_above_all_payments_yields_less_than_nothing(ask: Ask) -> None:
    answer = ask("bond", **NOTE, price="140")
    assert answer.data["yield"] < 0
    assert "negative" in answer.warnings


@pytest.mark.parametrize(
    "changes",
    [
        {"yield_rate": 0.04, "price": 100},
        {},
        {"yield_rate": 0.04, "maturity": "2024-03-15"},
        {"yield_rate": 0.04, "maturity": "2999-03-15"},
        {"yield_rate": 0.04, "coupon_rate": -1},
        {"yield_rate": -5},
        {"yield_rate": 1e9},
        {"price": 0},
        {"price": "1e30"},
        {"yield_rate": 0.04, "settlement": "0001-01-01", "maturity": "0001-01-02"},
    ],
    ids=str,
)
def test_terms_that_mean_nothing_are_refused(changes: dict[str, Any], ask: Ask) -> None:
    assert ask("bond", **(NOTE | changes)).code == "BAD_INPUT"


DAYS = st.dates(date(1990, 1, 1), date(2040, 12, 31))
FREQUENCY = st.sampled_from([1, 2, 4, 12])
COUNTS = st.sampled_from(["act/act", "30/360", "act/365f", "act/360"])


@given(DAYS, st.integers(1, 15_000), st.floats(0, 0.15), st.floats(-0.02, 0.3), st.tuples(FREQUENCY, COUNTS))
def test_the_price_of_a_yield_yields_it_again(
    settlement: date, days: int, coupon: float, rate: float, named: tuple[Literal[1, 2, 4, 12], DayCount]
) -> None:
    frequency, count = named
    terms: dict[str, Any] = {"frequency": frequency, "day_count": count}
    maturity = settlement + timedelta(days=days)
    priced = cast("dict[str, str]", bond(settlement, maturity, coupon, yield_rate=rate, **terms).data)
    found = bond(settlement, maturity, coupon, price=Decimal(priced["dirty"]), price_is="dirty", **terms)
    # Near maturity a yield hangs on the last digits of the price.
    assert cast("dict[str, float]", found.data)["yield"] == pytest.approx(rate, abs=1e-9 * max(1, 365 / days) * 100)


@given(DAYS, st.integers(0, 4000), st.integers(0, 4000), st.sampled_from(["act/act", "act/365f", "act/360"]))
def test_fractions_of_a_year_add_up(start: date, first: int, second: int, count: DayCount) -> None:
    middle, end = start + timedelta(days=first), start + timedelta(days=first + second)
    parts = year_fraction(start, middle, count) + year_fraction(middle, end, count)
    assert parts == pytest.approx(year_fraction(start, end, count), abs=1e-12)


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2024-01-31", "2024-02-29", 29),
        ("2024-02-29", "2024-03-31", 30),
        ("2023-02-28", "2024-02-29", 360),
        ("2024-01-30", "2024-03-31", 60),
        ("2024-01-15", "2024-03-31", 76),
    ],
)
def test_months_of_thirty_days_by_the_us_rule(start: str, end: str, days: int) -> None:
    assert days_30_360(date.fromisoformat(start), date.fromisoformat(end)) == days
