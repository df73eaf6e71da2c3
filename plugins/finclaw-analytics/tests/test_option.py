from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from answers import Answer
from haug import GREEKS, VALUES
from hypothesis import assume, given
from hypothesis import strategies as st

from finclaw_analytics.blackscholes import Kind
from finclaw_analytics.option import option_value

Ask = Callable[..., Answer]
BASE: dict[str, Any] = {"kind": "call", "spot": 100, "strike": 100, "years": 1, "rate": 0.05}


def test_the_table_of_the_book_has_all_its_rows() -> None:
    assert len(VALUES) == 43


@pytest.mark.parametrize("row", VALUES, ids=str)
def test_the_book_s_value_is_met(row: tuple[Any, ...], ask: Ask) -> None:
    kind, strike, spot, dividends, rate, years, vol, value = row
    terms = {"kind": kind, "strike": strike, "spot": spot, "rate": rate, "years": years, "vol": vol}
    answer = ask("option_value", **terms, dividend_yield=dividends)
    assert float(answer.data["price"]) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("row", GREEKS, ids=str)
def test_the_book_s_greek_is_met_in_the_units_that_are_named(row: tuple[Any, ...], ask: Ask) -> None:
    greek, parts, kind, strike, spot, dividends, rate, years, vol, value = row
    terms = {"kind": kind, "strike": strike, "spot": spot, "rate": rate, "years": years, "vol": vol}
    answer = ask("option_value", **terms, dividend_yield=dividends)
    assert answer.data[greek] * parts == pytest.approx(value, abs=1e-4)


def test_hull_s_example_with_all_units(ask: Ask) -> None:
    answer = ask("option_value", kind="call", spot=49, strike=50, rate=0.05, years=0.3846, vol=0.2)
    assert float(answer.data["price"]) == pytest.approx(2.4005, abs=1e-4)
    assert answer.data["theta"] * 365 == pytest.approx(-4.31, abs=0.01)
    assert answer.data["vega"] * 100 == pytest.approx(12.1, abs=0.01)
    assert answer.data["rho"] * 100 == pytest.approx(8.91, abs=0.01)
    assert answer.json["units"]["theta"] == "price per calendar day"
    assert "European exercise only" in answer.convention


def test_days_are_years_of_365(ask: Ask) -> None:
    terms = {key: value for key, value in BASE.items() if key != "years"}
    by_days = ask("option_value", **terms, vol=0.2, expiry_days=73)
    assert by_days.data == ask("option_value", **terms, vol=0.2, years=0.2).data


def test_an_expired_option_pays_its_intrinsic_value(ask: Ask) -> None:
    answer = ask("option_value", **(BASE | {"years": 0, "spot": 110}), vol=0.2)
    assert (answer.data["price"], answer.data["delta"]) == ("10", 1.0)
    assert "the value is certain" in answer.warnings


def test_greeks_are_null_at_the_kink(ask: Ask) -> None:
    answer = ask("option_value", **(BASE | {"years": 0}), vol=0.2)
    assert answer.data["delta"] is None
    assert "undefined and null" in answer.warnings


def test_without_volatility_the_forward_pays_discounted(ask: Ask) -> None:
    answer = ask("option_value", **BASE, vol=0)
    assert float(answer.data["price"]) == pytest.approx(100 - 100 * math.exp(-0.05), rel=1e-11)


def test_far_out_of_the_money_is_small_but_not_lost(ask: Ask) -> None:
    answer = ask("option_value", **(BASE | {"strike": 1000, "years": 0.1}), vol=0.3)
    assert 0 < float(answer.data["price"]) < 1e-100
    assert 0 < answer.data["delta"] < 1e-100


@pytest.mark.parametrize("price", [4.8, 100, 120, 0, -1])
def test_a_price_outside_the_bounds_has_no_implied_volatility(price: float, ask: Ask) -> None:
    answer = ask("option_value", **BASE, price=price)
    assert answer.code == "BAD_INPUT"
    assert "4.87705755 (discounted intrinsic value)" in answer.text


@pytest.mark.parametrize(
    "changes",
    [
        {"vol": 0.2, "price": 5},
        {},
        {"vol": -0.1},
        {"vol": 0.2, "spot": 0},
        {"vol": 0.2, "spot": 1e300},
        {"vol": 0.2, "strike": -5},
        {"vol": 0.2, "years": -1},
        {"vol": 0.2, "rate": 10, "years": 100},
        {"vol": 0.2, "expiry_days": 30},
        {"price": 5, "years": 0},
    ],
    ids=str,
)
def test_terms_that_mean_nothing_are_refused(changes: dict[str, float], ask: Ask) -> None:
    assert ask("option_value", **(BASE | changes)).code == "BAD_INPUT"


@dataclass(frozen=True)
class Terms:
    spot: float
    strike: float
    rate: float
    dividends: float
    years: float
    vol: float

    def price(self, kind: Kind, **changes: float) -> float:
        now = replace(self, **changes)
        found = option_value(
            kind, now.spot, now.strike, now.rate, years=now.years, vol=now.vol, dividend_yield=now.dividends
        )
        return float(cast("dict[str, str]", found.data)["price"])


LEVELS = st.floats(1, 1000)
RATES = st.floats(-0.05, 0.2)
TERMS = st.builds(Terms, LEVELS, LEVELS, RATES, RATES, st.floats(0, 10), st.floats(0, 2))
NEAR = st.builds(Terms, st.just(100), st.floats(60, 160), RATES, RATES, st.floats(0.05, 5), st.floats(0.05, 1.5))


@given(TERMS)
def test_put_and_call_are_in_parity(terms: Terms) -> None:
    spot = terms.spot * math.exp(-terms.dividends * terms.years)
    strike = terms.strike * math.exp(-terms.rate * terms.years)
    assert terms.price("call") - terms.price("put") == pytest.approx(spot - strike, abs=1e-9 * (spot + strike))


@given(NEAR, st.sampled_from(["call", "put"]))
def test_the_implied_volatility_gives_the_price_back(terms: Terms, kind: Kind) -> None:
    price = terms.price(kind)
    assume(price - terms.price(kind, vol=0) > 1e-4)
    known = {"years": terms.years, "dividend_yield": terms.dividends}
    found = option_value(kind, terms.spot, terms.strike, terms.rate, price=price, **known)
    implied = cast("dict[str, float]", found.data)["vol"]
    assert terms.price(kind, vol=implied) == pytest.approx(price, rel=1e-8)


@given(NEAR, st.sampled_from(["call", "put"]))
def test_delta_is_the_slope_of_the_price(terms: Terms, kind: Kind) -> None:
    step = 1e-3
    slope = (terms.price(kind, spot=terms.spot + step) - terms.price(kind, spot=terms.spot - step)) / (2 * step)
    found = option_value(
        kind, terms.spot, terms.strike, terms.rate, years=terms.years, vol=terms.vol, dividend_yield=terms.dividends
    )
    assert cast("dict[str, float]", found.data)["delta"] == pytest.approx(slope, abs=1e-5)
