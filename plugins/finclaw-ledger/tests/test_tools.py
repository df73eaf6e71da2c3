from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from answers import Answer
from statements import GIRO, KOREAN, SAVINGS, TRADES

Load = Callable[..., str]
Ask = Callable[..., Answer]


@pytest.fixture
def books(load: Load) -> None:
    load(GIRO, "giro.csv", "--account", "Giro", encoding="cp1252")
    load(SAVINGS, "savings.csv", "--account", "Savings", "--currency", "EUR")


@pytest.mark.parametrize("tool", ["ledger_accounts", "ledger_balance", "ledger_transactions", "spending", "holdings"])
def test_without_books_the_answer_says_how_to_get_some(ask: Ask, tool: str) -> None:
    answer = ask(tool)
    assert answer.code == "NO_DATA"
    assert "finclaw ledger import FILE --guess" in answer.text
    assert answer.text.endswith("Report this as unavailable; do not estimate.")


@pytest.mark.usefixtures("books")
def test_accounts_say_what_is_covered(ask: Ask) -> None:
    rows = ask("ledger_accounts").data["accounts"]
    assert [(row["account"], row["first"], row["last"]) for row in rows] == [
        ("Giro", "2026-01-02", "2026-01-31"),
        ("Savings", "2026-01-30", "2026-02-15"),
    ]


@pytest.mark.usefixtures("books")
def test_a_balance_is_what_the_file_states_with_its_line(ask: Ask) -> None:
    answer = ask("ledger_balance", date="2026-01-31")
    assert answer.column("balances", "balance") == ["954.90", "1500.00"]
    assert answer.column("balances", "source") == ["giro.csv:5", "savings.csv:2"]
    assert answer.data["total"] == {"EUR": "2454.90"}
    assert [source["ref"] for source in answer.json["sources"]] == ["giro.csv", "savings.csv"]
    assert all(len(source["sha256"]) == 64 for source in answer.json["sources"])


@pytest.mark.usefixtures("books")
def test_a_day_that_is_not_covered_is_unavailable_and_not_zero(ask: Ask) -> None:
    answer = ask("ledger_balance", date="2025-12-31")
    assert answer.code == "NO_DATA"
    assert "Giro: 2026-01-02 to 2026-01-31" in answer.text
    assert ask("spending", start="2025-01-01", end="2025-12-31").code == "NO_DATA"
    partly = ask("ledger_balance", date="2026-02-15")
    assert partly.column("balances", "account") == ["Savings"]
    assert "Giro is unavailable on 2026-02-15" in partly.warnings


def test_without_a_stated_balance_only_the_change_is_known(load: Load, ask: Ask) -> None:
    load("Date,Payee,Amount\n2026-01-05,A,-3.20\n2026-01-06,B,5\n", "a.csv", "--account", "A", "--currency", "EUR")
    answer = ask("ledger_balance")
    assert answer.data["balances"][0]["balance"] is None
    assert answer.data["balances"][0]["change"] == "1.80"
    assert answer.data["total"] == {"EUR": None}
    assert "no file states a balance of A" in answer.warnings


@pytest.mark.usefixtures("books")
def test_nothing_after_the_run_s_date_is_seen(ask: Ask) -> None:
    early = {"as_of": date(2026, 1, 30)}
    assert ask("ledger_transactions", early, end="2026-12-31").data["count"] == 5
    assert "nothing after 2026-01-30 is known" in ask("ledger_transactions", early, end="2026-12-31").warnings
    assert ask("ledger_balance", early).data["total"] == {"EUR": "3500.00"}
    assert ask("ledger_accounts", {"as_of": date(2025, 1, 1)}).code == "NO_DATA"


@pytest.mark.usefixtures("books")
def test_transactions_come_newest_first_and_are_counted_whole(ask: Ask) -> None:
    answer = ask("ledger_transactions", account="giro", limit=2)
    assert answer.column("rows", "source") == ["giro.csv:5", "giro.csv:6"]
    assert (answer.data["count"], answer.json["truncated"]) == (5, True)
    assert answer.data["sums"] == {"EUR": {"in": "2506.40", "out": "-1551.50", "net": "954.90"}}


def test_sums_keep_what_came_in_apart_from_what_went_out(ask: Ask, load: Load) -> None:
    rows = "Date,Payee,Amount\n2026-01-05,A,0.50\n2026-01-06,B,1\n2026-01-07,C,-0.25\n2026-01-08,D,0\n"
    load(rows, "a.csv", "--account", "A", "--currency", "EUR")
    assert ask("ledger_transactions").data["sums"] == {"EUR": {"in": "1.50", "out": "-0.25", "net": "1.25"}}


