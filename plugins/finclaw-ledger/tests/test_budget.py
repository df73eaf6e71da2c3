from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from answers import Answer

Ask = Callable[..., Answer]
Load = Callable[..., str]
HERE = {"as_of": date(2026, 2, 14)}
ROWS = """Date,Payee,Amount,Currency,Category
2026-01-10,Market,-300.00,EUR,Groceries
2026-01-20,Insurer,-100.00,EUR,Insurance
2026-02-01,Market,-120.00,EUR,Groceries
2026-02-03,Market,20.00,EUR,groceries
2026-02-05,Cinema,-30.50,EUR,Leisure
2026-02-06,Market,-9.00,USD,Groceries
2026-02-07,Employer,2000.00,EUR,Salary
2026-02-08,Kiosk,-4.00,EUR,
2026-02-14,Insurer,-50.00,EUR,Insurance
2026-02-20,Market,-500.00,EUR,Groceries
"""
BUDGET = {"Groceries": "400", "Leisure": 30, "Insurance": "1200 per year"}


@pytest.fixture
def books(load: Load) -> None:
    load(ROWS, "a.csv", "--account", "A")


def rows(answer: Answer) -> dict[str, dict[str, Any]]:
    return {row["category"]: row for row in answer.data["budget"]}


@pytest.mark.usefixtures("books")
def test_money_back_is_taken_off_its_category_and_later_bookings_are_left_out(ask: Ask) -> None:
    row = rows(ask("budget", HERE, amounts=BUDGET, currency="EUR"))["Groceries"]
    assert (row["period"], row["budget"], row["spent"], row["left"]) == ("2026-02", "400", "100.00", "300.00")
    assert (row["used"], row["passed"], row["over"]) == (0.25, 0.5, False)


@pytest.mark.usefixtures("books")
def test_an_amount_per_year_is_held_against_the_year(ask: Ask) -> None:
    row = rows(ask("budget", HERE, amounts=BUDGET, currency="EUR"))["Insurance"]
    assert (row["period"], row["spent"], row["passed"]) == ("2026", "150.00", round(45 / 365, 4))


@pytest.mark.usefixtures("books")
def test_an_amount_per_quarter_is_held_against_the_quarter(ask: Ask) -> None:
    row = rows(ask("budget", HERE, amounts={"Groceries": "900 per quarter"}, currency="EUR"))["Groceries"]
    assert (row["period"], row["spent"]) == ("2026-Q1", "400.00")


@pytest.mark.usefixtures("books")
def test_nothing_spent_is_no_negative_part(ask: Ask) -> None:
    row = rows(ask("budget", HERE, amounts={"Travel": "100"}, currency="EUR"))["Travel"]
    assert (row["spent"], str(row["used"])) == ("0", "0.0")


@pytest.mark.parametrize("other", ["groceries", "Expenses:Groceries", " Groceries "])
def test_two_amounts_of_one_category_are_refused(other: str, ask: Ask) -> None:
    answer = ask("budget", HERE, amounts={"Groceries": "400", other: "10"}, currency="EUR")
    assert answer.code == "BAD_INPUT"
    assert "are the same category" in answer.text


@pytest.mark.usefixtures("books")
def test_what_is_over_its_budget_is_named(ask: Ask) -> None:
    answer = ask("budget", HERE, amounts=BUDGET, currency="EUR")
    assert rows(answer)["Leisure"]["left"] == "-0.50"
    assert "Leisure is over its budget of 2026-02 by 0.50 EUR" in answer.warnings


@pytest.mark.usefixtures("books")
def test_another_currency_stays_apart_and_is_named(ask: Ask) -> None:
    answer = ask("budget", HERE, amounts=BUDGET, currency="EUR")
    assert "Groceries: 9.00 USD more was spent, which is not converted" in answer.warnings


@pytest.mark.usefixtures("books")
def test_spending_without_a_budget_is_summed_and_earnings_are_not(ask: Ask) -> None:
    answer = ask("budget", HERE, amounts={"Groceries": "400"}, currency="EUR")
    assert answer.data["unbudgeted"] == {"period": "2026-02", "EUR": "84.50", "USD": "9.00"}
    assert "1 bookings have no category" in answer.warnings


@pytest.mark.usefixtures("books")
def test_a_period_is_looked_at_on_its_last_day(ask: Ask) -> None:
    row = rows(ask("budget", HERE, amounts=BUDGET, currency="EUR", period="last month"))["Groceries"]
    assert (row["period"], row["spent"], row["passed"]) == ("2026-01", "300.00", 1)


@pytest.mark.usefixtures("books")
def test_the_budget_of_the_settings_is_by_currency(ask: Ask) -> None:
    run = {**HERE, "settings": {"budget": {"EUR": {"groceries": "400"}, "USD": {"Groceries": 5}}}}
    found = [(row["currency"], row["spent"], row["over"]) for row in ask("budget", run).data["budget"]]
    assert found == [("EUR", "100.00", False), ("USD", "9.00", True)]
    assert [row["currency"] for row in ask("budget", run, currency="USD").data["budget"]] == ["USD"]


def test_transfers_are_left_out(load: Load, ask: Ask) -> None:
    load(
        "Date,Payee,Amount,Category\n2026-02-01,to Savings,-50.00,Groceries\n",
        "a.csv",
        "--account",
        "Giro",
        "--currency",
        "EUR",
    )
    load(
        "Date,Payee,Amount,Category\n2026-02-01,from Giro,50.00,\n2026-02-02,Fee,-1.00,\n",
        "b.csv",
        "--account",
        "Savings",
        "--currency",
        "EUR",
    )
    row = rows(ask("budget", HERE, amounts={"Groceries": "10"}, currency="EUR"))["Groceries"]
    assert row["spent"] == "0"


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    "given",
    [
        {"amounts": {"Groceries": "much"}, "currency": "EUR"},
        {"amounts": {"Groceries": "-1"}, "currency": "EUR"},
        {"amounts": {" ": "1"}, "currency": "EUR"},
        {"amounts": {"Groceries": "1 per week"}, "currency": "EUR"},
        {"amounts": {"Groceries": "1"}},
        {"amounts": {"Groceries": "1"}, "currency": "Euro"},
    ],
)
def test_an_amount_that_cannot_be_read_is_refused(given: dict[str, Any], ask: Ask) -> None:
    assert ask("budget", HERE, **given).code == "BAD_INPUT"


@pytest.mark.usefixtures("books")
def test_without_a_budget_the_error_has_both_ways_to_give_one(ask: Ask) -> None:
    answer = ask("budget", HERE)
    assert answer.code == "NOT_CONFIGURED"
    assert "[plugin.finclaw-ledger.budget.EUR]" in answer.text
