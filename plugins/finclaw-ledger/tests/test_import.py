from __future__ import annotations

import json
import stat
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from statements import AMERICAN, GIRO, KOREAN, MT940, OFX, SAVINGS, TRADES

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_ledger.blocks import row_blocks

Run = Callable[..., tuple[int, str, str]]
File = Callable[..., Path]
Load = Callable[..., str]
Ask = Callable[..., Answer]


def test_a_dry_run_comes_first_and_writes_nothing(run: Run, file: File, home: Path) -> None:
    code, out, err = run("import", file(GIRO, encoding="cp1252"), "--account", "Giro")
    assert (code, home.exists()) == (0, False)
    assert "5 rows: 5 new, 0 duplicate, 0 rejected" in out
    assert "EUR: 2506.40 in, -1551.50 out, 954.90 net" in out
    assert "2026-01-02 to 2026-01-31" in out
    assert err == "Dry run: nothing was written. --write writes.\n"


def test_the_books_are_readable_by_their_owner_only(load: Load, home: Path) -> None:
    load(GIRO, "giro.csv", "--account", "Giro")
    assert stat.S_IMODE((home / "books.db").stat().st_mode) == 0o600


def test_the_same_file_again_adds_nothing(load: Load, ask: Ask) -> None:
    load(GIRO, "giro.csv", "--account", "Giro")
    assert "0 new, 5 duplicate" in load(GIRO, "again.csv", "--account", "Giro")
    assert ask("ledger_transactions").data["count"] == 5


def test_an_overlapping_export_adds_only_what_is_new(load: Load, ask: Ask) -> None:
    load(SAVINGS, "one.csv", "--account", "S", "--currency", "EUR")
    longer = SAVINGS + "2026-03-01,Interest,2.00,1503.25\n"
    assert "1 new, 2 duplicate" in load(longer, "two.csv", "--account", "S", "--currency", "EUR")
    assert ask("ledger_balance").data["total"] == {"EUR": "1503.25"}


def test_two_equal_coffees_on_a_day_are_two(load: Load, ask: Ask) -> None:
    rows = "Date,Payee,Amount\n2026-01-05,Coffee,-3.20\n2026-01-05,Coffee,-3.20\n"
    load(rows, "a.csv", "--account", "A", "--currency", "EUR")
    load(rows, "b.csv", "--account", "A", "--currency", "EUR")
    assert ask("ledger_transactions").data["sums"] == {"EUR": {"in": "0", "out": "-6.40", "net": "-6.40"}}


def test_the_order_of_day_and_month_is_never_guessed(run: Run, file: File) -> None:
    code, out, err = run("import", file(AMERICAN), "--account", "A", "--currency", "USD", "--write")
    assert (code, out) == (2, "")
    assert "cannot tell day from month in '02/03/2026' (line 2)" in err
    code, out, _ = run("import", file(AMERICAN), "--account", "A", "--currency", "USD", "--date-format", "MDY")
    assert (code, "2026-02-03 to 2026-02-04" in out) == (0, True)


def test_the_decimal_mark_is_never_guessed(run: Run, file: File) -> None:
    rows = file("Date;Payee;Amount\n2026-01-05;A;-1.234\n")
    code, _, err = run("import", rows, "--account", "A", "--currency", "EUR")
    assert code == 2
    assert "decimals or thousands; say --decimal" in err
    _, out, _ = run("import", rows, "--account", "A", "--currency", "EUR", "--decimal", ",")
    assert "-1234 out" in out


def test_a_guess_says_which_columns_and_why_even_where_more_must_be_said(run: Run, file: File) -> None:
    code, out, err = run("import", file(GIRO), "--guess")
    assert code == 2
    assert "profile german-giro: it knows 6 of 7 columns" in out
    assert "amount = 'Betrag (EUR)'" in out
    assert "say --account NAME" in err


def test_a_guess_never_writes(run: Run, file: File, home: Path) -> None:
    code, _, _ = run("import", file(GIRO), "--guess", "--write", "--account", "G")
    assert (code, home.exists()) == (0, False)


def test_a_korean_export_in_its_own_encoding(load: Load, ask: Ask) -> None:
    load(KOREAN, "kb.csv", "--account", "급여통장", encoding="cp949")
    rows = ask("ledger_transactions").data["rows"]
    assert [(row["payee"], row["amount"], row["source"]) for row in rows] == [
        ("급여", "3000000", "kb.csv:5"),
        ("스타벅스", "-5500", "kb.csv:4"),
    ]


