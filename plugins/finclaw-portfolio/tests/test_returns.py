from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from answers import Answer
from cases import ACME, GLOBEX, HEAD, YEAR
from currency_converter import CurrencyConverter  # type: ignore[import-untyped]

Ask = Callable[..., Answer]
Store = Callable[..., None]
Book = Callable[..., None]
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))


@pytest.fixture
def two(store: Store) -> None:
    store("ACME", ACME)
    store("GLOBEX", GLOBEX)


def gains(answer: Answer) -> dict[str, str]:
    return {row["symbol"]: row["gain"] for row in answer.data["positions"]}


@pytest.mark.usefixtures("two")
def test_the_money_weighted_return_is_that_of_pyxirr(ask: Ask, book: Book) -> None:
    book(YEAR)
    assert ask("portfolio_return").data["money_weighted"]["rate"] == pytest.approx(GOLDEN["xirr"]["value"], rel=1e-11)


@pytest.mark.usefixtures("two")
def test_the_time_weighted_return_links_the_values_around_each_flow(ask: Ask, book: Book) -> None:
    book(YEAR)
    # The units at the closes; ACME has twice as many from 2024-06-10 on. Money in counts before the day, out after it.
    linked = prod(
        (
            Fraction(10 * 100, 1005),
            Fraction(10 * 110 + 20 * 55, 10 * 100 + 1102),
            Fraction(15 * 66 + 20 * 57 + 329, 10 * 110 + 20 * 55),
            Fraction(15 * 66 + 20 * 57 + 12, 15 * 66 + 20 * 57),
            Fraction(15 * 70 + 20 * 60, 15 * 66 + 20 * 57),
        )
    )
    found = ask("portfolio_return").data
    assert found["time_weighted"]["return"] == pytest.approx(float(linked - 1), rel=1e-11)
    assert (found["from"], found["to"], found["days"]) == ("2024-01-01", "2024-12-31", 365)
    assert found["time_weighted"]["annualised"] == found["time_weighted"]["return"]


@pytest.mark.usefixtures("two")
def test_gains_of_positions_sum_to_that_of_all_with_dividends_and_fees(ask: Ask, book: Book) -> None:
    book(YEAR)
    answer = ask("portfolio_return")
    assert gains(answer) == {"ACME": "374.00", "GLOBEX": "110.00"}
    assert (answer.data["gain"], answer.data["end_value"]) == ("484.00", "2250.00")
    parts = [row["contribution"] for row in answer.data["positions"]]
    assert sum(parts) == pytest.approx(answer.data["dietz"], rel=1e-11)


@pytest.mark.usefixtures("two")
def test_a_csv_of_the_workspace_gives_what_the_books_give(ask: Ask, book: Book, workspace: Path) -> None:
    book(YEAR)
    (workspace / "trades.csv").write_text(YEAR)
    assert ask("portfolio_return", path="trades.csv").data == ask("portfolio_return").data


@pytest.mark.usefixtures("two")
def test_a_period_runs_from_the_close_before_its_start(ask: Ask, book: Book) -> None:
    book(YEAR)
    found = ask("portfolio_return", start="2024-09-01", end="2024-12-31").data
    # Held before: 20 ACME at 62, 20 GLOBEX at 54.
    assert (found["from"], found["start_value"], found["gain"]) == ("2024-08-31", "2320.00", "271.00")
    linked = Fraction(2130 + 329, 2320) * Fraction(2142, 2130) * Fraction(2250, 2130)
    assert found["time_weighted"] == {"return": pytest.approx(float(linked - 1), rel=1e-11), "annualised": None}


@pytest.mark.usefixtures("two")
def test_amounts_are_converted_at_the_rate_of_their_own_day(ask: Ask, book: Book) -> None:
    book(YEAR)
    rates = CurrencyConverter(fallback_on_missing_rate=True, fallback_on_missing_rate_method="last_known")

    def euros(amount: float, day: str) -> float:
        return float(rates.convert(amount, "USD", "EUR", date.fromisoformat(day)))

    found = ask("portfolio_return", currency="EUR")
    paid, received = (
        euros(1005, "2024-01-02") + euros(1102, "2024-03-01"),
        euros(329, "2024-09-02") + euros(12, "2024-09-16"),
    )
    assert float(found.data["paid"]) == pytest.approx(paid, abs=0.006)
    assert float(found.data["gain"]) == pytest.approx(euros(2250, "2024-12-31") + received - paid, abs=0.006)
    assert sum(Fraction(gain) for gain in gains(found).values()) == Fraction(found.data["gain"])


