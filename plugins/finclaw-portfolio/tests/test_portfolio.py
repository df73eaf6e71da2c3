"""`portfolio`: values, gains and weights in one currency, and trades for targets."""

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

from finclaw_portfolio.rebalance import Asset, Limits, rebalanced

Ask = Callable[..., Answer]
Store = Callable[..., None]
Rates = Callable[..., None]
DAYS = ("2024-06-26", "2024-06-27", "2024-06-28")


@pytest.fixture
def two(store: Store) -> None:
    store("AAA", [[day, price] for day, price in zip(DAYS, ("9", "9.5", "10"), strict=True)])
    store("BBB", [[day, price] for day, price in zip(DAYS, ("50", "50", "40.005"), strict=True)])


@pytest.fixture
def from_file(ask: Ask, workspace: Path) -> Ask:
    def call(text: str, **given: object) -> Answer:
        (workspace / "holdings.csv").write_text(text, encoding="utf-8")
        return ask("portfolio", path="holdings.csv", **given)

    return call


@pytest.mark.usefixtures("two")
def test_a_file_of_symbol_quantity_and_cost_is_valued(from_file: Ask) -> None:
    answer = from_file("symbol,quantity,cost\nAAA,3,20\nBBB,2,100\n")
    data = answer.data
    assert (data["currency"], data["value"], data["cost"], data["gain"]) == ("USD", "110.01", "120.00", "-9.99")
    assert data["gain_fraction"] == pytest.approx(-9.99 / 120, rel=1e-11)
    first = data["positions"][0]
    assert (first["price"], first["price_date"], first["value"], first["gain"]) == ("10", DAYS[-1], "30.00", "10.00")
    assert sum(row["weight"] for row in data["positions"]) == pytest.approx(1)
    assert [source["ref"] for source in answer.json["sources"]] == ["holdings.csv", "AAA.csv", "BBB.csv"]


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    "text",
    [
        "Ticker;Anzahl;Kaufkurs\nAAA;1.000,5;9,50\n",
        "종목코드\t수량\t매입단가\nAAA\t1,000.5\t9.50\n",
        "My account\n\nSymbol,Qty,Average Price,Other\nAAA,1000.5,$9.50,x\nTotal,,,\n",
        "symbol,quantity,cost\nAAA,1000,9500\nAAA,0.5,4.75\n",
    ],
    ids=["German", "Korean", "title and total", "two lots"],
)
def test_files_of_brokers_are_read_alike(from_file: Ask, text: str) -> None:
    row = from_file(text).data["positions"][0]
    assert (row["quantity"], row["cost"], row["value"]) == ("1000.5", "9504.75", "10005.00")


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("symbol,price\nAAA,1\n", "no quantity column among: symbol, price"),
        ("symbol,quantity\nAAA,ten\nBBB,\n", "line 2: 'ten' is not an amount; line 3: no quantity"),
        ("symbol,quantity\nCASH,5\n", "line 2: CASH needs a currency"),
        ("symbol,quantity\nAAA,1,5\n", "line 2: 3 cells under 2 columns"),
        ("symbol,quantity\n", "0 positions are not between 1 and 500"),
        ("", "it is empty"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_line(from_file: Ask, text: str, reason: str) -> None:
    answer = from_file(text)
    assert answer.code == "BAD_INPUT"
    assert reason in answer.text


def test_a_file_outside_the_workspace_is_not_read(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("symbol,quantity\nAAA,1\n")
    assert ask("portfolio", path="../other.csv").code == "BAD_INPUT"


@pytest.mark.usefixtures("two")
def test_currencies_are_converted_at_the_rate_of_the_newest_price(store: Store, from_file: Ask) -> None:
    store("CCC", [[day, "5"] for day in DAYS], currency="EUR")
    store("DDD", [[day, "250"] for day in DAYS], currency="GBp")
    answer = from_file(
        "symbol,quantity,cost,currency,date\nAAA,10,,,\nCCC,10,40,EUR,2024-01-02\nDDD,4,8,GBP,2024-01-02\nCASH,7,,EUR,\n",
        currency="EUR",
    )
    usd, gbp, gbp_then = Fraction("1.0705"), Fraction("0.84638"), Fraction("0.86645")  # the ECB's rates of both days
    rows = {row["symbol"]: row for row in answer.data["positions"]}
    assert rows["AAA"]["value"] == f"{Decimal(float(100 / usd)):.2f}"
    assert (rows["CCC"]["value"], rows["CCC"]["gain"], rows["CASH"]["value"]) == ("50.00", "10.00", "7.00")
    assert rows["DDD"]["value"] == f"{Decimal(float(10 / gbp)):.2f}"
    assert rows["DDD"]["cost"] == f"{Decimal(float(8 / gbp_then)):.2f}"
    assert rows["DDD"]["local_gain_fraction"] == 0.25
    assert [row["currency"] for row in answer.data["by_currency"]] == ["USD", "EUR", "GBP"]
    assert answer.data["cost"] is None
    assert any("European Central Bank" in source["ref"] for source in answer.json["sources"])


@pytest.mark.usefixtures("two")
def test_prices_in_several_currencies_need_one_to_value_in(store: Store, ask: Ask) -> None:
    store("CCC", [[day, "5"] for day in DAYS], currency="EUR")
    answer = ask("portfolio", positions={"AAA": "1", "CCC": "1"})
    assert "prices are in EUR, USD: give the currency to value in" in answer.text


@pytest.mark.usefixtures("two")
def test_what_has_no_price_is_named_and_makes_the_sums_incomplete(ask: Ask) -> None:
    answer = ask("portfolio", positions={"AAA": "1", "NONE": "5"})
    assert (answer.data["value"], answer.data["incomplete"]) == ("10.00", ["NONE"])
    assert answer.data["positions"][1]["value"] is None
    assert "weight" not in answer.data["positions"][0]
    assert "NONE has no value: UNKNOWN_SYMBOL" in answer.warnings
    assert "value and gain are without NONE" in answer.warnings


@pytest.mark.usefixtures("two")
def test_one_symbol_in_two_spellings_is_one_position(from_file: Ask) -> None:
    rows = from_file("symbol,quantity\naaa,1\nAAA,2\n", targets={"aaa": "1"}).data["positions"]
    assert [(row["symbol"], row["quantity"], row["value"]) for row in rows] == [("AAA", "3", "30.00")]


@pytest.mark.usefixtures("two")
def test_a_currency_without_rates_is_an_error_and_no_value_of_zero(ask: Ask) -> None:
    answer = ask("portfolio", positions={"AAA": "1"}, currency="XXX")
    assert answer.text.startswith("BAD_INPUT: no position can be valued in XXX")


@pytest.mark.usefixtures("two")
def test_a_korean_export_in_its_own_encoding_is_read(ask: Ask, workspace: Path) -> None:
    (workspace / "holdings.csv").write_bytes("종목코드;보유수량;매입금액\nAAA;1.000,5;9504,75\n".encode("cp949"))
    row = ask("portfolio", path="holdings.csv").data["positions"][0]
    assert (row["quantity"], row["cost"]) == ("1000.5", "9504.75")


@pytest.mark.usefixtures("two")
def test_the_text_of_a_file_is_read_like_the_file(from_file: Ask, ask: Ask) -> None:
    text = "Ticker;Anzahl;Kaufkurs\nAAA;1.000,5;9,50\n"
    assert ask("portfolio", table=text).data == from_file(text).data


@pytest.mark.usefixtures("two")
def test_gains_are_given_by_currency(store: Store, from_file: Ask) -> None:
    store("CCC", [[day, "5"] for day in DAYS], currency="EUR")
    found = from_file("symbol,quantity,cost,currency\nAAA,10,80,USD\nCCC,10,40,EUR\n", currency="EUR").data
    gains = {row["currency"]: row["gain"] for row in found["by_currency"]}
    assert gains == {"EUR": "10.00", "USD": f"{20 / 1.0705:.2f}"}


@pytest.mark.usefixtures("two")
def test_nothing_after_the_day_is_used(ask: Ask) -> None:
    answer = ask("portfolio", {"as_of": date(2024, 6, 27)}, positions={"AAA": "2"})
    assert (answer.data["value"], answer.json["as_of"]) == ("19.00", "2024-06-27")


@pytest.mark.usefixtures("two")
def test_targets_give_trades_in_whole_units_and_the_cash_that_is_left(ask: Ask) -> None:
    answer = ask("portfolio", positions={"AAA": "30", "BBB": "0"}, targets={"AAA": "0.5", "BBB": "0.5"})
    first, second = answer.data["rebalance"]["targets"]
    assert first["trade"] == {"side": "sell", "quantity": "15", "amount": "150.00"}
    assert second["trade"] == {"side": "buy", "quantity": "3", "amount": "120.02"}
    assert answer.data["rebalance"]["cash_left"] == "29.98"
    assert first["drift"] == 0.5


@pytest.mark.usefixtures("two")
def test_trades_below_the_minimum_are_left_out(ask: Ask) -> None:
    wanted = {"targets": {"AAA": "0.5", "BBB": "0.5"}, "min_trade": "130"}
    answer = ask("portfolio", positions={"AAA": "30", "BBB": "0"}, **wanted)
    first, second = answer.data["rebalance"]["targets"]
    assert first["trade"] == {"side": "sell", "quantity": "15", "amount": "150.00"}
    assert second["trade"] is None
    assert answer.data["rebalance"]["cash_left"] == "150.00"


@pytest.mark.usefixtures("two")
def test_a_holding_without_a_target_is_not_sold_unasked(ask: Ask) -> None:
    answer = ask("portfolio", positions={"AAA": "30", "BBB": "1"}, targets={"AAA": "0.5"})
    assert "no target for BBB; give 0 to sell all of it" in answer.text


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"targets": {"AAA": "0.7", "BBB": "0.4"}}, "the targets sum to 1.1"),
        ({"targets": {"AAA": "-0.1"}}, "target of AAA"),
        ({"targets": {"AAA": "0.5", "ZZZ": "0.5"}}, "ZZZ has no price"),
        ({"currency": "dollars"}, "is not a currency code"),
        ({"costs": {"ZZZ": "1"}}, "which are not among the positions"),
        ({"path": "holdings.csv"}, "give one of path, table and positions"),
        ({"contribution": "500"}, "a contribution goes with targets"),
        ({"targets": {"AAA": "1"}, "contribution": "-5", "sell": False}, "5.00 USD are missing to take out"),
        ({"targets": {"AAA": "1"}, "contribution": "-1000"}, "takes out everything"),
    ],
)
def test_what_cannot_be_meant_is_refused(ask: Ask, given: dict[str, object], reason: str) -> None:
    answer = ask("portfolio", positions={"AAA": "1"}, **given)
    assert answer.code == "BAD_INPUT"
    assert reason in answer.text


