"""The books depend on what the files hold, and not on the order in which they were imported."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from answers import Answer
from conftest import TOOLS
from earlier import make_earlier
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.testing.tools import run_tool
from finclaw_ledger.csvreader import Given
from finclaw_ledger.importer import Plan, import_raw
from finclaw_ledger.textfile import read_raw

Load = Callable[..., str]
Ask = Callable[..., Answer]
Part = tuple[str, str]

TRADES = "Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency\n"
MOVES = "Date,Description,Amount,Balance\n"
OPTIONS = ("--account", "A", "--currency", "USD", "--sign", "money-out-negative")
GIVEN = Given(account="A", currency="USD", sign="money-out-negative")
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("holdings", {}),
    ("ledger_balance", {}),
    ("ledger_accounts", {}),
    ("ledger_transactions", {}),
    ("spending", {"by": "category"}),
    ("income_statement", {"start": "2026-01-01", "end": "2026-12-31"}),
)


Questions = Sequence[tuple[str, dict[str, Any]]]


def books(home: Path, files: Sequence[Part], questions: Questions = QUESTIONS) -> dict[str, Any]:
    """The answers of all tools after these files were imported in this order, without the time of the import."""
    for name, text in files:
        path = home.parent / name
        path.write_text(text, encoding="utf-8")
        import_raw(read_raw(path), home, Plan(given=GIVEN, write=True))
    return {tool: asked(home, tool, arguments) for tool, arguments in questions}


def asked(home: Path, tool: str, arguments: dict[str, Any]) -> Any:
    result = run_tool(TOOLS[tool], arguments, home=home)
    if result.is_error:
        return result.content
    found = json.loads(result.content)
    for source in found.get("sources", []):
        del source["retrieved_at"]
    return found


def in_every_order(tmp_path: Path, files: Sequence[Part]) -> dict[str, Any]:
    """The books, which must be the same in every order of import."""
    found = []
    for number, order in enumerate(itertools.permutations(files)):
        folder = tmp_path / str(number)
        folder.mkdir()
        found.append(books(folder / "home", order))
    for other in found[1:]:
        assert other == found[0]
    return found[0]


def test_a_purchase_and_a_sale_of_one_day_in_two_files(tmp_path: Path) -> None:
    bought = TRADES + "2026-01-05,Buy,ACME,10,100,0,-1000,USD\n"
    sold = TRADES + "2026-01-05,Sell,ACME,10,130,0,1300,USD\n"
    earlier = TRADES + "2026-01-02,Buy,ACME,10,90,0,-900,USD\n"
    found = in_every_order(tmp_path, [("a.csv", bought), ("b.csv", sold)])
    assert found["holdings"]["data"]["holdings"][0]["realised"] == "300"
    (tmp_path / "more").mkdir()
    found = in_every_order(tmp_path / "more", [("a.csv", bought), ("b.csv", sold), ("c.csv", earlier)])
    row = found["holdings"]["data"]["holdings"][0]
    assert (row["quantity"], row["cost"], row["realised"]) == ("10", "1000", "400")


def test_a_purchase_counts_before_a_sale_of_that_day_in_a_file_that_comes_earlier(tmp_path: Path) -> None:
    sold = TRADES + "2026-01-05,Sell,ACME,10,130,0,1300,USD\n"
    bought = TRADES + "2026-01-05,Buy,ACME,10,100,0,-1000,USD\n2026-01-06,Buy,OTHER,1,5,0,-5,USD\n"
    found = in_every_order(tmp_path, [("a.csv", sold), ("b.csv", bought)])
    row = found["holdings"]["data"]["holdings"][0]
    assert (row["symbol"], row["quantity"], row["realised"]) == ("ACME", "0", "300")


def test_within_a_file_its_own_order_of_a_day_counts(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,Buy,ACME,10,100,0,-1000,USD\n2026-01-05,Buy,ACME,10,120,0,-1200,USD\n"
    load(TRADES + rows + "2026-01-06,Sell,ACME,10,130,0,1300,USD\n", "t.csv", "--account", "A")
    assert ask("holdings").data["holdings"][0]["realised"] == "300"


def test_rows_of_a_day_stand_as_in_their_file_whatever_their_amounts_are(load: Load, ask: Ask) -> None:
    rows = "2026-01-05,A,20,\n2026-01-05,B,30,\n2026-01-05,C,10,\n2026-01-05,D,-5,\n"
    load(MOVES + rows, "a.csv", "--account", "A", "--currency", "USD")
    assert [row["payee"] for row in ask("ledger_transactions").data["rows"]] == ["D", "C", "B", "A"]


def test_a_split_of_the_day_in_another_file_comes_before_the_trades(tmp_path: Path) -> None:
    files = [
        ("a.csv", TRADES + "2026-01-02,Buy,ACME,10,100,0,-1000,USD\n"),
        ("b.csv", TRADES + "2026-01-05,Split,ACME,10,,,,USD\n"),
        ("c.csv", TRADES + "2026-01-05,Sell,ACME,50,11,0,550,USD\n2026-01-05,Buy,ACME,1,11,0,-11,USD\n"),
    ]
    row = in_every_order(tmp_path, files)["holdings"]["data"]["holdings"][0]
    assert (row["quantity"], row["cost"], row["realised"]) == ("51", "511", "50")


def test_statements_that_meet_in_the_middle_of_a_day(tmp_path: Path) -> None:
    first = MOVES + "2026-01-02,Pay,100,100\n2026-01-05,Shop,-10,90\n"
    second = MOVES + "2026-01-05,Cafe,-5,85\n2026-01-05,Bar,-7,78\n2026-01-09,Rent,-20,58\n"
    third = MOVES + "2026-01-09,Gift,12,70\n"
    found = in_every_order(tmp_path, [("a.csv", first), ("b.csv", second), ("c.csv", third)])
    balance = found["ledger_balance"]["data"]["balances"][0]
    assert (balance["balance"], balance["basis"]) == ("70", "stated by the file")
    rows = [row["payee"] for row in found["ledger_transactions"]["data"]["rows"]]
    assert rows == ["Gift", "Rent", "Bar", "Cafe", "Shop", "Pay"]


def test_two_exports_of_one_day_are_put_in_order_by_their_balances(tmp_path: Path) -> None:
    parts = [
        ("a.csv", "2026-01-05,Cafe,-5,85\n"),
        ("b.csv", "2026-01-05,Shop,-10,90\n"),
        ("c.csv", "2026-01-05,Bar,5,90\n"),
    ]
    found = in_every_order(tmp_path, [(name, MOVES + rows) for name, rows in parts])
    assert found["ledger_balance"]["data"]["total"] == {"USD": "90"}


def test_overlapping_exports_are_cited_alike(tmp_path: Path) -> None:
    rows = ["2026-01-02,Pay,100,100\n", "2026-01-03,Shop,-10,90\n", "2026-01-03,Cafe,-5,85\n", "2026-01-04,Bar,-5,80\n"]
    files = [
        ("a.csv", MOVES + "".join(rows[:2])),
        ("b.csv", MOVES + "".join(rows[1:])),
        ("c.csv", MOVES + "".join(rows)),
    ]
    found = in_every_order(tmp_path, files)
    assert found["ledger_balance"]["data"]["total"] == {"USD": "80"}
    sources = [row["source"] for row in found["ledger_transactions"]["data"]["rows"]]
    assert sources == ["c.csv:5", "c.csv:4", "a.csv:3", "a.csv:2"]


def test_a_category_is_that_of_the_earliest_file_that_gives_one(tmp_path: Path) -> None:
    head, row = "Date,Description,Amount,Balance,Category\n", "2026-01-03,Shop,-10,90,{}\n"
    files = [
        ("a.csv", head + "2026-01-02,Pay,100,100,\n" + row.format("")),
        ("b.csv", head + row.format("Food") + "2026-01-04,Bar,-5,85,\n"),
        ("c.csv", head + row.format("Drinks") + "2026-01-05,Bar,-5,80,\n"),
    ]
    groups = in_every_order(tmp_path, files)["spending"]["data"]["spending"]["USD"]["groups"]
    assert {group["category"] for group in groups} == {"Food", "(uncategorised)"}


def ofx(day: str, rows: str, balance: str) -> str:
    return (
        "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20260101<DTEND>{day}{rows}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{balance}<DTASOF>{day}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )


def test_of_two_balances_stated_for_a_day_the_fuller_statement_s_counts(tmp_path: Path) -> None:
    row = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>-{0}.00<FITID>F{0}<NAME>S</STMTTRN>"
    morning = ofx("20260105", row.format(1), "99.00")
    evening = ofx("20260105", row.format(1) + row.format(2), "97.00")
    found = in_every_order(tmp_path, [("a.ofx", evening), ("b.ofx", morning)])
    assert found["ledger_balance"]["data"]["total"] == {"USD": "97.00"}


def test_of_two_closing_balances_of_a_day_in_one_file_the_last_counts(load: Load, ask: Ask) -> None:
    pages = (
        ":20:A\n:25:1/2\n:60F:C260104EUR100,\n:61:2601050105DR10,N033NONREF\n:86:x\n:62M:C260105EUR90,\n-\n"
        ":20:A\n:25:1/2\n:60M:C260105EUR90,\n:61:2601050105DR20,N033NONREF\n:86:y\n:62F:C260105EUR70,\n-\n"
    )
    load(pages, "m.sta")
    assert ask("ledger_balance").data["total"] == {"EUR": "70"}


def test_where_nothing_shows_which_balance_is_the_last_there_is_none(tmp_path: Path) -> None:
    found = in_every_order(
        tmp_path, [("a.csv", MOVES + "2026-01-05,Shop,-10,90\n"), ("b.csv", MOVES + "2026-01-05,Gift,10,100\n")]
    )
    balance = found["ledger_balance"]["data"]["balances"][0]
    assert (balance["balance"], balance["change"]) == (None, "0")
    assert balance["basis"] == "files state several balances of a day, and nothing shows which is the last"


amounts = st.lists(st.integers(-50, 50).filter(bool), min_size=2, max_size=10)


@settings(max_examples=25)
@given(amounts, st.data())
def test_however_a_statement_is_cut_the_last_balance_is_that_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, given: list[int], data: st.DataObject
) -> None:
    days = sorted(data.draw(st.lists(st.integers(5, 8), min_size=len(given), max_size=len(given))))
    rows, balance = [], Decimal(1000)
    for number, (day, amount) in enumerate(zip(days, given, strict=True)):
        balance += amount
        rows.append(f"2026-01-{day:02},P{number},{amount},{balance}\n")
    cuts = sorted(data.draw(st.sets(st.integers(1, len(rows) - 1), min_size=1, max_size=3)))
    edges = [0, *cuts, len(rows)]
    files = [
        (f"{number}.csv", MOVES + "".join(rows[max(0, start - data.draw(st.integers(0, 2))) : stop]))
        for number, (start, stop) in enumerate(itertools.pairwise(edges))
    ]
    orders = [files, data.draw(st.permutations(files))]
    found = [books(tmp_path_factory.mktemp("books") / "home", order, QUESTIONS[1:4:2]) for order in orders]
    assert found[0] == found[1]
    total = found[0]["ledger_balance"]["data"]["total"]["USD"]
    # A single day that ends where it began, cut into several files, shows no end.
    assert Decimal(total) == balance if total else len(set(days)) == 1 and sum(given) == 0
    assert found[0]["ledger_transactions"]["data"]["count"] == len(rows)


trade = st.tuples(st.integers(5, 7), st.sampled_from(["Buy", "Sell"]), st.integers(1, 9), st.integers(1, 99))


@settings(max_examples=25)
@given(st.lists(trade, min_size=2, max_size=8, unique=True), st.data())
def test_however_trades_are_divided_the_gain_does_not_hang_on_the_order_of_import(
    tmp_path_factory: pytest.TempPathFactory, trades: list[tuple[int, str, int, int]], data: st.DataObject
) -> None:
    files: dict[int, list[str]] = {}
    for day, side, units, price in trades:
        sign = "-" if side == "Buy" else ""
        for number in data.draw(st.sets(st.integers(0, 2), min_size=1)):
            files.setdefault(number, []).append(
                f"2026-01-{day:02},{side},A,{units},{price},0,{sign}{units * price},USD\n"
            )
    parts = [(f"{number}.csv", TRADES + "".join(rows)) for number, rows in files.items()]
    orders = [parts, data.draw(st.permutations(parts))]
    found = [books(tmp_path_factory.mktemp("books") / "home", order, QUESTIONS[:1]) for order in orders]
    assert found[0] == found[1]


def test_books_of_an_earlier_version_are_read_and_added_to(home: Path, load: Load, ask: Ask) -> None:
    load(MOVES + "2026-01-02,Pay,100,100\n", "a.csv", *OPTIONS)
    make_earlier(home / "books.db", 2)
    assert ask("ledger_balance").data["total"] == {"USD": "100"}
    load(MOVES + "2026-01-05,Shop,-10,90\n", "b.csv", "--account", "A", "--currency", "USD")
    assert ask("ledger_balance").data["total"] == {"USD": "90"}
