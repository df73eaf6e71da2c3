"""Which way money went in files with one column of amounts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]
GIVEN = ("--account", "A", "--currency", "EUR")
PURCHASES = "Date,Payee,Amount\n2026-01-05,Shop,5.00\n2026-01-06,Market,7.50\n"


def net(ask: Ask) -> float:
    return float(ask("ledger_transactions").data["sums"]["EUR"]["net"])


def test_amounts_without_any_sign_are_refused_with_the_option_that_states_it(run: Run, file: File) -> None:
    code, out, err = run("import", file(PURCHASES), *GIVEN, "--write")
    assert (code, out) == (2, "")
    assert (
        "no amount is negative, and nothing else shows which way the money went; say --sign money-out-positive" in err
    )


@pytest.mark.parametrize(("sign", "expected"), [("money-out-positive", -12.5), ("money-out-negative", 12.5)])
def test_the_option_states_the_sign(load: Load, ask: Ask, sign: str, expected: float) -> None:
    load(PURCHASES, "a.csv", *GIVEN, "--sign", sign)
    assert net(ask) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("2026-01-05,Shop,5.00,95.00\n2026-01-06,Market,7.50,87.50\n", -12.5),
        ("2026-01-06,Market,7.50,87.50\n2026-01-05,Shop,5.00,95.00\n", -12.5),
        ("2026-01-05,Pay,5.00,105.00\n2026-01-06,Gift,7.50,112.50\n", 12.5),
    ],
    ids=["money out", "money out, newest first", "money in"],
)
def test_running_balances_prove_the_sign(load: Load, ask: Ask, rows: str, expected: float) -> None:
    load("Date,Payee,Amount,Balance\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == expected


@pytest.mark.parametrize("words", [("debit", "credit"), ("Af", "Bij"), ("outflow", "inflow"), ("출금", "입금")])
def test_words_of_a_column_give_the_sign(load: Load, ask: Ask, words: tuple[str, str]) -> None:
    rows = f"2026-01-05,Shop,5.00,{words[0]}\n2026-01-06,Pay,7.50,{words[1]}\n"
    load("Date,Payee,Amount,Transaction Type\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == 2.5


def test_words_count_where_a_card_writes_purchases_as_positive(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,Shop,5.00,DEBIT\n2026-01-06,Paid,-7.50,CREDIT\n"
    load("Date,Payee,Amount,Type\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == 2.5


def test_signs_that_the_words_confirm_count_for_rows_of_other_words_too(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,Shop,-5.00,DEBIT\n2026-01-06,Pay,7.50,CREDIT\n2026-01-07,Cheque,-1.00,CHECK\n"
    load("Date,Payee,Amount,Type\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == 1.5


def test_a_column_of_types_that_is_no_direction_is_not_one(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,Shop,-5.00,SALE\n2026-01-06,Pay,7.50,ACH\n"
    load("Date,Payee,Amount,Type\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == 2.5


def test_some_amounts_with_a_plus_and_others_without_a_sign_are_refused(run: Run, file: File) -> None:
    code, _, err = run("import", file(PURCHASES + "2026-01-07,Paid,+12.50\n"), *GIVEN)
    assert (code, "1 amounts have a plus and 2 have no sign: which are money out?" in err) == (2, True)


def test_more_money_in_than_out_is_pointed_out(run: Run, file: File) -> None:
    code, _, err = run("import", file(PURCHASES + "2026-01-07,Paid,-12.50\n"), *GIVEN)
    assert (code, "money in in 2 of 3 rows: if these are purchases of a card, say --sign" in err) == (0, True)