FRACTIONS = st.fractions(min_value=0, max_value=1000, max_denominator=100)
PRICES = st.fractions(min_value=Fraction(1, 100), max_value=500, max_denominator=100)


@given(
    held=st.lists(st.tuples(PRICES, st.integers(0, 50), st.integers(0, 10)), min_size=1, max_size=6),
    cash=FRACTIONS,
    added=st.fractions(min_value=-50, max_value=1000, max_denominator=100),
    sell=st.booleans(),
    whole=st.booleans(),
    minimum=st.integers(0, 300),
)
def test_trades_keep_the_limits_and_bring_nothing_further_from_its_target(
    held: list[tuple[Fraction, int, int]], cash: Fraction, added: Fraction, *, sell: bool, whole: bool, minimum: int
) -> None:
    parts = sum(part for *_, part in held) or 1
    assets = [
        Asset(symbol=str(at), price=price, value=price * units, target=Fraction(part, parts))
        for at, (price, units, part) in enumerate(held)
    ]
    limits = Limits(cash=cash, contribution=added, sell=sell, whole=whole, minimum=Fraction(minimum))
    plan = rebalanced(assets, limits)
    total = cash + added + sum(one.value for one in assets)
    spent = sum(count * one.price for one, count in zip(assets, plan.units, strict=True))
    assert plan.cash == cash + added - spent
    if total >= 0 and (sell or cash + added >= 0):
        assert plan.cash >= 0
    for one, count in zip(assets, plan.units, strict=True):
        assert one.value + count * one.price >= 0
        assert sell or count >= 0
        assert not whole or count.denominator == 1
        assert abs(count) * one.price >= minimum or not count or (count < 0 and added < 0)
        if added >= 0:
            assert abs(one.value + count * one.price - one.target * total) <= abs(one.value - one.target * total)