def test_a_running_balance_that_does_not_agree_is_told_with_its_line(run: Run, file: File) -> None:
    wrong = SAVINGS.replace("1501.25", "1501.52")
    options = ("--account", "S", "--currency", "EUR", "--sign", "money-out-negative")
    _, _, err = run("import", file(wrong, "s.csv"), *options)
    assert "warning: s.csv: line 3: balance 1501.52 of S is not 1500.00 before plus 1.25 = 1501.25" in err


def test_bad_rows_stop_the_import_and_can_be_left_out(run: Run, file: File, home: Path) -> None:
    path = file(SAVINGS + "2026-02-30,Never,1.00,1.00\n2099-01-01,Later,1.00,1.00\n", "s.csv")
    options = ("--account", "S", "--currency", "EUR", "--write", "--sign", "money-out-negative")
    code, _, err = run("import", path, *options)
    assert (code, home.exists()) == (2, False)
    assert "s.csv:4: '2026-02-30' is not a date" in err
    assert "s.csv:5: 2099-01-01 is in the future" in err
    code, out, _ = run("import", path, *options, "--skip-bad-rows")
    assert (code, "Imported 2 rows." in out) == (0, True)


@pytest.mark.parametrize("options", [(), ("--guess",), ("--json",)], ids=["dry run", "guess", "json"])
def test_bad_rows_are_exit_code_2_where_nothing_would_be_written_too(
    options: tuple[str, ...], run: Run, file: File
) -> None:
    path = file(SAVINGS + "2026-02-30,Never,1.00,1.00\n", "s.csv")
    given = ("import", path, "--account", "S", "--currency", "EUR", *options)
    assert run(*given)[0] == 2
    code, _, err = run(*given, "--skip-bad-rows")
    assert (code, "Nothing was written" in err) == (0, False)


def test_the_report_is_one_json_object(run: Run, file: File) -> None:
    _, out, _ = run("import", file(SAVINGS), "--account", "S", "--currency", "EUR", "--json")
    assert json.loads(out)["rows"] == {"read": 2, "new": 2, "duplicate": 0, "rejected": 0}


def test_list_and_check_tell_what_is_there(run: Run, load: Load) -> None:
    load(SAVINGS, "s.csv", "--account", "S", "--currency", "EUR")
    load(TRADES.replace("Sell,ACME,15", "Sell,ACME,25"), "t.csv", "--account", "B")
    code, out, _ = run("list")
    assert (code, out.splitlines()[2].split()) == (0, ["S", "EUR", "2026-01-30", "2026-02-15", "2", "s.csv"])
    code, out, err = run("check")
    assert (code, out) == (1, "ACME: 5 more sold than bought in the books (last trade t.csv:4)\n")
    assert err == "6 bookings of 2 accounts checked, 1 finding.\n"


def test_a_check_names_days_between_files_where_they_are_more_than_31(run: Run, load: Load) -> None:
    for account, second in (("A", "2026-03-03"), ("B", "2026-03-04")):
        given = ("--account", account, "--currency", "EUR")
        load("Date,Payee,Amount\n2026-01-01,X,-1\n2026-01-31,Y,-2\n", f"{account}1.csv", *given)
        load(f"Date,Payee,Amount\n{second},X,-4\n2026-03-31,Y,-8\n", f"{account}2.csv", *given)
    code, out, _ = run("check")
    assert (code, out) == (1, "B: no file covers the days between 2026-01-31 and 2026-03-04\n")


def test_a_check_names_a_balance_that_does_not_follow_from_the_one_before(run: Run, load: Load) -> None:
    rows = "Date,Description,Amount,Balance\n2026-01-02,Pay,100,100\n2026-01-05,Shop,-10,95\n"
    load(rows, "a.csv", "--account", "A", "--currency", "USD")
    code, out, _ = run("check")
    assert (code, out) == (1, "a.csv:3: balance 95 of A is not 100 before plus -10\n")


def test_what_is_no_formula_here_stays_text(load: Load, ask: Ask) -> None:
    load("Date,Payee,Amount\n2026-01-05,\"=cmd|' /C calc'!A0\",-1.00\n", "a.csv", "--account", "A", "--currency", "EUR")
    assert ask("ledger_transactions").data["rows"][0]["payee"] == "=cmd|' /C calc'!A0"


