"""Sums in SQLite: exact for amounts of any number of digits; conditions on sizes and texts as on the numbers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st

Load = Callable[..., str]
Ask = Callable[..., Answer]
Run = Callable[..., tuple[int, str, str]]
AMOUNTS = st.decimals(min_value=Decimal("-1e14"), max_value=Decimal("1e14"), allow_nan=False).map(
    lambda number: number.quantize(Decimal(1).scaleb(-(abs(hash(number)) % 9)))
)


@given(amounts=st.lists(AMOUNTS.filter(bool), min_size=1, max_size=8), least=AMOUNTS.map(abs))
def test_sums_and_sizes_are_those_of_the_exact_numbers(
    tmp_path_factory: pytest.TempPathFactory, load: Load, ask: Ask, amounts: list[Decimal], least: Decimal
) -> None:
    home = tmp_path_factory.mktemp("books")
    rows = "".join(f"2026-01-05,P{number},{amount:f}\n" for number, amount in enumerate(amounts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FINCLAW_HOME", str(home))
        options = ("--account", "A", "--currency", "XXX", "--decimal", ".", "--sign", "money-out-negative")
        load("Date,Payee,Amount\n" + rows, "a.csv", *options)
        sums = ask("ledger_transactions", {"home": home}).data["sums"]["XXX"]
        sized = ask("ledger_transactions", {"home": home}, min_amount=f"{least:f}").data["count"]
    assert Decimal(sums["in"]) == sum((one for one in amounts if one > 0), Decimal(0))
    assert Decimal(sums["out"]) == sum((one for one in amounts if one < 0), Decimal(0))
    assert sized == sum(abs(one) >= least for one in amounts)


def test_the_largest_of_sums_with_many_digits_is_named(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,Shop,-0.10\n2026-01-06,Shop,-123456789012345.891\n2026-01-07,Shop,-7\n"
    load("Date,Payee,Amount\n" + rows, "a.csv", "--account", "A", "--currency", "USD")
    group = ask("spending", by="payee").data["spending"]["USD"]["groups"][0]
    assert group == {"payee": "Shop", "amount": "123456789012352.991", "n": 3, "largest_at": ["a.csv:3"]}


@pytest.mark.parametrize(
    ("text", "found"),
    [("café", 1), ("CAFÉ", 1), ("100%", 1), ("a_b", 1), ("straSSe", 1), ("커피", 1), ("", 6), ("0130 00", 0)],
)
def test_texts_are_found_as_they_are_shown_whatever_their_case(load: Load, ask: Ask, text: str, found: int) -> None:
    payees = ["CAFÉ", "100% Bio", "a_b", "axb 100x", "Straße", "커피 DE89 3704 0044 0532 0130 00"]
    rows = "".join(f"2026-01-05,{payee},-1.00\n" for payee in payees)
    load("Date,Payee,Amount\n" + rows, "a.csv", "--account", "A", "--currency", "EUR")
    assert ask("ledger_transactions", payee=text).data["count"] == found


def test_questions_are_answered_without_keeping_the_bookings_in_memory(load: Load, ask: Ask, home: Path) -> None:
    import tracemalloc

    rows = "".join(f"2026-01-{1 + number % 28:02},Shop {number % 50},-{number}.25\n" for number in range(20_000))
    load("Date,Payee,Amount\n" + rows, "a.csv", "--account", "A", "--currency", "EUR")
    tracemalloc.start()
    try:
        assert ask("spending", by="payee").data["spending"]["EUR"]["total"] == "199995000.00"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # a tenth of what 20,000 bookings take as objects
