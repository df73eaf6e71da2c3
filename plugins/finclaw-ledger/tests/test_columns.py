"""Files without a header, rows that are no bookings, fees, and names of columns with a currency."""

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
BARE = '05.01.2026;"Markt, am Eck";-5,00;EUR\n16.01.2026;Lohn;7,50;EUR\n'


def net(ask: Ask) -> float:
    return float(ask("ledger_transactions").data["sums"]["EUR"]["net"])


def test_a_file_without_a_header_is_read_by_the_numbers_of_its_columns(load: Load, ask: Ask) -> None:
    load(BARE, "a.csv", "--account", "A", "--columns", "date=1,payee=2,amount=3,currency=4")
    assert [row["payee"] for row in ask("ledger_transactions").data["rows"]] == ["Lohn", "Markt, am Eck"]
    assert net(ask) == 2.5


def test_a_file_without_a_header_is_named_as_one_with_its_first_row(run: Run, file: File) -> None:
    code, _, err = run("import", file(BARE), *GIVEN)
    assert code == 2
    assert (
        "it has no header; say which columns to read, as --columns date=1,payee=2,amount=3: row 1 has 1 05.01.2026"
        in err
    )


@pytest.mark.parametrize("columns", ["date=1", "date=0,amount=1", "when=1,amount=2", "date=1,date=2,amount=3", "date"])
def test_columns_that_make_no_sense_are_one_clear_line(run: Run, file: File, columns: str) -> None:
    code, out, err = run("import", file(BARE), *GIVEN, "--columns", columns)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: --columns ")


def test_columns_and_a_profile_exclude_each_other(run: Run, file: File) -> None:
    code, _, err = run("import", file(BARE), *GIVEN, "--columns", "date=1,amount=3", "--profile", "n26")
    assert (code, "--columns has numbers in place of a profile" in err) == (2, True)


def test_a_profile_of_numbers_is_used_where_it_is_named(load: Load, ask: Ask) -> None:
    load("05/01/2026,SHOP,-5.00\n16/01/2026,PAY,7.50\n", "a.csv", "--account", "A", "--profile", "hsbc-uk")
    assert ask("ledger_transactions").data["sums"]["GBP"]["net"] == "2.50"


@pytest.mark.parametrize("word", ["Pending", "REVERTED", "declined", "Vorgemerkt"])
def test_rows_that_are_not_booked_are_left_out_and_counted(load: Load, ask: Ask, word: str) -> None:
    rows = f"2026-01-05,Shop,-5.00,Completed\n2026-01-06,Hotel,-90.00,{word}\n2026-01-07,Pay,7.50,Completed\n"
    shown = load("Date,Payee,Amount,Status\n" + rows, "a.csv", *GIVEN)
    assert f"rows that are not booked are left out: 1 {word.casefold()} (lines 3)" in shown
    assert net(ask) == 2.5


def test_a_word_in_place_of_the_date_says_so_too(load: Load, ask: Ask) -> None:
    shown = load("Date,Payee,Amount\nPending,Hotel,-90\n2026-01-06,Shop,-5\n2026-01-07,Pay,7.5\n", "a.csv", *GIVEN)
    assert "left out: 1 pending (lines 2)" in shown
    assert net(ask) == 2.5


def test_lines_that_go_on_with_a_text_are_no_bookings(load: Load) -> None:
    rows = "18/04/2018,CARD,6.66,\n,15/04/18 66-6666 TAXI,,\n17/04/2018,ATM,66.66,\n"
    assert "lines left out as no bookings: 3" in load("Date,Description,Debit,Credit\n" + rows, "a.csv", *GIVEN)


def test_a_fee_that_is_taken_beside_the_amount_leaves_the_account(load: Load, ask: Ask) -> None:
    header = "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
    row = "EXCHANGE,Current,2026-01-05 10:00:00,2026-01-05 10:00:01,To CHF,-10.00,0.50,EUR,COMPLETED,89.50\n"
    load(header + row, "a.csv", "--account", "R")
    assert net(ask) == -10.5


def test_fees_that_are_not_read_are_pointed_out(load: Load) -> None:
    shown = load("Date,Payee,Amount,Fee\n2026-01-05,Shop,-5,0.10\n", "a.csv", *GIVEN)
    assert "the column 'Fee' has amounts and is not read: are they in the amounts already?" in shown


@pytest.mark.parametrize(
    ("name", "currency"), [("Amount (EUR)", "EUR"), ("Betrag (€)", "EUR"), ("Amount CZK", "CZK"), ("금액(원)", "KRW")]
)
def test_the_currency_at_the_end_of_a_name_is_that_of_the_amounts(
    load: Load, ask: Ask, name: str, currency: str
) -> None:
    load(f"Date,Payee,{name}\n2026-01-05,Shop,-5\n", "a.csv", "--account", "A")
    assert list(ask("ledger_transactions").data["sums"]) == [currency]


def test_of_two_columns_of_currencies_the_one_beside_the_amounts_counts(load: Load, ask: Ask) -> None:
    load("date,account,amount,currency,converted amount,currency\n2026-01-05,A,-5,USD,-4,EUR\n", "a.csv")
    assert list(ask("ledger_transactions").data["sums"]) == ["USD"]


@pytest.mark.parametrize("day", ["5 Jan 26", "05-Jan-26", "20260105120000[0:GMT]", "2026-01-05T12:20:25"])
def test_more_forms_of_dates(load: Load, ask: Ask, day: str) -> None:
    load(f"Date,Payee,Amount\n{day},Shop,-5\n", "a.csv", *GIVEN)
    assert ask("ledger_transactions").data["rows"][0]["date"] == "2026-01-05"


def test_a_time_of_day_does_not_make_a_file_a_statement_of_swift(load: Load, ask: Ask) -> None:
    rows = "2026-01-05T02:20:15,Shop,-5\n2026-01-05T23:25:11,Shop,-6\n"
    load("Date,Payee,Amount\n" + rows, "a.csv", *GIVEN)
    assert net(ask) == -11


def test_a_number_that_is_none_is_the_reason_and_not_the_decimal_mark(run: Run, file: File) -> None:
    code, _, err = run("import", file("Date,Payee,Amount\n2026-01-05,A,-100.00\n2026-01-06,B,12..34\n"), *GIVEN)
    assert (code, "'12..34' is not an amount" in err) == (2, True)


def test_a_dry_run_shows_the_sign_and_three_bookings(run: Run, file: File) -> None:
    rows = "".join(f"2026-01-0{day},Shop {day},-{day}.50\n" for day in range(1, 6))
    _, out, _ = run("import", file("Date,Payee,Amount\n" + rows), *GIVEN, "--guess")
    assert "sign: negative is money out" in out
    assert [line.strip() for line in out.splitlines() if "payment" in line] == [
        f"line {day + 1}: 2026-01-0{day} -{day}.50 EUR payment: Shop {day}" for day in (1, 2, 3)
    ]
