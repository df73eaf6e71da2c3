"""Transfers between own accounts: taken, proposed, accepted, rejected; money back against its category."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from answers import Answer
from earlier import make_earlier

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
Ask = Callable[..., Answer]
HEADER = "Date,Payee,Amount\n"
EUR = ("--currency", "EUR", "--sign", "money-out-negative")


def load_two(load: Load, out: str, into: str) -> None:
    load(HEADER + out, "a.csv", "--account", "Giro", *EUR)
    load(HEADER + into, "b.csv", "--account", "Spar", *EUR)


def listed(run: Run) -> list[dict[str, Any]]:
    code, out, err = run("transfers", "--json")
    assert code == 0, err
    found: list[dict[str, Any]] = json.loads(out)["pairs"]
    return found


def spent(ask: Ask) -> str:
    data = ask("spending").data["spending"]
    return str(data["EUR"]["total"]) if data else "0"


@pytest.mark.parametrize(
    ("out", "into"),
    [
        ("Transfer out", "Transfer in"),
        ("Übertrag", "Eingang"),
        ("An Spar", "Von Giro"),
        ("Jane Doe", "Jane Doe"),
        ("본인계좌 이체", "입금"),
        ("", ""),
    ],
    ids=["named", "one side named", "accounts named", "same text", "Korean", "no text"],
)
def test_a_pair_with_grounds_is_neither_spent_nor_earned(load: Load, ask: Ask, run: Run, out: str, into: str) -> None:
    load_two(load, f"2026-01-05,{out},-500.00\n2026-01-06,Shop,-1.00\n", f"2026-01-07,{into},500.00\n")
    assert spent(ask) == "1.00"
    assert "1 pairs of bookings in the books were taken as transfers" in ask("spending").warnings
    pair = listed(run)[0]
    assert (pair["from"], pair["to"], pair["amount"]) == ("Giro", "Spar", "500.00")
    assert pair["sources"] == ["a.csv:2", "b.csv:2"]


@pytest.mark.parametrize(
    ("out", "into"),
    [("Landlord", "ACME Ltd"), ("Miete Januar", "Gehalt"), ("Transfer to Anna", "ACME payroll"), ("월세", "급여")],
)
def test_a_salary_and_a_rent_of_the_same_size_are_both_counted(load: Load, ask: Ask, run: Run, out: str, into: str):
    load_two(load, f"2026-01-05,{out},-1500.00\n", f"2026-01-05,{into},1500.00\n")
    assert spent(ask) == "1500.00"
    assert "1 pairs of the same size, 1500.00 EUR in all, may be transfers" in ask("spending").warnings
    assert [pair["grounds"] for pair in listed(run)] == ["proposed"]


@pytest.mark.parametrize("into", ["2026-01-09,Transfer,500.00\n", "2026-01-05,Transfer,500.01\n"], ids=["day", "size"])
def test_four_days_or_a_cent_apart_is_no_pair(load: Load, ask: Ask, run: Run, into: str) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", into)
    assert listed(run) == []
    assert spent(ask) == "500.00"


def test_amounts_are_the_same_however_many_zeros_they_have(load: Load, run: Run) -> None:
    load_two(load, "2026-01-05,Transfer,-500\n", "2026-01-05,Transfer,500.00\n")
    assert len(listed(run)) == 1


def test_a_proposed_pair_is_accepted_and_the_verdict_taken_back(load: Load, ask: Ask, run: Run) -> None:
    load_two(load, "2026-01-05,Bank A,-1500.00\n", "2026-01-05,Bank B,1500.00\n")
    pair = listed(run)[0]["id"]
    assert run("transfers", "--accept", pair)[0] == 0
    assert [one["grounds"] for one in listed(run)] == ["accepted"]
    assert spent(ask) == "0"
    run("transfers", "--reset", pair)
    assert [one["grounds"] for one in listed(run)] == ["proposed"]
    assert spent(ask) == "1500.00"


def test_a_transfer_is_rejected_and_the_verdict_taken_back(load: Load, ask: Ask, run: Run) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", "2026-01-05,Transfer,500.00\n")
    pair = listed(run)[0]["id"]
    run("transfers", "--reject", pair)
    assert spent(ask) == "500.00"
    assert [one["grounds"] for one in listed(run)] == ["rejected"]
    run("transfers", "--reset", pair)
    assert spent(ask) == "0"


def test_a_verdict_outlives_later_imports(load: Load, ask: Ask, run: Run) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", "2026-01-05,Transfer,500.00\n")
    run("transfers", "--reject", listed(run)[0]["id"])
    load(HEADER + "2026-01-20,Transfer,500.00\n2026-01-21,Shop,-500.00\n", "c.csv", "--account", "Spar", *EUR)
    assert [one["grounds"] for one in listed(run)] == ["rejected"]


@pytest.mark.parametrize("given", ["nothing", "'; DROP TABLE entries", "x" * 100])
def test_an_unknown_pair_is_refused_and_named(load: Load, run: Run, given: str) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", "2026-01-05,Transfer,500.00\n")
    code, _, err = run("transfers", "--accept", given)
    assert code == 2
    assert "is no pair; see finclaw ledger transfers" in err


def test_pairs_do_not_depend_on_the_order_of_imports(load: Load, run: Run, home: Path) -> None:
    files = {
        "a": "2026-01-05,Transfer,-500.00\n2026-01-06,Transfer,-500.00\n2026-01-08,Anna,-500.00\n",
        "b": "2026-01-06,Transfer,500.00\n2026-01-08,Refund,500.00\n",
        "c": "2026-01-05,Von a,500.00\n2026-01-09,Anna,500.00\n",
    }
    found = []
    for order in permutations(files):
        for path in home.glob("books.db*"):
            path.unlink()
        for name in order:
            load(HEADER + files[name], f"{name}.csv", "--account", name, *EUR)
        found.append([(one["grounds"], *one["sources"]) for one in listed(run)])
    assert [one[0] for one in found[0]] == ["same text", "named", "named"]
    assert all(one == found[0] for one in found)


def test_as_of_a_day_between_both_sides_it_is_no_transfer_yet(load: Load, ask: Ask) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", "2026-01-07,Transfer,500.00\n")
    early = ask("spending", {"as_of": date(2026, 1, 6)})
    assert early.data["spending"]["EUR"]["total"] == "500.00"


def test_books_of_an_earlier_version_have_their_pairs_found(load: Load, ask: Ask, home: Path) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n2026-01-06,Shop,-1.00\n", "2026-01-05,Transfer,500.00\n")
    make_earlier(home / "books.db", 3)
    assert spent(ask) == "1.00"


def test_pairs_found_by_other_rules_are_found_anew(load: Load, run: Run, home: Path) -> None:
    load_two(load, "2026-01-05,Transfer,-500.00\n", "2026-01-05,Transfer,500.00\n")
    with sqlite3.connect(home / "books.db") as connection:
        connection.execute("DELETE FROM transfers")
        connection.execute("UPDATE pairing SET rules = 0")
    connection.close()
    assert len(listed(run)) == 1


CATEGORIES = """
[columns]
date = ["Date"]
payee = ["Payee"]
amount = ["Amount"]
[[category]]
match = "Market"
name = "groceries"
[[category]]
match = "ACME"
name = "salary"
"""


@pytest.fixture
def with_categories(home: Path) -> tuple[str, ...]:
    folder = home / "ledger-profiles"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(CATEGORIES)
    return ("--profile", "mine", "--account", "Giro", *EUR)


def test_money_back_is_taken_off_its_category(load: Load, ask: Ask, with_categories: tuple[str, ...]) -> None:
    rows = "2026-01-05,Market,-80.00\n2026-01-09,Market,15.00\n2026-01-30,ACME,2000.00\n2026-02-02,Market,5.00\n"
    load(HEADER + rows, "a.csv", *with_categories)
    january = ask("income_statement", start="2026-01-01", end="2026-01-31").data
    assert january["expenses"]["EUR"]["total"] == "65.00"
    assert january["income"]["EUR"]["groups"][0]["category"] == "salary"
    assert january["net"] == {"EUR": "1935.00"}
    # A month in which only money came back: less than nothing was spent.
    february = ask("spending", start="2026-02-01", end="2026-02-28").data["spending"]["EUR"]
    assert (february["total"], february["groups"][0]["category"]) == ("-5.00", "groceries")


@pytest.mark.parametrize(("text", "total"), [("REFUND Shop", "25.00"), ("환불 쿠팡", "25.00"), ("Anna", "30.00")])
def test_without_a_category_a_refund_is_known_by_its_name(load: Load, ask: Ask, text: str, total: str) -> None:
    load(HEADER + f"2026-01-05,Shop,-30.00\n2026-01-09,{text},5.00\n", "a.csv", "--account", "Giro", *EUR)
    assert spent(ask) == total
