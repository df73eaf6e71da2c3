from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from answers import Answer
from cases import ACME, HEAD, LOTS, NAMED
from hypothesis import given
from hypothesis import strategies as st

from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Order, oldest_first, positions
from finclaw_portfolio.lot_orders import at_average_cost, newest_first

Ask = Callable[..., Answer]
Store = Callable[..., None]
Book = Callable[..., None]
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))["gains"]
ROWS = HEAD + "".join(f"{day},{side},ACME,{units},{price},{fee},,USD\n" for day, side, units, price, fee in LOTS)
PLACES = {day: f"trades.csv:{line}" for line, (day, *_) in enumerate(LOTS, 2)}
LOTS_OF = {PLACES[sale]: [f"{PLACES[lot]}={units}" for lot, units in lots] for sale, lots in NAMED.items()}


def by_day(answer: Answer, name: str = "gain") -> dict[str, str]:
    return {sale["date"]: sale[name] for sale in answer.data["sales"]}


@pytest.mark.parametrize("method", ["fifo", "lifo", "specific"])
def test_gains_are_those_that_beancount_books(ask: Ask, book: Book, method: str) -> None:
    book(ROWS)
    lots = {"lots": LOTS_OF} if method == "specific" else {}
    found = by_day(ask("realised_gains", method=method, **lots))
    assert found == {day: f"{Decimal(gain):.2f}" for day, gain in GOLDEN[method].items()}


def test_at_average_cost_each_unit_costs_the_average_of_what_is_held(ask: Ask, book: Book) -> None:
    book(ROWS)
    average = Fraction(1001 + Fraction("960.5") + 542, 24)
    gains = {"2024-02-12": 14 * 130 - 3 - 14 * average, "2024-08-12": 5 * 80 - 1 - 5 * average}
    assert by_day(ask("realised_gains", method="average")) == {day: f"{float(gain):.2f}" for day, gain in gains.items()}


def test_a_sale_names_its_lots_with_cost_and_days(ask: Ask, book: Book) -> None:
    book(ROWS)
    answer = ask("realised_gains")
    sale = answer.data["sales"][0]
    assert (sale["sale"], sale["proceeds"], sale["fee"], sale["cost"]) == (
        "trades.csv:5", "1817.00", "3.00", "1481.25"
    )  # fmt: skip
    assert sale["lots"] == [
        {"lot": "trades.csv:2", "bought": "2023-01-10", "quantity": "10", "cost": "1001.00", "days": 398},
        {"lot": "trades.csv:3", "bought": "2023-05-10", "quantity": "4", "cost": "480.25", "days": 278},
    ]
    assert "wash sales are not computed" in answer.data["limits"]
    assert [lot["lot"] for lot in answer.data["open_lots"]] == ["trades.csv:4"]


