from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st
from statements import SAVINGS, TRADES

from finclaw_ledger.actions import missing_splits
from finclaw_ledger.books import Booking
from finclaw_ledger.dates import today
from finclaw_ledger.lots import positions

Load = Callable[..., str]
Ask = Callable[..., Answer]


def test_the_oldest_purchases_are_sold_first_with_their_fees(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    answer = ask("holdings")
    # 10 at 1001 and half of 10 at 1201 were sold for 1948.50.
    assert answer.data["holdings"][0] == {
        "symbol": "ACME",
        "quantity": "5",
        "cost": "600.5",
        "currency": "USD",
        "realised": "347",
        "trades": 3,
        "largest_at": ["t.csv:4", "t.csv:3", "t.csv:2"],
    }
    assert answer.json["method"]["convention"].startswith("FIFO per account")
    assert "no market values" in answer.warnings


def test_flows_have_the_signs_that_a_rate_of_return_needs(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    assert ask("holdings").data["flows"]["USD"] == [
        ["2025-03-01", "-1001.00"],
        ["2025-06-01", "-1201.00"],
        ["2025-09-01", "1948.50"],
        ["2025-10-01", "4.00"],
    ]


def test_an_earlier_day_knows_no_later_trade(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    assert ask("holdings", date="2025-07-01").data["quantities"] == {"ACME": "20"}
    assert ask("holdings", date="2025-01-01").code == "NO_DATA"
    assert ask("holdings", date="2026-01-01").code == "NO_DATA"


def test_holdings_are_known_from_the_first_day_that_is_covered_to_the_last(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    since = "counted from what was traded since 2025-03-01: what was held before is not in the books"
    for day in ("2025-03-01", "2025-10-01"):
        answer = ask("holdings", date=day)
        assert (answer.data["date"], answer.json["as_of"]) == (day, day)
        assert since in answer.json["method"]["convention"]
    for day in ("2025-02-28", "2025-10-02"):
        known = f"holdings on {day} are not covered; the books cover B: 2025-03-01 to 2025-10-01"
        assert known in ask("holdings", date=day).text


@pytest.mark.parametrize(
    ("day", "is_noted"), [("2025-05-31", True), ("2025-06-01", False), ("2025-07-01", False), ("2025-07-02", True)]
)
def test_an_account_that_is_not_covered_on_the_day_is_noted(load: Load, ask: Ask, day: str, *, is_noted: bool) -> None:
    load(TRADES, "t.csv", "--account", "B")
    rows = "2025-06-01,Buy,OTHER,1,5,0,-5,USD\n2025-07-01,Buy,OTHER,1,5,0,-5,USD\n"
    load(HEAD + rows, "u.csv", "--account", "C")
    note = f"not covered on {day}: C: 2025-06-01 to 2025-07-01"
    assert (note in ask("holdings", date=day).warnings) is is_noted


def test_a_split_changes_quantities_and_no_cost(load: Load, ask: Ask) -> None:
    load(TRADES + "2025-11-01,Split,ACME,4,,,,USD\n", "t.csv", "--account", "B")
    row = ask("holdings").data["holdings"][0]
    assert (row["quantity"], row["cost"]) == ("20", "600.5")


HEAD = "Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency\n"
SPLIT = "2025-11-01,Split,ACME,4,,,,USD\n"


def test_a_split_that_two_files_of_an_account_have_counts_once(load: Load, ask: Ask) -> None:
    load(TRADES + SPLIT, "t.csv", "--account", "B")
    load(HEAD + "2025-11-03,Split,ACME,4,,,,USD\n", "u.csv", "--account", "B")
    answer = ask("holdings")
    assert answer.data["quantities"] == {"ACME": "20"}
    assert "the split of ACME on 2025-11-03 is in another row of B already: counted once" in answer.warnings


def test_a_price_store_that_cannot_be_read_is_an_error_and_not_a_store_without_splits(
    load: Load, ask: Ask, home: Path
) -> None:
    pytest.importorskip("finclaw_market")  # without it, splits are those of the books alone
    load(
        "Date,Type,Symbol,Quantity,Price,Amount,Currency\n2025-01-02,buy,ACME,10,5,-50,USD\n", "a.csv", "--account", "A"
    )
    (home / "market.db").write_bytes(b"not a database at all, but long enough" * 30)
    answer = ask("holdings")
    assert answer.code == "NOT_CONFIGURED"
    assert "market.db" in answer.text


def test_a_split_that_only_one_account_has_leaves_the_quantity_open(load: Load, ask: Ask) -> None:
    load(TRADES + SPLIT, "t.csv", "--account", "B")
    load(
        HEAD + "2025-03-01,Buy,ACME,10,100,0,-1000,USD\n2025-12-01,Buy,ACME,1,30,0,-30,USD\n", "u.csv", "--account", "C"
    )
    answer = ask("holdings")
    row = answer.data["holdings"][0]
    assert (row["quantity"], row["traded"]) == (None, "31")
    assert "ACME" not in answer.data["quantities"]
    assert "ACME was split on 2025-11-01, and an account that held it has no row of that" in answer.warnings
    assert ask("holdings", date="2025-10-31").data["quantities"] == {"ACME": "15"}


@pytest.mark.parametrize(
    ("rows", "quantity"),
    [
        ("2025-03-01,Buy,ACME,10,100,0,-1000,USD\n2025-11-05,Split,ACME,4,,,,USD\n", "60"),
        ("2025-03-01,Buy,ACME,40,25,0,-1000,USD\n2025-11-01,Split,ACME,1,,,,USD\n", "60"),
        ("2025-11-02,Buy,ACME,40,25,0,-1000,USD\n", "60"),
        ("2025-03-01,Buy,ACME,10,100,0,-1000,USD\n2025-04-01,Sell,ACME,10,100,0,1000,USD\n", "20"),
    ],
)
def test_an_account_with_the_split_or_with_nothing_before_it_is_counted(
    load: Load, ask: Ask, rows: str, quantity: str
) -> None:
    load(TRADES + SPLIT, "t.csv", "--account", "B")
    load(HEAD + rows, "u.csv", "--account", "C")
    assert ask("holdings").data["quantities"] == {"ACME": quantity}


def test_more_sold_than_bought_is_not_called_a_holding(load: Load, ask: Ask) -> None:
    load(TRADES + "2025-12-01,Sell,GONE,3,5,0,15,USD\n", "t.csv", "--account", "B")
    answer = ask("holdings")
    row = answer.data["holdings"][1]
    assert (row["quantity"], row["traded"], row["cost"]) == (None, "-3", None)
    assert answer.data["quantities"] == {"ACME": "5"}
    assert "GONE: purchases before the books begin, or sold short" in answer.warnings


@pytest.mark.parametrize(
    "rows",
    [
        "2025-12-01,Sell,GONE,3,5,0,15,USD\n",
        "2025-12-01,Sell,GONE,3,5,0,15,USD\n2025-12-02,Buy,GONE,3,5,0,-15,USD\n",
        "2025-12-01,Dividend,GONE,,,,4.00,USD\n",
    ],
)
def test_flows_without_all_purchases_are_no_flows(load: Load, ask: Ask, rows: str) -> None:
    euro = "2025-12-03,Buy,SAP,1,100,0,-100,EUR\n"
    load(TRADES + rows + euro, "t.csv", "--account", "B")
    answer = ask("holdings")
    assert answer.data["flows"] == {"USD": None, "EUR": [["2025-12-03", "-100"]]}
    assert "no flows in USD: they are incomplete, purchases of GONE are not in the books" in answer.warnings


def test_cash_is_what_files_state(load: Load, ask: Ask) -> None:
    load(TRADES, "t.csv", "--account", "B")
    load(SAVINGS, "s.csv", "--account", "S", "--currency", "EUR")
    answer = ask("holdings")
    assert answer.data["cash"] == {"EUR": "1501.25"}
    assert "cash without B: no file states its balance" in answer.warnings


@pytest.mark.parametrize(
    ("row", "cash"),
    [
        ("Kauf,ACME,10,100,1,,", "-1001"),
        ("매수,ACME,10,100,1,1000,", "-1001"),
        ("buy,ACME,-10,100,1,1001,", "-1001"),
        ("Verkauf,ACME,10,100,1,,", "999"),
        ("dividend,ACME,,,,4,", "4"),
        ("fee,,,,2,,", "-2"),
    ],
)
def test_signs_are_the_same_whatever_a_broker_writes(load: Load, ask: Ask, row: str, cash: str) -> None:
    load(
        f"Date,Side,Symbol,Quantity,Price,Fee,Amount,Name\n2026-01-05,{row}x\n",
        "t.csv",
        "--account",
        "B",
        "--currency",
        "USD",
    )
    assert ask("ledger_transactions").data["sums"]["USD"]["net"] == cash


def test_an_amount_that_does_not_fit_is_told(load: Load) -> None:
    rows = "Date,Side,Symbol,Quantity,Price,Fee,Amount,Currency\n2026-01-05,buy,A,10,100,1,1500,USD\n"
    said = load(rows, "t.csv", "--account", "B")
    assert "warning: t.csv: line 2: amount 1500 is neither quantity × price (1000) nor that with the fee" in said


numbers = st.decimals(min_value="0.0001", max_value="1000", places=4)
trades = st.lists(st.tuples(st.sampled_from(["buy", "sell"]), numbers, numbers), max_size=30)


@given(trades)
def test_units_and_money_are_conserved(given: list[tuple[str, Decimal, Decimal]]) -> None:
    bookings = [
        Booking(
            day=today(), account="B", amount=-cash if kind == "buy" else cash, currency="USD", payee="", memo="",
            category=None, kind=kind, file=1, line=1, symbol="A", quantity=units,
        )
        for kind, units, cash in given
    ]  # fmt: skip
    held, short = Fraction(0), False
    for item in bookings:
        held += Fraction(item.quantity or 0) * (1 if item.kind == "buy" else -1)
        short = short or held < 0
    for one in positions(bookings):
        assert one.quantity == held
        # What was gained, less what is still tied up, is all the money that moved.
        if not short and one.cost is not None:
            assert one.realised - one.cost == sum((Fraction(item.amount) for item in bookings), Fraction(0))


def posting(day: str, units: str, cost: str) -> Booking:
    return Booking(
        day=date.fromisoformat(day), account="Assets:Broker", amount=Decimal(units), currency="ACME", payee="", memo="",
        category=None, kind="payment", file=1, line=1, lot=(Decimal(cost), "USD"),
    )  # fmt: skip


def test_in_double_entry_books_a_split_is_lots_out_and_lots_in() -> None:
    bought = posting("2024-01-03", "10", "100")
    known = {"ACME": [date(2024, 2, 1)]}
    assert missing_splits([bought], known) == {"ACME": date(2024, 2, 1)}
    assert missing_splits([bought, posting("2024-02-02", "5", "10")], known) == {"ACME": date(2024, 2, 1)}
    exchanged = [bought, posting("2024-02-02", "-10", "100"), posting("2024-02-02", "100", "10")]
    assert missing_splits(exchanged, known) == {}
