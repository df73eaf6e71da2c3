from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import reduce
from operator import getitem

import pytest
from answers import Answer

from finclaw_ledger.actions import missing_splits
from finclaw_ledger.books import Booking

ROWS = """Date,Payee,Amount
2025-12-31,Before,-1.00
2026-01-01,First,-2.00
2026-01-31,Last,-4.00
2026-02-01,After,-8.00
"""


def lot(day: str, units: int) -> Booking:
    """Units that go into a depot or out of it, as double-entry books have them."""
    return Booking(
        day=date.fromisoformat(day),
        account="Depot",
        amount=Decimal(units),
        currency="ACME",
        payee="",
        memo="",
        category=None,
        kind="",
        file=0,
        line=1,
        lot=(Decimal(7), "USD"),
    )


def test_spending_is_that_of_the_period_with_both_its_ends(
    load: Callable[..., str], ask: Callable[..., Answer]
) -> None:
    load(ROWS, "a.csv", "--account", "A", "--currency", "EUR")
    assert ask("spending", start="2026-01-01", end="2026-01-31").data["spending"]["EUR"]["total"] == "6.00"


def test_an_account_that_held_a_symbol_across_a_split_without_a_row_of_it_misses_the_split() -> None:
    split = date(2025, 6, 1)
    assert missing_splits([lot("2025-01-10", 10)], {"ACME": [split]}) == {"ACME": split}


def test_an_account_that_had_sold_all_before_a_split_misses_nothing() -> None:
    trades = [lot("2025-01-10", 10), lot("2025-02-10", 5), lot("2025-03-10", -15)]
    assert missing_splits(trades, {"ACME": [date(2025, 6, 1)]}) == {}


def test_an_end_after_the_last_day_that_may_be_seen_is_named_in_a_warning(
    load: Callable[..., str], ask: Callable[..., Answer]
) -> None:
    load(ROWS, "a.csv", "--account", "A", "--currency", "EUR")
    run = {"as_of": date(2026, 1, 31)}
    answer = ask("spending", run, start="2026-01-01", end="2026-02-01")
    assert answer.data["period"] == ["2026-01-01", "2026-01-31"]
    assert "nothing after 2026-01-31 is known; the end is 2026-01-31" in answer.warnings
    assert "nothing after" not in ask("spending", run, start="2026-01-01", end="2026-01-31").warnings


@pytest.mark.parametrize(
    ("second", "start", "end", "is_noted"),
    [
        ("2026-03-04", "2026-01-01", "2026-03-31", True),
        ("2026-03-03", "2026-01-01", "2026-03-31", False),
        ("2026-03-04", "2026-03-03", "2026-03-31", True),
        ("2026-03-04", "2026-03-04", "2026-03-31", False),
        ("2026-03-04", "2026-01-01", "2026-02-01", True),
        ("2026-03-04", "2026-01-01", "2026-01-31", False),
    ],
)
def test_days_between_files_are_noted_where_they_are_more_than_31_and_within_the_period(
    load: Callable[..., str], ask: Callable[..., Answer], second: str, start: str, end: str, *, is_noted: bool
) -> None:
    load("Date,Payee,Amount\n2026-01-01,A,-1\n2026-01-31,B,-2\n", "a.csv", "--account", "A", "--currency", "EUR")
    load(f"Date,Payee,Amount\n{second},C,-4\n2026-03-31,D,-8\n", "b.csv", "--account", "A", "--currency", "EUR")
    note = f"no file of A covers the days between 2026-01-31 and {second}"
    assert (note in ask("spending", start=start, end=end).warnings) is is_noted


def test_an_account_that_is_covered_in_part_only_is_noted_with_its_first_and_last_day(
    load: Callable[..., str], ask: Callable[..., Answer]
) -> None:
    load(ROWS, "a.csv", "--account", "A", "--currency", "EUR")
    load("Date,Payee,Amount\n2026-01-10,X,-1\n2026-01-20,Y,-2\n", "b.csv", "--account", "B", "--currency", "EUR")
    load("Date,Payee,Amount\n2026-03-01,X,-1\n2026-03-02,Y,-2\n", "c.csv", "--account", "C", "--currency", "EUR")
    assert ask("spending", start="2026-01-01", end="2026-01-31").warnings.split(" | ")[:-1] == [
        "B is covered from 2026-01-10 only",
        "B is covered to 2026-01-20 only",
        "C is not covered at all: 2026-03-01 to 2026-03-02 only",
    ]
    assert ask("spending", start="2026-01-10", end="2026-01-20").warnings.split(" | ")[:-1] == [
        "C is not covered at all: 2026-03-01 to 2026-03-02 only",
    ]


@pytest.mark.parametrize(
    ("tool", "path", "expected"),
    [
        ("spending", ("spending", "EUR", "total"), "6.00"),
        ("income_statement", ("net", "EUR"), "-6.00"),
        ("ledger_transactions", ("sums", "EUR", "net"), "-6.00"),
    ],
)
def test_a_period_in_words_is_read_as_days_that_the_answer_names(
    tool: str, path: tuple[str, ...], expected: str, load: Callable[..., str], ask: Callable[..., Answer]
) -> None:
    load(ROWS, "a.csv", "--account", "A", "--currency", "EUR")
    answer = ask(tool, {"as_of": date(2026, 2, 3)}, period="last month")
    assert reduce(getitem, path, answer.data) == expected
    assert answer.json["period"] == {"words": "last month", "start": "2026-01-01", "end": "2026-01-31"}


def test_a_period_that_goes_on_is_no_reason_for_a_warning(load: Callable[..., str], ask: Callable[..., Answer]) -> None:
    load(ROWS, "a.csv", "--account", "A", "--currency", "EUR")
    assert "nothing after" not in ask("spending", {"as_of": date(2026, 2, 1)}, period="this month").warnings