def test_control_characters_are_cleaned(load: Load, ask: Ask) -> None:
    load("Date,Payee,Amount\n2026-01-05,a\x07\x1b[31mb\u202ec,-1.00\n", "a.csv", "--account", "A", "--currency", "EUR")
    assert ask("ledger_transactions").data["rows"][0]["payee"] == "a [31mb c"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b"Date,Amount\n2026-01-01,\x001\n", "NUL bytes"),
        (b'Date,Payee,Amount\n2026-01-01,"never ends,1.00\n', "an open quotation mark?"),
        (b"\xff\xfe\x00", "not text"),
        (b"x" * 50_000_001, "more than 50,000,000 bytes"),
        (b"a,b\n1,2\n", "no profile knows its columns"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(run: Run, file: File, content: bytes, why: str) -> None:
    code, out, err = run("import", file(content, "bad.csv"), "--account", "A", "--currency", "EUR")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("error: bad.csv: ")
    assert why in err


def test_more_rows_than_an_import_takes_are_an_error() -> None:
    with pytest.raises(FileProblem, match="it has more than 500,000 rows; split it"):
        deque(row_blocks(["1\n"] * 500_001, ","), maxlen=0)


def test_a_folder_or_a_missing_file_is_one_clear_line(run: Run, tmp_path: Path) -> None:
    assert run("import", tmp_path)[2].startswith("error: ")
    assert "No such file" in run("import", tmp_path / "nothing.csv")[2]


@pytest.mark.parametrize("damage", [b"not a database at all, but long enough " * 30, None])
def test_damaged_books_are_one_clear_line(run: Run, file: File, ask: Ask, home: Path, damage: bytes | None) -> None:
    home.mkdir()
    (home / "books.db").mkdir() if damage is None else (home / "books.db").write_bytes(damage)
    for arguments in (("list",), ("import", file(SAVINGS), "--account", "S", "--currency", "EUR", "--write")):
        code, _, err = run(*arguments)
        assert (code, len(err.splitlines())) == (2, 1)
        assert "books.db" in err
        assert "move it away" in err
        assert "import your files again" in err
    assert ask("ledger_accounts").code == "NOT_CONFIGURED"


def test_nothing_of_a_failed_import_stays(run: Run, file: File, load: Load, ask: Ask) -> None:
    load(OFX, "s.ofx")
    assert run("import", file(MT940.replace(":61:2602030203", ":61:xx"), "m.sta"), "--write")[0] == 2
    assert len(ask("ledger_accounts").data["accounts"]) == 1


def test_sentences_below_the_bookings_are_left_out_and_named(run: Run, file: File) -> None:
    path = file(SAVINGS + '"Past performance, as ever, says nothing."\n\n2026-02-16\n', "s.csv")
    _, out, err = run("import", path, "--account", "S", "--currency", "EUR")
    assert "lines left out as no bookings: 4" in out
    assert "s.csv:6: 1 cells where the header has 4: 2026-02-16" in err


def test_an_own_profile_comes_before_a_shipped_one(run: Run, home: Path) -> None:
    folder = home / "ledger-profiles"
    folder.mkdir(parents=True)
    own = 'title = "Mine"\n[columns]\ndate = ["d"]\namount = ["a"]\n'
    (folder / "german-giro.toml").write_text(own)
    (folder / "bad.toml").write_text("columns = [")
    code, out, err = run("profiles")
    assert (code, "Mine" in out, "German current account" in out) == (0, True, False)
    assert "warning: ledger-profiles/bad.toml: profile 'bad' is no TOML" in err


def test_what_is_wrong_with_a_profile_is_told_of_its_own_file(run: Run, file: File, home: Path) -> None:
    (home / "ledger-profiles").mkdir(parents=True)
    (home / "ledger-profiles" / "bad.toml").write_text("columns = [")
    options = (file(SAVINGS, "s.csv"), "--account", "S", "--currency", "EUR")
    _, _, err = run("import", *options)
    assert "warning: ledger-profiles/bad.toml: profile 'bad' is no TOML" in err
    assert "s.csv" not in err
    assert "bad.toml" in json.loads(run("import", *options, "--json")[1])["warnings"][0]


def test_where_no_profile_fits_a_broken_one_is_named(run: Run, file: File, home: Path) -> None:
    (home / "ledger-profiles").mkdir(parents=True)
    (home / "ledger-profiles" / "bad.toml").write_text("columns = [")
    err = run("import", file("a,b\n1,2\n", "s.csv"), "--account", "S", "--currency", "EUR")[2]
    assert "no profile knows its columns" in err
    assert "ledger-profiles/bad.toml: profile 'bad' is no TOML" in err


def test_a_sign_of_another_currency_is_a_bad_row(run: Run, file: File) -> None:
    path = file("Date,Payee,Amount\n2026-01-05,A,-3.20 €\n2026-01-06,B,£1.00\n", "s.csv")
    _, out, err = run("import", path, "--account", "S", "--currency", "EUR")
    assert "1 new, 0 duplicate, 1 rejected" in out
    assert "s.csv:3: '£1.00' is written with £, the currency is EUR" in err