def test_gains_are_summed_by_year_and_converted_at_the_rates_of_both_days(ask: Ask, book: Book) -> None:
    book(HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-06-28,sell,ACME,10,110,0,,USD\n")
    (year,) = ask("realised_gains", currency="EUR").data["by_year"]
    bought, sold = Fraction("1.0956"), Fraction("1.0705")  # the ECB's dollars for a euro on both days
    assert (year["year"], year["currency"], year["gain"]) == (2024, "USD", "100.00")
    assert year["base_gain"] == f"{float(1100 / sold - 1000 / bought):.2f}"


def test_a_split_changes_the_units_of_a_lot_and_not_its_cost(ask: Ask, store: Store, book: Book) -> None:
    store("ACME", ACME)
    book(HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-06-12,split,ACME,2,,,,USD\n2024-09-02,sell,ACME,5,66,0,,USD\n")
    sale = ask("realised_gains").data["sales"][0]
    assert (sale["cost"], sale["gain"], sale["lots"][0]["quantity"]) == ("250.00", "80.00", "5")


def test_a_sale_of_more_than_is_held_has_no_gain_and_is_named(ask: Ask, book: Book) -> None:
    book(HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-09-02,sell,ACME,12,66,0,,USD\n")
    answer = ask("realised_gains")
    assert answer.data["sales"][0]["gain"] is None
    (year,) = answer.data["by_year"]
    assert (year["incomplete"], year["proceeds"], year["gain"]) == (["trades.csv:3"], None, None)
    assert "trades.csv:3: no gain of ACME: 2 more sold than bought" in answer.warnings


def test_lots_of_one_account_are_not_sold_by_another(ask: Ask, book: Book) -> None:
    book(HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n", "One", "one.csv")
    book(HEAD + "2024-02-01,buy,ACME,10,90,0,,USD\n2024-09-02,sell,ACME,10,95,0,,USD\n", "Two", "two.csv")
    assert by_day(ask("realised_gains")) == {"2024-09-02": "50.00"}


def test_sales_without_named_lots_take_the_oldest_and_are_named(ask: Ask, book: Book) -> None:
    book(ROWS)
    first = PLACES["2024-02-12"]
    answer = ask("realised_gains", method="specific", lots={first: LOTS_OF[first]})
    assert "without named lots, so the oldest were taken: trades.csv:6" in answer.warnings


@pytest.mark.parametrize(
    ("lots", "reason"),
    [
        (
            {"trades.csv:5": ["trades.csv:9"]},
            "lot 'trades.csv:9' is not held then; the lots held before it: trades.csv:2 (10",
        ),
        ({"trades.csv:5": ["trades.csv:2"]}, "the named lots have fewer units than were sold"),
        ({"trades.csv:5": ["trades.csv:2=ten"]}, "is no lot with a number of units, as trades.csv:2=5"),
        ({"trades.csv:2": ["trades.csv:2"]}, "'trades.csv:2' is no sale; there are: trades.csv:5, trades.csv:6"),
        (None, "lots are for the method specific, which needs them"),
    ],
)
def test_lots_that_cannot_be_meant_are_refused(
    ask: Ask, book: Book, lots: dict[str, list[str]] | None, reason: str
) -> None:
    book(ROWS)
    answer = ask("realised_gains", method="specific", **({"lots": lots} if lots else {}))
    assert answer.code == "BAD_INPUT"
    assert reason in answer.text


def test_sales_are_those_of_the_period_with_all_purchases_before(ask: Ask, book: Book) -> None:
    book(ROWS)
    assert list(by_day(ask("realised_gains", start="2024-03-01", end="2024-12-31"))) == ["2024-08-12"]


TRADES = st.lists(
    st.tuples(st.sampled_from(["buy", "buy", "sell", "split"]), st.integers(1, 20), st.integers(1, 500)), max_size=25
)


def bookings(rows: list[tuple[str, int, int]]) -> list[Booking]:
    from datetime import date, timedelta

    return [
        Booking(day=date(2024, 1, 1) + timedelta(days=10 * at), account="A", amount=Decimal(-amount if kind == "buy" else amount),
                currency="USD", payee="", memo="", category=None, kind=kind, file=1, line=at, symbol="X", quantity=Decimal(units))
        for at, (kind, units, amount) in enumerate(rows)
    ]  # fmt: skip


@given(rows=TRADES)
def test_every_method_keeps_units_and_money(rows: list[tuple[str, int, int]]) -> None:
    items = bookings(rows)
    orders: list[Order] = [oldest_first, newest_first, at_average_cost]
    results = [positions(items, order) for order in orders]
    for held in results:
        for one, other in zip(held, results[0], strict=True):
            assert one.quantity == other.quantity
            paid = sum(Fraction(item.amount) for item in one.items if item.kind == "buy")
            covered = sum(sale.proceeds * (sale.units - sale.unknown) / sale.units for sale in one.sales)
            if not one.oversold:
                # What was paid is in lots that are held, or in the cost of what was sold.
                assert one.realised == covered + paid + (one.cost or 0)


@given(rows=TRADES)
def test_a_sale_at_average_cost_is_that_of_all_units_held(rows: list[tuple[str, int, int]]) -> None:
    (held,) = positions(bookings([("buy", 1, 100), *rows]), at_average_cost)
    costs = {id(sale.sold): sale.cost for sale in held.sales}
    units = cost = Fraction(0)
    short = Fraction(0)
    for item in held.items:
        number = Fraction(item.quantity or 0)
        if item.kind == "split":
            units, short = units * number, short * number
        elif item.kind == "buy":
            covered = min(number, short)
            short -= covered
            units, cost = units + number - covered, cost - Fraction(item.amount) * (number - covered) / number
        else:
            taken = min(number, units)
            part = cost * taken / units if units else Fraction(0)
            assert abs(costs[id(item)] - part) < Fraction(1, 10**25)
            units, cost, short = units - taken, cost - part, short + number - taken
    assert abs(sum(lot.cost for lot in held.lots) - cost) < Fraction(1, 10**25)


def test_average_costs_have_no_more_digits_after_many_sales() -> None:
    (held,) = positions(bookings([("buy", 17, 100), *[("buy", 3, 7), ("sell", 2, 11)] * 300]), at_average_cost)
    assert max(sale.cost.denominator for sale in held.sales) < 10**40


def test_more_open_lots_than_are_shown_are_marked(ask: Ask, workspace: Path) -> None:
    rows = "".join("2024-01-02,buy,ACME,1,10,,,USD\n" for _ in range(101))
    (workspace / "trades.csv").write_text(HEAD + rows, encoding="utf-8")
    answer = ask("realised_gains", path="trades.csv")
    assert (len(answer.data["open_lots"]), answer.json["truncated"]) == (100, True)


def test_an_option_that_a_file_needs_is_named_with_the_command_that_has_it(ask: Ask, workspace: Path) -> None:
    (workspace / "trades.csv").write_text(HEAD + "01.02.2024,buy,ACME,1,10,,,USD\n", encoding="utf-8")
    answer = ask("realised_gains", path="trades.csv")
    assert "--date-format DMY" in answer.text
    assert "finclaw ledger import has these options" in answer.text