@pytest.mark.usefixtures("books")
def test_transactions_are_found_by_payee_and_size(ask: Ask) -> None:
    assert ask("ledger_transactions", payee="café").data["count"] == 2
    sized = ask("ledger_transactions", min_amount="500", max_amount="1100")
    assert sized.column("rows", "amount") == ["-1045.10", "500.00", "-500.00"]


@pytest.mark.usefixtures("books")
def test_account_numbers_in_texts_are_cut(ask: Ask) -> None:
    rows = ask("ledger_transactions", payee="Gehalt").data["rows"]
    assert rows[0]["memo"] == "Gehalt …3000"
    assert ask("ledger_transactions", payee="DE89370400440532013000").data["count"] == 0


@pytest.mark.usefixtures("books")
def test_a_number_of_rows_may_be_1_to_500(ask: Ask) -> None:
    assert len(ask("ledger_transactions", limit=1).data["rows"]) == 1
    assert len(ask("ledger_transactions", limit=500).data["rows"]) == 7
    for limit in (0, 501):
        assert f"limit {limit} is not between 1 and 500" in ask("ledger_transactions", limit=limit).text


@pytest.mark.usefixtures("books")
def test_a_size_includes_its_bounds(ask: Ask) -> None:
    sized = ask("ledger_transactions", min_amount="3.20", max_amount="500")
    assert sized.column("rows", "amount") == ["500.00", "-3.20", "-3.20", "-500.00"]


@pytest.mark.usefixtures("books")
def test_wrong_questions_are_told_so(ask: Ask) -> None:
    assert ask("ledger_balance", account="none").text.startswith(
        "BAD_INPUT: no account is called 'none'; there are: Giro"
    )
    assert ask("ledger_transactions", limit=0).code == "BAD_INPUT"
    assert ask("ledger_transactions", start="2026-02-01", end="2026-01-01").code == "BAD_INPUT"
    assert ask("ledger_balance", currency="USD").code == "NO_DATA"


@pytest.mark.usefixtures("books")
def test_spending_is_positive_and_without_transfers_between_own_accounts(ask: Ask) -> None:
    answer = ask("spending", start="2026-01-01", end="2026-01-31")
    assert answer.data["spending"]["EUR"]["total"] == "1051.50"
    assert "1 pairs of bookings in the books were taken as transfers" in answer.warnings
    assert "bookings have no category" in answer.warnings


@pytest.mark.usefixtures("books")
def test_spending_by_payee_names_where_it_stands(ask: Ask) -> None:
    groups = ask("spending", by="payee").data["spending"]["EUR"]["groups"]
    assert [(group["payee"], group["amount"], group["largest_at"]) for group in groups] == [
        ("Markt am Eck", "1045.10", ["giro.csv:5"]),
        ("Café Übel", "6.40", ["giro.csv:7"]),
    ]


@pytest.mark.usefixtures("books")
def test_spending_by_month_is_in_order(ask: Ask, load: Load) -> None:
    load("Date,Payee,Amount\n2025-12-05,A,-3\n2026-02-06,B,-5\n", "a.csv", "--account", "A", "--currency", "EUR")
    groups = ask("spending", by="month").data["spending"]["EUR"]["groups"]
    assert [(group["month"], group["amount"]) for group in groups] == [
        ("2025-12", "3"),
        ("2026-01", "1051.50"),
        ("2026-02", "5"),
    ]


@pytest.mark.usefixtures("books")
def test_an_income_statement_keeps_currencies_apart(ask: Ask, load: Load) -> None:
    load(KOREAN, "kb.csv", "--account", "KB")
    data = ask("income_statement", start="2026-01-01", end="2026-02-28").data
    assert data["income"]["EUR"]["total"] == "2507.65"
    assert data["net"] == {"EUR": "1456.15", "KRW": "2994500"}


def test_a_gap_between_files_is_told(ask: Ask, load: Load) -> None:
    for month in ("01", "04"):
        rows = f"Date,Payee,Amount\n2026-{month}-01,A,-1\n2026-{month}-28,B,-1\n"
        load(rows, f"{month}.csv", "--account", "A", "--currency", "EUR")
    answer = ask("spending", start="2026-01-01", end="2026-04-28")
    assert "no file of A covers the days between 2026-01-28 and 2026-04-01" in answer.warnings


