from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from earlier import make_earlier
from statements import SAVINGS, TRADES

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
Ask = Callable[..., Answer]
BAD = "2026-02-30,Never,1.00,1.00\nyesterday,Never,1.00,1.00\n2099-01-01,Later,-1.00,1.00\n"
OPTIONS = ("--account", "S", "--currency", "EUR", "--skip-bad-rows")
SAID = "3 rows of us.csv were left out"


@pytest.mark.parametrize("tool", ["ledger_accounts", "ledger_balance", "ledger_transactions", "holdings"])
def test_every_answer_from_a_file_says_how_many_of_its_rows_are_missing(load: Load, ask: Ask, tool: str) -> None:
    load(SAVINGS + BAD, "us.csv", *OPTIONS)
    load(TRADES, "t.csv", "--account", "B")
    assert SAID in ask(tool).warnings
    assert "t.csv were left out" not in ask(tool).warnings


def test_sums_say_it_too(load: Load, ask: Ask) -> None:
    load("Date,Payee,Amount,Balance\n2026-01-30,Shop,-5.00,10.00\n" + BAD, "us.csv", *OPTIONS)
    assert SAID in ask("spending").warnings
    assert SAID in ask("income_statement", start="2026-01-01", end="2026-01-30").warnings


def test_an_answer_from_other_files_does_not_say_it(load: Load, ask: Ask) -> None:
    load(SAVINGS + BAD, "us.csv", *OPTIONS)
    load(SAVINGS, "other.csv", "--account", "Other", "--currency", "EUR")
    answer = ask("ledger_balance", account="Other")
    assert [balance["account"] for balance in answer.data["balances"]] == ["Other"]
    assert "left out" not in answer.warnings


def test_a_check_names_each_such_file_once(run: Run, load: Load) -> None:
    load(SAVINGS + BAD, "us.csv", *OPTIONS)
    load(SAVINGS + BAD, "us.csv", *OPTIONS)
    assert run("check")[1] == SAID + "\n"


def test_a_file_without_a_good_row_leaves_a_trace(run: Run, load: Load) -> None:
    load("Date,Payee,Amount,Balance\n2099-01-01,Later,-1.00,1.00\n", "us.csv", *OPTIONS)
    assert run("check")[1] == "1 row of us.csv was left out\n"


def test_the_same_file_read_whole_takes_the_warning_back(load: Load, ask: Ask) -> None:
    rows = "Date,Payee,Amount\n2026-01-05,A,-3.20\n2026-01-06,B,£1.00\n"
    load(rows, "us.csv", "--account", "S", "--currency", "EUR", "--skip-bad-rows")
    assert "1 row of us.csv was left out" in ask("ledger_transactions").warnings
    load(rows, "us.csv", "--account", "S", "--currency", "GBP")
    assert "left out" not in ask("ledger_transactions").warnings


def test_books_of_the_first_version_are_read_and_then_brought_up_to_date(load: Load, ask: Ask, home: Path) -> None:
    load(SAVINGS, "s.csv", "--account", "S", "--currency", "EUR")
    make_earlier(home / "books.db", 1)
    assert ask("ledger_transactions").data["count"] == 2
    load(SAVINGS + "2026-03-01,Interest,2.00,1503.25\n" + BAD, "us.csv", *OPTIONS)
    assert ask("ledger_transactions").data["count"] == 3
    assert SAID in ask("ledger_transactions").warnings