@pytest.mark.usefixtures("two")
def test_income_and_fees_are_shown_by_year_and_currency(ask: Ask, book: Book) -> None:
    book(YEAR + "2024-10-01,interest,,,,,1.50,USD\n2024-10-02,tax,GLOBEX,,,,3,USD\n")
    rows = {row["kind"]: row for row in ask("portfolio_return").data["income"]}
    assert {kind: row["amounts"] for kind, row in rows.items()} == {
        "dividends": {"USD": "12.00"},
        "interest": {"USD": "1.50"},
        "taxes": {"USD": "3.00"},
        "fees": {"USD": "8.00"},
    }
    assert rows["dividends"]["year"] == 2024


SPLIT_TWICE = HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-06-12,split,ACME,2,,,,USD\n"


def test_a_split_that_the_store_and_two_accounts_have_counts_once_for_each(store: Store, ask: Ask, book: Book) -> None:
    store("ACME", ACME)
    book(SPLIT_TWICE, "One", "one.csv")
    book(SPLIT_TWICE, "Two", "two.csv")
    row = ask("portfolio_return").data["positions"][0]
    assert (row["quantity"], row["end_value"], row["gain"]) == ("40", "2800.00", "800.00")


def test_a_split_that_quantities_take_into_account_is_no_reason_for_other_prices(
    store: Store, ask: Ask, book: Book
) -> None:
    store("ACME", ACME)
    book(SPLIT_TWICE)
    for answer in (ask("portfolio_return"), ask("ledger_portfolio", as_of="2024-06-12")):
        assert "ask for adjustment" not in " ".join(answer.json.get("warnings", []))