def test_categories_come_from_the_rules_of_an_own_profile(load: Load, ask: Ask, home: Path) -> None:
    folder = home / "ledger-profiles"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(
        'account = "Mine"\ncurrency = "EUR"\n[columns]\ndate = ["When"]\namount = ["How much"]\npayee = ["Who"]\n'
        '[[category]]\nmatch = "coffee"\nname = "Eating out"\n'
        '[[category]]\nmatch = "broker"\nname = "Savings plan"\nkind = "transfer"\n'
    )
    rows = "When,Who,How much\n2026-01-02,COFFEE bar,-3.00\n2026-01-03,Other,-4.00\n2026-01-04,To broker,-50\n"
    load(rows, "mine.csv", "--profile", "mine")
    answer = ask("spending")
    groups = answer.data["spending"]["EUR"]["groups"]
    assert [(group["category"], group["amount"]) for group in groups] == [
        ("(uncategorised)", "4.00"),
        ("Eating out", "3.00"),
    ]
    assert "1 transfers, deposits or withdrawals have no other side" in answer.warnings


def test_a_new_rule_gives_stored_bookings_a_category(load: Load, ask: Ask, home: Path) -> None:
    rows = "When,Who,How much\n2026-01-02,Coffee,-3.00\n"
    profile = home / "ledger-profiles" / "mine.toml"
    profile.parent.mkdir(parents=True)
    plain = 'account = "M"\ncurrency = "EUR"\n[columns]\ndate = ["When"]\namount = ["How much"]\npayee = ["Who"]\n'
    profile.write_text(plain)
    load(rows, "m.csv")
    profile.write_text(plain + '[[category]]\nmatch = "coffee"\nname = "Cafés"\n')
    load(rows, "m.csv")
    assert ask("ledger_transactions").column("rows", "category") == ["Cafés"]


@pytest.mark.usefixtures("load")
def test_the_import_tool_looks_first_and_stays_in_the_workspace(
    ask: Ask, tmp_path: Path, file: Callable[..., Path]
) -> None:
    file(SAVINGS, "s.csv")
    within = {"workspace": tmp_path}
    given = {"path": "s.csv", "account": "S", "currency": "EUR"}
    looked = ask("import_statement", within, **given)
    assert (looked.data["wrote"], looked.data["rows"]["new"]) == (False, 2)
    assert ask("ledger_accounts").code == "NO_DATA"
    assert ask("import_statement", within, **given, dry_run=False).data["wrote"]
    assert ask("ledger_balance").data["total"] == {"EUR": "1501.25"}
    (tmp_path / "link.csv").symlink_to(tmp_path / "s.csv")
    for path in ("../s.csv", "/etc/passwd", "link.csv", "none.csv", "home/books.db", "", "a\0b"):
        assert ask("import_statement", within, path=path).code == "BAD_INPUT"


def test_the_import_tool_writes_nothing_where_a_row_is_bad(ask: Ask, tmp_path: Path, file: Callable[..., Path]) -> None:
    file(SAVINGS + "2026-02-30,Never,1.00,1.00\n", "s.csv")
    answer = ask("import_statement", {"workspace": tmp_path}, path="s.csv", account="S", currency="EUR", dry_run=False)
    assert not answer.data["wrote"]
    assert answer.data["rejected"][0]["source"] == "s.csv:4"
    assert "nothing was imported: 1 row is bad" in answer.warnings


def test_trades_are_neither_spent_nor_earned(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    data = ask("income_statement", start="2025-01-01", end="2025-12-31").data
    assert (data["expenses"], data["net"]) == ({}, {"USD": "4.00"})


def test_a_transfer_is_matched_once_and_with_the_nearest_day(load: Load, ask: Ask) -> None:
    out = "Date,Payee,Amount\n2026-01-05,X,-20\n2026-01-06,Y,-20\n2026-01-20,Z,-20\n"
    load(out, "a.csv", "--account", "A", "--currency", "EUR")
    load(
        "Date,Payee,Amount\n2026-01-06,From A,20\n2026-01-20,Shop,-1\n", "b.csv", "--account", "B", "--currency", "EUR"
    )
    groups = ask("spending", by="payee").data["spending"]["EUR"]["groups"]
    assert [group["payee"] for group in groups] == ["X", "Z", "Shop"]
