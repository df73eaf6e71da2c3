from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, cast

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st

from finclaw_analytics.loan import loan

Ask = Callable[..., Answer]
HOUSE: dict[str, Any] = {"principal": "200000", "annual_rate": "0.045"}


def test_the_last_payment_makes_the_balance_zero(ask: Ask) -> None:
    data = ask("loan", **HOUSE, payments=360, from_payment=360).data
    assert data["rows"][0][0] == 360
    assert data["rows"][0][5] == "0"
    assert data["last_payment"] == data["rows"][0][2]
    assert (data["payment"], data["payments"]) == ("1013.37", 360)


def test_the_first_line_is_interest_on_the_whole(ask: Ask) -> None:
    answer = ask("loan", **HOUSE, payments=360, limit=1, first_payment="2024-01-31")
    assert answer.data["rows"] == [[1, "2024-01-31", "1013.37", "750", "263.37", "199736.63"]]
    assert answer.json["truncated"] is True


def test_due_dates_keep_the_day_where_the_month_has_it(ask: Ask) -> None:
    rows = ask("loan", **HOUSE, payments=360, limit=3, first_payment="2024-01-31").data["rows"]
    assert [row[1] for row in rows] == ["2024-01-31", "2024-02-29", "2024-03-31"]
    fortnights = ask("loan", **HOUSE, payments=99, payments_per_year=26, limit=2, first_payment="2024-01-31").data[
        "rows"
    ]
    assert fortnights[1][1] == "2024-02-14"


def test_extra_payments_save_interest_and_time(ask: Ask) -> None:
    plain = ask("loan", **HOUSE, payments=360).data
    faster = ask("loan", **HOUSE, payments=360, extra="100").data
    assert faster["saved_by_extra"]["payments"] == 360 - faster["payments"] == 60
    saved = Decimal(plain["total_interest"]) - Decimal(faster["total_interest"])
    assert faster["saved_by_extra"]["interest"] == str(saved)


def test_a_given_payment_tells_how_long_it_takes(ask: Ask) -> None:
    assert ask("loan", principal="1000", annual_rate=0, payment="300").data["payments"] == 4


@pytest.mark.parametrize(
    ("principal", "payments", "last", "warning"),
    [
        ("7", 5, "3", "the last payment, 3, is more than twice the others"),
        ("5", 4, "2", ""),
        ("1000", 3, "334", ""),
    ],
)
def test_a_last_payment_of_more_than_twice_the_others_is_named_in_a_warning(
    principal: str, payments: int, last: str, warning: str, ask: Ask
) -> None:
    answer = ask("loan", principal=principal, annual_rate=0, payments=payments, decimals=0)
    assert (answer.data["last_payment"], answer.warnings) == (last, warning)


def test_a_currency_without_cents(ask: Ask) -> None:
    assert ask("loan", principal="10000000", annual_rate="0.03", payments=12, decimals=0).data["payment"] == "846937"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"payments": 12, "payment": "100"},
        {"payments": 0},
        {"payments": 10**9},
        {"payment": "750"},
        {"payment": "0.001"},
        {"payments": 12, "principal": "-5"},
        {"payments": 12, "principal": "0.001"},
        {"payments": 12, "principal": "1e400"},
        {"payments": 12, "annual_rate": "-0.01"},
        {"payments": 12, "annual_rate": "1000"},
        {"payments": 12, "extra": "-1"},
        {"payments": 12, "limit": 10**6},
        {"payments": 12, "first_payment": "9999-12-31"},
    ],
    ids=str,
)
def test_terms_that_mean_nothing_are_refused(changes: dict[str, Any], ask: Ask) -> None:
    answer = ask("loan", **(HOUSE | changes))
    assert answer.failed
    assert "BAD_INPUT" in answer.text or "out of range" in answer.text


CENTS = st.integers(100, 10**9).map(lambda cents: Decimal(cents) / 100)


@given(CENTS, st.decimals(0, Decimal("0.3"), places=4), st.integers(1, 120))
def test_what_is_repaid_is_what_was_lent(principal: Decimal, rate: Decimal, payments: int) -> None:
    data = cast("dict[str, Any]", loan(principal, rate, payments=payments, limit=600).data)
    assert sum(Decimal(row[4]) for row in data["rows"]) == principal
    assert Decimal(data["total_paid"]) == principal + Decimal(data["total_interest"])
    assert data["rows"][-1][5] == "0"


def test_a_schedule_of_centuries_stays_within_the_calendar(ask: Ask) -> None:
    terms = {"payments": 2400, "payments_per_year": 1, "first_payment": "7000-01-01", "from_payment": 2400}
    assert ask("loan", principal="1000000", annual_rate=0, **terms).data["rows"][0][1] == "9399-01-01"
