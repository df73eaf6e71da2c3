from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from answers import Answer
from statements import MT940, OFX, OFX_XML

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]


def test_ofx_needs_no_profile_and_hides_the_account_s_number(load: Load, ask: Ask) -> None:
    load(OFX, "s.ofx")
    answer = ask("ledger_transactions")
    assert answer.data["covered"] == {"account …7890": ["2026-01-01", "2026-01-31"]}
    assert answer.data["rows"][1] == {
        "date": "2026-01-10",
        "account": "account …7890",
        "amount": "-45.10",
        "currency": "USD",
        "payee": "SHOP & CO",
        "memo": "Groceries",
        "source": "s.ofx:11",
    }
    assert "1234567890" not in answer.text


def test_the_closing_balance_of_ofx_is_the_balance(load: Load, ask: Ask) -> None:
    load(OFX, "s.ofx")
    row = ask("ledger_balance").data["balances"][0]
    assert (row["balance"], row["date"], row["source"]) == ("2954.90", "2026-01-31", "s.ofx:20")


def test_ofx_2_is_read_too(load: Load, ask: Ask) -> None:
    load(OFX_XML, "card.ofx")
    rows = ask("ledger_transactions").data["rows"]
    assert [(row["account"], row["payee"], row["amount"]) for row in rows] == [("account …1111", "Müller", "-9.99")]


def test_a_reference_makes_a_booking_the_same_in_a_longer_export(load: Load, ask: Ask) -> None:
    load(OFX, "one.ofx")
    assert "0 new, 2 duplicate" in load(OFX.replace("<MEMO>Groceries", "<MEMO>Weekly groceries"), "two.ofx")


def test_an_xml_bomb_is_refused(run: Run, file: File) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><OFX>&a;</OFX>'
    code, _, err = run("import", file(bomb, "b.ofx"), "--account", "A")
    assert (code, "declares entities of its own" in err) == (2, True)


def test_a_bad_booking_of_ofx_is_told_with_its_line(run: Run, file: File) -> None:
    code, out, err = run("import", file(OFX.replace("<TRNAMT>1000.00", "<TRNAMT>NaN"), "s.ofx"))
    assert (code, "2 rows: 1 new, 0 duplicate, 1 rejected" in out) == (2, True)
    assert "s.ofx:12: 'NaN' is not an amount" in err


def test_mt940_gives_every_booking_its_balance(load: Load, ask: Ask) -> None:
    assert "warning" not in load(MT940, "m.sta")
    rows = ask("ledger_transactions").data["rows"]
    assert [(row["payee"], row["memo"], row["amount"], row["balance"], row["source"]) for row in rows] == [
        ("Finanzamt", "Erstattung", "100.00", "1042.40", "m.sta:8"),
        ("Max Mustermann", "Miete Februar Teil 1", "-12.50", "942.40", "m.sta:5"),
    ]
    assert ask("ledger_balance").data["total"] == {"EUR": "1042.40"}


def test_a_closing_balance_of_mt940_that_does_not_agree_is_told(load: Load) -> None:
    said = load(MT940.replace("EUR1042,40", "EUR1042,41"), "m.sta")
    assert "closing balance 1042.41 is not the opening balance with all bookings, 1042.40" in said


def test_mt940_reversals_and_year_ends(load: Load, ask: Ask) -> None:
    text = (
        ":20:X\n:25:12345678/87654321\n:60F:C251230EUR10,\n:61:2601021231RC3,50NMSCNONREF\n:86:Storno\n"
        ":62F:C260102EUR6,50\n"
    )
    load(text, "m.sta")
    row = ask("ledger_transactions").data["rows"][0]
    assert (row["date"], row["amount"], row["memo"]) == ("2025-12-31", "-3.50", "Storno")


def test_an_own_name_can_stand_for_an_account_number(load: Load, ask: Ask) -> None:
    load(MT940, "m.sta", "--account", "Giro")
    load(OFX, "s.ofx", "--account", "Checking")
    assert [row["account"] for row in ask("ledger_accounts").data["accounts"]] == ["Checking", "Giro"]
