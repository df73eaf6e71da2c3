from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from answers import Answer
from cases import ACME, GLOBEX, HEAD, YEAR

Ask = Callable[..., Answer]
Store = Callable[..., None]
Book = Callable[..., None]


@pytest.fixture
def two(store: Store) -> None:
    store("ACME", ACME)
    store("GLOBEX", GLOBEX)


@pytest.mark.usefixtures("two")
def test_the_books_give_positions_with_their_lots(ask: Ask, book: Book) -> None:
    book(YEAR)
    answer = ask("ledger_portfolio")
    first = answer.data["positions"][0]
    assert (first["symbol"], first["quantity"], first["value"], first["cost"]) == ("ACME", "15", "1050.00", "753.75")
    assert first["lots"] == [
        {"lot": "trades.csv:2", "bought": "2024-01-02", "quantity": "15", "cost": "753.75", "currency": "USD"}
    ]
    assert (answer.data["value"], answer.data["gain"]) == ("2250.00", "394.25")
    assert "cash without Depot: no file states its balance" in answer.warnings


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("context", [{}, {"as_of": date(2024, 3, 1)}])
def test_an_earlier_day_has_the_trades_and_prices_of_then(ask: Ask, book: Book, context: dict[str, date]) -> None:
    book(YEAR)
    answer = ask("ledger_portfolio", context, **({} if context else {"as_of": "2024-03-01"}))
    assert [(row["symbol"], row["value"]) for row in answer.data["positions"]] == [
        ("ACME", "1100.00"), ("GLOBEX", "1100.00")
    ]  # fmt: skip
    assert answer.json["as_of"] == "2024-03-01"


@pytest.mark.usefixtures("two")
def test_the_balance_that_a_statement_has_is_cash_of_the_portfolio(ask: Ask, book: Book) -> None:
    rows = YEAR.replace("Currency\n", "Currency,Balance\n").replace(",USD\n", ",USD,\n")
    profile = rows + "2024-09-17,interest,,,,,1,USD,500\n"
    book(profile)
    rows_of = {row["symbol"]: row["value"] for row in ask("ledger_portfolio").data["positions"]}
    assert rows_of.get("CASH") in {None, "500.00"}


@pytest.mark.usefixtures("two")
def test_what_is_held_in_unknown_quantities_makes_the_whole_incomplete(ask: Ask, book: Book) -> None:
    book(YEAR + "2024-10-01,sell,GLOBEX,30,57,0,,USD\n")
    answer = ask("ledger_portfolio")
    assert (answer.data["value"], answer.data["incomplete"]) == ("1050.00", ["GLOBEX"])
    assert "value and gain are without GLOBEX" in answer.warnings


@pytest.mark.usefixtures("two")
def test_targets_give_trades_for_the_books(ask: Ask, book: Book) -> None:
    book(YEAR)
    found = ask("ledger_portfolio", targets={"ACME": "0.5", "GLOBEX": "0.5"}, sell=False, contribution="300")
    trades = {row["symbol"]: row["trade"] for row in found.data["rebalance"]["targets"]}
    # 2550 is to be halved: 1275 - 1050 for ACME at 70, 1275 - 1200 for GLOBEX at 60.
    assert trades["ACME"] == {"side": "buy", "quantity": "3", "amount": "210.00"}
    assert trades["GLOBEX"] == {"side": "buy", "quantity": "1", "amount": "60.00"}


def test_without_books_nothing_is_made_up(ask: Ask) -> None:
    assert ask("ledger_portfolio").code == "NO_DATA"


@pytest.mark.usefixtures("two")
def test_books_without_securities_are_no_portfolio(ask: Ask, book: Book) -> None:
    book(HEAD + "2024-01-02,deposit,,,,,100,USD\n")
    assert "the books have no purchases or sales of securities" in ask("ledger_portfolio").text


QUERY = """#!{python}
import sys

if "#entries" in sys.argv[-1]:
    print("count(1)\\n0")
elif "content" in sys.argv[-1]:
    print("line")
else:
    print("date,account,payee,narration,str(number),currency,str(cost_number),cost_currency,filename,lineno")
    print("2024-01-02,Assets:Broker,,Buy,10,ACME,100.00,USD,main.beancount,3")
    print("2024-01-02,Assets:Cash,,Buy,-1000.00,USD,,,main.beancount,4")
"""
"""A stand-in for `bean-query` with the postings of one purchase."""


@pytest.mark.usefixtures("two")
def test_books_of_beancount_give_positions_and_no_gains_of_sales(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, books = tmp_path / "bean-query", tmp_path / "main.beancount"
    program.write_text(QUERY.format(python=sys.executable))
    program.chmod(0o755)
    books.write_text('2024-01-02 * "Buy"\n')
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = {"settings": {"beancount_file": str(books)}, "as_of": date(2024, 3, 1)}
    answer = ask("ledger_portfolio", settings)
    row = answer.data["positions"][0]
    assert (row["symbol"], row["quantity"], row["cost"], row["value"]) == ("ACME", "10", "1000.00", "1100.00")
    assert "do not state the proceeds of a sale" in ask("realised_gains", settings).text
