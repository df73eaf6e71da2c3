"""beancount by a stand-in for `bean-query` that answers what the real one answers; see test_bean_query.py."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from answers import Answer

Ask = Callable[..., Answer]

STAND_IN = """#!{python}
import sys
from pathlib import Path

path, query = sys.argv[-2:]
Path({seen!r}).open("a").write(" ".join(sys.argv[1:]) + "\\n")
if "nosuch" in query:
    print("Traceback (most recent call last):\\nbeanquery.compiler.CompilationError: column not found", file=sys.stderr)
    raise SystemExit(1)
if "content" in query:
    print("line\\n" + "\\n".join(line.replace(",", ";") for line in Path(path).read_text().splitlines() if line))
elif "#entries" in query:
    print("count(1)\\n" + {later!r})
elif query.startswith("SELECT date, account"):
    print("date,account,payee,narration,str(number),currency,str(cost_number),cost_currency,filename,lineno")
    for row in {rows!r}:
        if row[:10] <= query.rsplit(" ", 1)[1]:
            print(row.replace("FILE", path))
else:
    print("account,sum\\nAssets:Bank:DE89370400440532013000,   1234567890 KRW")
print({said!r}, file=sys.stderr)
"""
ROWS = [
    "2024-01-05,Assets:Bank:Giro,Boss,salary,1000.00,EUR,,,FILE,6",
    "2024-01-05,Income:Salary,Boss,salary,-1000.00,EUR,,,FILE,7",
    '2024-01-06,Expenses:Food,Market,"food, ""x""",12.50,EUR,,,FILE,9',
    '2024-01-06,Assets:Bank:Giro,Market,"food, ""x""",-12.50,EUR,,,FILE,10',
    "2024-01-07,Assets:Broker,,Buy,3,ACME,10.00,EUR,FILE,12",
    "2024-01-07,Assets:Bank:Giro,,Buy,-30.00,EUR,,,FILE,13",
]


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """A beancount file and a program that answers for it; gives the context of a call."""

    def make(rows: list[str] = ROWS, *, later: str = "0", said: str = "") -> dict[str, Any]:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "bean-query"
        seen = str(tmp_path / "seen")
        program.write_text(STAND_IN.format(python=sys.executable, rows=rows, later=later, said=said, seen=seen))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        path = tmp_path / "main.beancount"
        path.write_text("; books\n")
        return {"settings": {"beancount_file": str(path)}}

    return make


def test_balances_come_from_the_beancount_file_with_its_lines(books: Callable[..., Any], ask: Ask) -> None:
    answer = ask("ledger_balance", books(), account="Assets:Bank")
    assert answer.data["total"] == {"EUR": "957.50"}
    assert answer.data["balances"][0]["source"] == "main.beancount:13"
    assert answer.data["balances"][0]["basis"] == "sum of all bookings of double-entry books"


def test_spending_and_income_are_the_postings_to_those_accounts(books: Callable[..., Any], ask: Ask) -> None:
    data = ask("income_statement", books(), start="2024-01-01", end="2024-01-07").data
    assert data["expenses"]["EUR"]["groups"][0]["category"] == "Expenses:Food"
    assert data["net"] == {"EUR": "987.50"}


def test_holdings_are_lots_with_their_cost(books: Callable[..., Any], ask: Ask) -> None:
    data = ask("holdings", books()).data
    assert (data["quantities"], data["cash"]) == ({"ACME": "3"}, {"EUR": "957.50"})
    assert data["holdings"][0]["cost"] == "30"


def test_nothing_after_the_run_s_date_is_asked_for(books: Callable[..., Any], ask: Ask, tmp_path: Path) -> None:
    context = {**books(), "as_of": date(2024, 1, 6)}
    assert ask("ledger_transactions", context).data["count"] == 2
    assert "WHERE date <= 2024-01-06" in (tmp_path / "seen").read_text()


def test_what_beancount_complains_of_is_a_warning(books: Callable[..., Any], ask: Ask) -> None:
    answer = ask("ledger_accounts", books(said="main.beancount:3: Balance failed"))
    assert answer.warnings == "bean-query: main.beancount:3: Balance failed"


def test_a_query_gives_its_rows_without_account_numbers(books: Callable[..., Any], ask: Ask) -> None:
    data = ask("ledger_query", books(), bql="SELECT account, sum(position) GROUP BY account").data
    assert data["columns"] == ["account", "sum"]
    assert data["rows"] == [["Assets:Bank:…3000", "1234567890 KRW"]]


@pytest.mark.parametrize(
    "bql",
    [
        "CREATE TABLE x USING 'csv:/etc/passwd'",
        "SELECT 1; SELECT 2",
        "SELECT * FROM #prices",
        ".run x",
        "INSERT INTO x VALUES (1)",
        "print",
        "",
        "SELECT date -- CLOSE ON 2020-01-01",
        "SELECT\n1",
        "SELECT " + "a" * 5_000,
    ],
)
def test_only_one_reading_query_over_postings_is_run(
    books: Callable[..., Any], ask: Ask, tmp_path: Path, bql: str
) -> None:
    assert ask("ledger_query", books(), bql=bql).code == "BAD_INPUT"
    assert not (tmp_path / "seen").exists()


