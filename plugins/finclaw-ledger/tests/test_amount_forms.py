"""Amounts whose currency or direction is written in another place than the number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Load = Callable[..., str]
Run = Callable[..., tuple[int, str, str]]
Ask = Callable[..., Answer]
File = Callable[..., Path]


@pytest.mark.parametrize("amount", ["$5.00", "USD 5.00", "5.00 USD", "5.00 JPY", "£5.00", "-$5.00", "5.00 원"])
@pytest.mark.parametrize(
    "rows", ["Date,Payee,Amount\n2026-01-05,A,{}\n", "Date,Payee,Amount,Currency\n2026-01-05,A,{},EUR\n"]
)
def test_an_amount_in_another_currency_is_a_bad_row(run: Run, file: File, rows: str, amount: str) -> None:
    path = file(rows.format(amount), "a.csv")
    options = ("--account", "A", "--currency", "EUR", "--sign", "money-out-negative")
    status, _, err = run("import", path, *options, "--write")
    assert status == 2
    assert "is written with" in err
    assert "the currency is EUR" in err


@pytest.mark.parametrize(
    ("amount", "currency"), [("$5.00", "CAD"), ("5.00 EUR", "EUR"), ("₩5", "KRW"), ("€5.00", "EUR")]
)
def test_an_amount_in_its_own_currency_is_booked(load: Load, ask: Ask, amount: str, currency: str) -> None:
    options = ("--account", "A", "--currency", currency, "--sign", "money-out-negative")
    load(f"Date,Payee,Amount\n2026-01-05,A,{amount}\n", "a.csv", *options)
    assert ask("ledger_transactions").data["sums"][currency]["net"] in {"5", "5.00"}


def test_a_balance_in_another_currency_is_a_bad_row(run: Run, file: File) -> None:
    path = file("Date,Payee,Amount,Balance\n2026-01-05,A,5.00,$9.00\n", "a.csv")
    assert run("import", path, "--account", "A", "--currency", "EUR", "--write")[0] == 2


def net(load: Load, ask: Ask, rows: str) -> str:
    load(f"Date,Payee,Debit,Credit\n{rows}", "a.csv", "--account", "A", "--currency", "EUR")
    return str(ask("ledger_transactions").data["sums"]["EUR"]["net"])


@pytest.mark.parametrize(
    ("rows", "sum_of_all"),
    [
        ("2026-01-02,rent,10.00,\n2026-01-03,reversed,-10.00,\n", {"0", "0.00"}),
        ("2026-01-02,pay,,5.00\n2026-01-03,reversed,,-5.00\n2026-01-04,rent,1.00,\n", {"-1", "-1.00"}),
        ("2026-01-02,rent,-10.00,\n2026-01-03,shop,-2.00,\n2026-01-04,pay,,20.00\n", {"8", "8.00"}),
        ("2026-01-02,rent,10.00,\n2026-01-03,shop,2.00,\n2026-01-04,pay,,20.00\n", {"8", "8.00"}),
    ],
    ids=["debit reversed", "credit reversed", "debits with a minus", "debits without"],
)
def test_a_reversal_keeps_its_sign(load: Load, ask: Ask, rows: str, sum_of_all: set[str]) -> None:
    assert net(load, ask, rows) in sum_of_all


def test_a_dry_run_names_the_columns_with_reversals(run: Run, file: File) -> None:
    path = file("Date,Payee,Debit,Credit\n2026-01-02,rent,10.00,\n2026-01-03,reversed,-10.00,\n", "a.csv")
    _, out, _ = run("import", path, "--account", "A", "--currency", "EUR")
    assert "debit: amounts with a minus are reversals" in out


def test_money_in_with_a_minus_throughout_is_a_bad_row(run: Run, file: File) -> None:
    path = file("Date,Payee,Debit,Credit\n2026-01-02,rent,10.00,\n2026-01-03,pay,,-5.00\n", "a.csv")
    status, _, err = run("import", path, "--account", "A", "--currency", "EUR", "--write")
    assert status == 2
    assert "money in has a minus in all rows" in err


@pytest.mark.parametrize(
    ("header", "out", "in_"),
    [("Direction", "D", "C"), ("Dr/Cr", "DR", "cr"), ("Soll/Haben", "S", "H"), ("D/C", "-", "+")],
)
def test_a_column_of_directions_is_read(load: Load, ask: Ask, header: str, out: str, in_: str) -> None:
    rows = f"Date,Amount,{header},Payee\n2026-01-02,10.00,{out},rent\n2026-01-03,1.00,{in_},pay\n"
    load(rows, "a.csv", "--account", "A", "--currency", "EUR", "--profile", "generic-amount")
    assert ask("ledger_transactions").data["sums"]["EUR"]["net"] in {"-9", "-9.00"}


def test_a_direction_that_is_not_known_is_a_bad_row_beside_known_ones(run: Run, file: File) -> None:
    path = file("Date,Amount,Direction,Payee\n2026-01-02,10.00,X,rent\n2026-01-03,5.00,D,rent\n", "a.csv")
    status, _, err = run("import", path, "--account", "A", "--currency", "EUR", "--write")
    assert status == 2
    assert "direction 'X' is none of" in err
