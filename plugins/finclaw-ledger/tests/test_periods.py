from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

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
