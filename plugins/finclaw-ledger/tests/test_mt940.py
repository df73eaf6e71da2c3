"""MT940 files as banks write them, where they differ from the standard."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from answers import Answer
from statements import MT940

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]
HEAD = ":20:X\n:25:12345678/87654321\n:28C:1/1\n:60F:C260101EUR100,\n"


def statement(*fields: str, closing: str = "90,") -> str:
    return HEAD + "".join(field + "\n" for field in fields) + f":62F:C260131EUR{closing}\n-\n"


@pytest.mark.parametrize(
    "line",
    [
        "2601050105D10,00NMSCNONREF",
        "260105    D10,00NOVBNL47XXXX",  # blanks for the booking date
        "260105D10,00NOV NONREF",  # blanks in the transaction type
        "260105D10,00S   X",
        "2601050105D10,00 NRTIKREF+//1",  # a blank before it
        "2601050105DN10,00//19239782213",  # no transaction type
        "2601050105DN10,00",
        "2601050105D10NTRF",  # an amount without a comma
        "260105    DD10,NMSCNONREF//",
        "2601050105DR 10,00NMSCNONREF",
    ],
)
def test_a_statement_line_is_read_as_banks_write_it(load: Load, ask: Ask, line: str) -> None:
    assert "warning" not in load(statement(f":61:{line}", ":86:Shop"), "m.sta")
    rows = ask("ledger_transactions").data["rows"]
    assert [(row["date"], Decimal(row["amount"]), row["memo"]) for row in rows] == [("2026-01-05", -10, "Shop")]


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "260105D1,2,3NMSC",
        "260105D1.234,00NMSC",
        "260105D10,00garbage",
        "261305D10,00NMSC",
        "260105X10,00NMSC",
        "2601050230D10,00NMSC",
        "260230D10,00NMSC",
    ],
)
def test_any_other_line_is_rejected_with_its_number_and_leaves_the_rest(run: Run, file: File, line: str) -> None:
    text = statement(":61:260105D10,00NMSC", ":86:Shop", f":61:{line}", ":86:x", ":61:260106C1,00NMSC")
    code, out, err = run("import", file(text, "m.sta"))
    assert (code, "3 rows: 2 new, 0 duplicate, 1 rejected" in out) == (2, True)
    assert "m.sta:7: " in err


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("2602300301", "2026-03-01"),  # months of 30 days
        ("2512311231", "2025-12-31"),
        ("2512310102", "2026-01-02"),
        ("2601021231", "2025-12-31"),
        ("2501150715", "2025-07-15"),  # as near as July of the year before
        ("2507150115", "2025-01-15"),
        ("2501150815", "2024-08-15"),
        ("2408150115", "2025-01-15"),
    ],
)
def test_the_booking_date_is_in_the_year_next_to_the_value_date(load: Load, ask: Ask, line: str, date: str) -> None:
    load(statement(f":61:{line}D10,00NMSCNONREF"), "m.sta")
    assert ask("ledger_transactions").data["rows"][0]["date"] == date


@pytest.mark.parametrize(
    ("information", "memo"),
    [
        ([":86:First", ":86:second", ":86:third"], "First second third"),
        ([":86:Ref 17", "-2014 taxi", "-"], "Ref 17 -2014 taxi"),
        ([":86:At 17", ":12:11 and more"], "At 17 :12:11 and more"),
        ([":86:Part {2", "{and more}"], "Part {2 {and more}"),
    ],
    ids=["several fields", "a dash begins a line", "a time begins a line", "a brace begins a line"],
)
def test_the_whole_text_of_a_booking_is_kept(load: Load, ask: Ask, information: list[str], memo: str) -> None:
    load(statement(":61:260105D10,00NMSC", *information), "m.sta")
    assert ask("ledger_transactions").data["rows"][0]["memo"] == memo


def test_what_follows_the_closing_balance_is_no_text_of_a_booking(load: Load, ask: Ask) -> None:
    load(statement(":61:260105D10,00NMSC", ":86:Shop").replace("-\n", ":86:SUMMARY\n-\n"), "m.sta")
    assert ask("ledger_transactions").data["rows"][0]["memo"] == "Shop"


def test_an_account_with_its_party_is_read(load: Load, ask: Ask) -> None:
    load(MT940 + statement(":61:260105D10,00NMSC").replace(":25:12345678/87654321", ":25P:99/7654\nBANKDEFF"), "m.sta")
    assert [row["account"] for row in ask("ledger_accounts").data["accounts"]] == ["account …3000", "account …7654"]


def test_a_statement_without_an_account_is_not_that_of_the_account_before(run: Run, file: File) -> None:
    text = MT940 + statement(":61:260105D10,00NMSC").replace(":25:12345678/87654321\n", "")
    code, _, err = run("import", file(text, "m.sta"), "--write")
    assert code == 2
    assert "m.sta:15: no account (:25:) and opening balance (:60F:) before it" in err
    assert run("import", file(text, "m.sta"), "--account", "Giro")[0] == 0


def test_an_interim_report_is_shown_and_not_written_since_its_bookings_come_again(run: Run, file: File) -> None:
    path = file(":20:X\n:25:1/2\n:28C:1/1\n:34F:EURD0,00\n:61:260105D1,00NMSC\n:90D:1EUR1,00\n-\n", "m.sta")
    _, out, err = run("import", path)
    assert ("EUR: 0 in, -1.00 out" in out, "only shown: it is an interim report (MT942)" in err) == (True, True)
    code, _, err = run("import", path, "--write")
    assert (code, "nothing is written: it is an interim report (MT942)" in err) == (2, True)


@pytest.mark.parametrize("time", [":20:15 Uhr Markt", ":25:10 Karte", ":28:00"])
def test_a_clock_time_at_the_start_of_a_line_is_text(load: Load, ask: Ask, time: str) -> None:
    load(statement(f":61:260105D10,00NMSC\n:86:Karte 3.1.\n{time}"), "m.sta")
    assert [row["memo"] for row in ask("ledger_transactions").data["rows"]] == [f"Karte 3.1. {time}"]


def test_a_part_of_a_statement_is_named_as_one(run: Run, file: File) -> None:
    code, _, err = run("import", file(":61:260105D10,00NMSC\n:86:Karte", "m.sta"))
    assert (code, "m.sta:1: no account (:25:) and opening balance (:60F:) before it: is this a part" in err) == (
        2,
        True,
    )


@pytest.mark.parametrize("rest", ["", ":20:Y\n:25:1/2\n:28C:1/1\n:60F:C260131EUR90,\n:62F:C260131EUR90,\n"])
def test_a_statement_without_its_closing_balance_is_reported(load: Load, rest: str) -> None:
    shown = load(statement(":61:260105D10,00NMSC").partition(":62F:")[0] + rest, "m.sta")
    assert "warning: m.sta: line 4: no closing balance follows this opening balance; is the file cut off?" in shown


@pytest.mark.parametrize("closing", ["90.00", "9x", ""])
def test_a_balance_that_cannot_be_read_is_reported_with_its_line(load: Load, closing: str) -> None:
    shown = load(statement(":61:260105D10,00NMSC", closing=closing), "m.sta")
    assert "warning: m.sta: line 6: not a balance such as C260131EUR90,00" in shown
    assert "cut off" not in shown


def test_a_file_without_any_readable_field_names_the_first_that_is_not(run: Run, file: File) -> None:
    err = run("import", file(":20:X\n:25:1/2\n:60F:D030106EUR1000.12\n:62F:C030107EUR2145.23\n", "m.sta"))[2]
    assert err == "error: m.sta: no statement in this MT940 file; line 3: not a balance such as C260131EUR90,00\n"


def test_nothing_taken_is_no_negative_zero(load: Load, ask: Ask) -> None:
    load(statement(":61:260105D0,00NMSC", closing="100,"), "m.sta")
    assert not ask("ledger_transactions").data["rows"][0]["amount"].startswith("-")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_umlauts_are_read_in_the_encodings_of_banks(load: Load, ask: Ask, encoding: str) -> None:
    load(statement(":61:260105D10,00NMSC", ":86:166?20Brötchen?32Müller"), "m.sta", encoding=encoding)
    row = ask("ledger_transactions").data["rows"][0]
    assert (row["payee"], row["memo"]) == ("Müller", "Brötchen")


BOOKED = ":61:2601020102D10,00NMSC"


def test_a_statement_that_is_in_the_file_twice_is_a_warning(run: Run, file: File) -> None:
    _, _, out = run("import", file(2 * statement(BOOKED), "m.sta"))
    assert "warning: m.sta: line 11: opening balance 100 is that of line 4: is the statement in the file twice?" in out


def test_a_gap_between_two_statements_is_a_warning(run: Run, file: File) -> None:
    later = (
        statement(BOOKED, closing="40,")
        .replace("C260101EUR100,", "C260131EUR50,")
        .replace("C260131EUR40", "C260228EUR40")
    )
    _, _, out = run("import", file(statement(BOOKED) + later, "m.sta"))
    assert "opening balance 50 is not the closing balance before it, 90 (line 6): is a statement missing?" in out


def test_statements_that_follow_one_another_are_no_reason_for_a_warning(run: Run, file: File) -> None:
    later = (
        statement(BOOKED, closing="80,")
        .replace("C260101EUR100,", "C260131EUR90,")
        .replace("C260131EUR80", "C260228EUR80")
    )
    code, _, err = run("import", file(statement(BOOKED) + later, "m.sta"))
    assert (code, "warning" in err) == (0, False)


def test_a_closing_balance_in_another_currency_is_a_warning_and_not_kept(load: Load, ask: Ask) -> None:
    shown = load(statement(BOOKED).replace(":62F:C260131EUR", ":62F:C260131USD"), "m.sta")
    assert "the closing balance is in USD, the opening balance in EUR" in shown
    assert "USD" not in ask("ledger_transactions").data["sums"]