@pytest.mark.parametrize("adjustment", ["none", "split"])
def test_prices_may_be_adjusted_for_splits_or_not(store: Store, ask: Ask, book: Book, adjustment: str) -> None:
    closes = [(day, close if adjustment == "none" or day >= "2024-06-10" else str(int(close) // 2), split)
              for day, close, split in ACME]  # fmt: skip
    store("ACME", closes, adjustment=adjustment)
    book(
        HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-03-01,buy,ACME,10,110,0,,USD\n2024-06-10,split,ACME,2,,,,USD\n"
    )
    found = ask("portfolio_return").data
    linked = Fraction(2200, 1000 + 1100) * Fraction(40 * 70, 2200)
    assert found["time_weighted"]["return"] == pytest.approx(float(linked - 1), rel=1e-11)


@pytest.mark.parametrize(
    ("price", "units", "how"),
    [("100", "20", "applied, since its prices before are of old shares"),
     ("50", "10", "not applied, since its quantities before are in new shares already")],
)  # fmt: skip
def test_a_split_without_a_row_is_applied_where_prices_are_of_old_shares(
    store: Store, ask: Ask, book: Book, price: str, *, units: str, how: str
) -> None:
    store("ACME", ACME)
    book(HEAD + f"2024-01-02,buy,ACME,10,{price},0,,USD\n")
    answer = ask("portfolio_return")
    assert answer.data["positions"][0]["quantity"] == units
    assert how in answer.warnings


def test_a_split_that_prices_do_not_decide_leaves_the_security_out(store: Store, ask: Ask, book: Book) -> None:
    store("ACME", ACME)
    store("GLOBEX", GLOBEX)
    book(HEAD + "2024-01-02,buy,ACME,10,71,0,,USD\n2024-01-02,buy,GLOBEX,1,50,0,,USD\n")
    answer = ask("portfolio_return")
    assert answer.data["incomplete"] == ["ACME"]
    assert "ACME is left out: ACME was split 2:1 on 2024-06-10, and Depot has no row of it" in answer.warnings


def test_a_split_with_another_ratio_than_the_price_store_leaves_the_security_out(
    store: Store, ask: Ask, book: Book
) -> None:
    store("ACME", ACME)
    book(HEAD + "2024-01-02,buy,ACME,10,100,0,,USD\n2024-06-12,split,ACME,3,,,,USD\n2024-09-02,sell,ACME,5,66,0,,USD\n")
    reason = "Depot has a split of 3 on 2024-06-10, but ACME was split 2:1 on 2024-06-10"
    assert reason in ask("portfolio_return").text
    assert ask("realised_gains").data["sales"][0]["reason"] == reason


def test_a_split_that_only_two_accounts_have_counts_once_for_each(store: Store, ask: Ask, book: Book) -> None:
    store("ACME", [row[:2] for row in ACME])
    for account in ("One", "Two"):
        rows = "2024-01-02,buy,ACME,10,100,0,,USD\n2024-06-10,split,ACME,2,,,,USD\n"
        book(HEAD + rows, account, f"{account}.csv")
    row = ask("portfolio_return").data["positions"][0]
    assert (row["quantity"], row["end_value"], row["gain"]) == ("40", "2800.00", "800.00")


def test_dividends_that_are_not_booked_are_named_and_not_counted(
    home: Path, tmp_path: Path, ask: Ask, book: Book
) -> None:
    from finclaw_market.importer import ImportOptions, import_files
    from finclaw_market.staging import Facts

    path = tmp_path / "PAYER.csv"
    path.write_text(
        "Date,Close,Dividends\n2024-01-02,10,0\n2024-03-01,10,0.5\n2024-06-03,10,0.5\n2024-09-02,10,0\n2024-12-30,11,0\n"
    )
    facts = Facts(currency="USD", tz="America/New_York")
    import_files([path], home, ImportOptions(symbol="PAYER", facts=facts, adjustment="none"))
    book(HEAD + "2024-01-02,buy,PAYER,10,10,0,,USD\n2024-03-15,dividend,PAYER,,,,5,USD\n")
    answer = ask("portfolio_return")
    assert answer.data["gain"] == "15.00"
    assert "PAYER: 1 dividends of the price store are in no row and not counted (2024-06-03)" in answer.warnings


@pytest.mark.usefixtures("two")
def test_what_was_sold_without_a_purchase_is_left_out_and_named(ask: Ask, book: Book) -> None:
    book(YEAR + "2024-10-01,sell,GLOBEX,30,57,0,,USD\n")
    answer = ask("portfolio_return")
    assert answer.data["incomplete"] == ["GLOBEX"]
    assert gains(answer) == {"ACME": "374.00"}
    assert "GLOBEX is left out: more was sold than bought" in answer.warnings


@pytest.mark.usefixtures("two")
def test_what_has_no_price_is_left_out_where_it_is_held_and_counts_where_it_was_sold(ask: Ask, book: Book) -> None:
    book(YEAR + "2024-10-01,buy,HELD,5,10,0,,USD\n2024-10-01,buy,SOLD,5,10,0,,USD\n2024-11-01,sell,SOLD,5,12,0,,USD\n")
    answer = ask("portfolio_return")
    assert answer.data["incomplete"] == ["HELD"]
    assert gains(answer) == {"ACME": "374.00", "GLOBEX": "110.00", "SOLD": "10.00"}
    assert answer.data["money_weighted"]["rate"] is not None
    assert answer.data["time_weighted"]["return"] is None
    assert "no time-weighted return: not all that was held has a close on or before 2024-10-01" in answer.warnings


def test_a_short_csv_of_trades_needs_no_amounts_and_no_currencies(store: Store, ask: Ask, workspace: Path) -> None:
    store("ACME", ACME)
    (workspace / "t.csv").write_text(
        "date,symbol,quantity,price,fee,kind\n2024-01-02,ACME,10,100,5,buy\n2024-03-08,ACME,10,0.5,,dividend\n"
        "2024-06-10,ACME,2,,,split\n2024-09-02,ACME,5,66,1,sell\n"
    )
    found = ask("portfolio_return", path="t.csv", currency="USD").data
    assert (found["gain"], found["income"][0]["amounts"]) == ("379.00", {"USD": "5.00"})


@pytest.mark.usefixtures("two")
def test_nothing_after_the_day_of_the_run_is_used(ask: Ask, book: Book) -> None:
    book(YEAR)
    found = ask("portfolio_return", {"as_of": date(2024, 3, 1)})
    assert (found.data["to"], found.data["end_value"], found.data["gain"]) == ("2024-03-01", "2200.00", "93.00")


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        ({"start": "2024-05-01", "end": "2024-04-01"}, "BAD_INPUT", "start 2024-05-01 is after the end"),
        ({"end": "2023-12-31"}, "NO_DATA", "there are no trades up to 2023-12-31"),
        ({"account": "Other"}, "BAD_INPUT", "no account is called 'Other'"),
        ({"path": "none.csv"}, "BAD_INPUT", "none.csv"),
        ({"path": "bad.csv"}, "BAD_INPUT", "bad.csv: nothing is counted, rows are bad: line 3:"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    ask: Ask, book: Book, workspace: Path, *, given: dict[str, str], code: str, reason: str
) -> None:
    book(YEAR)
    (workspace / "bad.csv").write_text(HEAD + "2024-01-02,buy,ACME,1,1,0,,USD\n2024-01-03,lend,ACME,1,1,0,,USD\n")
    answer = ask("portfolio_return", **given)
    assert answer.code == code
    assert reason in answer.text