FUTURE = """option "documents" "papers"
2024-01-02 pad Assets:Bank Equity:Opening
include "more.bean"
2024-01-05 * "kept"
  Assets:Bank  1 EUR
; of the day before
  Income:Salary
2024/01/07 price ACME 777.01 EUR
2024-01-08 * "LATER"
  Assets:Bank  777.02 EUR
; LATER too, but no more than a remark

  Income:Salary
plugin "beancount.plugins.auto"
2024-02-01 balance Assets:Bank 777.03 EUR
"""


def test_a_query_reads_the_file_as_it_was_on_the_day(
    books: Callable[..., Any], ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = {**books(), "as_of": date(2024, 1, 6)}
    (tmp_path / "main.beancount").write_text(FUTURE)
    (tmp_path / "more.bean").write_text("2024-01-06 open Assets:Bank\n2024-03-01 close Assets:Bank\n")
    answer = ask("ledger_query", context, bql="SELECT content")
    lines = [row[0] for row in answer.data["rows"]]
    assert "777" not in answer.text
    assert lines[:2] == ["2024-01-02 pad Assets:Bank Equity:Opening", '2024-01-05 * "kept"']
    assert lines[-2:] == ['plugin "beancount.plugins.auto"', f'include "{tmp_path}/more.bean"']
    program, *_ = (tmp_path / "seen").read_text().splitlines()
    assert "main.beancount" not in program
    assert (
        ask("ledger_query", {**context, "as_of": None}, bql="SELECT content").data["count"]
        == len(FUTURE.splitlines()) - 1
    )


def test_a_file_without_later_entries_is_read_where_it_is(books: Callable[..., Any], ask: Ask, tmp_path: Path) -> None:
    context = {**books(), "as_of": date(2024, 12, 31)}
    (tmp_path / "main.beancount").write_text(FUTURE.replace("more", "none"))
    ask("ledger_query", context, bql="SELECT content")
    assert str(tmp_path / "main.beancount") in (tmp_path / "seen").read_text()


def test_what_an_encrypted_file_may_know_is_not_asked(books: Callable[..., Any], ask: Ask, tmp_path: Path) -> None:
    context = {**books(later="1"), "as_of": date(2024, 1, 6)}
    (tmp_path / "main.beancount").write_text('include "old.beancount.gpg"\n')
    (tmp_path / "old.beancount.gpg").write_bytes(b"\x85\x01")
    error = ask("ledger_query", context, bql="BALANCES FROM CLOSE ON 2024-01-07")
    assert (error.code, "an encrypted file" in error.text) == ("BAD_INPUT", True)


@pytest.mark.parametrize("bql", ["SELECT today()", "SELECT date WHERE date > ToDay ()"])
def test_a_run_as_of_an_earlier_day_cannot_ask_for_the_real_one(books: Callable[..., Any], ask: Ask, bql: str) -> None:
    error = ask("ledger_query", {**books(), "as_of": date(2024, 1, 6)}, bql=bql)
    assert (error.code, "today() is after 2024-01-06" in error.text) == ("BAD_INPUT", True)
    assert not ask("ledger_query", books(), bql=bql).failed


def test_a_query_that_could_see_the_future_is_refused(books: Callable[..., Any], ask: Ask) -> None:
    context = {**books(later="4"), "as_of": date(2024, 1, 6)}
    assert "add FROM CLOSE ON 2024-01-07" in ask("ledger_query", context, bql="BALANCES").text
    assert ask("ledger_query", context, bql="BALANCES FROM CLOSE ON 2024-01-07").data["count"] == 1
    assert ask("ledger_query", context, bql="BALANCES FROM CLOSE ON 2024-01-08").code == "BAD_INPUT"
    assert ask("ledger_query", context, bql="SELECT 'CLOSE ON 2024-01-07'").code == "BAD_INPUT"


def test_an_error_of_the_program_is_told_in_one_line(books: Callable[..., Any], ask: Ask) -> None:
    answer = ask("ledger_query", books(), bql="SELECT nosuch")
    assert answer.text.startswith("BAD_INPUT: bean-query: CompilationError: column not found.")


def test_a_missing_program_says_how_to_install_it(
    books: Callable[..., Any], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = books()
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    assert 'pip install "finclaw-ledger[beancount]"' in ask("ledger_accounts", context).text
    assert ask("ledger_accounts", context).code == "NOT_CONFIGURED"


@pytest.mark.parametrize(
    "settings", [{"beancount_file": "relative"}, {"beancount_file": "/none"}, {"other": 1}, {"beancount_file": 3}]
)
def test_wrong_settings_are_told(ask: Ask, settings: dict[str, object]) -> None:
    assert ask("ledger_accounts", {"settings": settings}).code == "NOT_CONFIGURED"


def test_a_query_without_a_beancount_file_says_what_to_set(ask: Ask) -> None:
    assert "set beancount_file under [plugin.finclaw-ledger]" in ask("ledger_query", bql="BALANCES").text


@pytest.mark.parametrize(
    "row", ["2024-01-05 nonsense", ROWS[0].replace("1000.00", "NaN"), ROWS[0].replace("2024-01-05", "1")]
)
def test_an_answer_that_is_no_posting_is_told(books: Callable[..., Any], ask: Ask, row: str) -> None:
    assert ask("ledger_accounts", books([row])).code == "NOT_CONFIGURED"
