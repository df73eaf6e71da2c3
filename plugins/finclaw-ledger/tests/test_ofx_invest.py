"""Investment statements of OFX."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from answers import Answer

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]


def statement(*transactions: str, rest: str = "") -> str:
    return (
        "OFXHEADER:100\n\n<OFX><INVSTMTRS><DTASOF>20260131<CURDEF>USD<INVACCTFROM><BROKERID>b.example<ACCTID>D1"
        f"</INVACCTFROM><INVTRANLIST><DTSTART>20260101<DTEND>20260131\n{chr(10).join(transactions)}\n</INVTRANLIST>"
        f"{rest}</INVSTMTRS><SECLIST><STOCKINFO><SECINFO><SECID><UNIQUEID>000111222<UNIQUEIDTYPE>CUSIP</SECID>"
        "<SECNAME>Acme Inc.<TICKER>acme</SECINFO></STOCKINFO></SECLIST></OFX>"
    )


def trade(name: str, units: str, total: str, more: str = "", reference: str = "T1") -> str:
    return (
        f"<{name}><INVBUY><INVTRAN><FITID>{reference}<DTTRADE>20260110120000<DTSETTLE>20260112</INVTRAN>"
        f"<SECID><UNIQUEID>000111222<UNIQUEIDTYPE>CUSIP</SECID><UNITS>{units}<UNITPRICE>50.00{more}<TOTAL>{total}"
        f"<SUBACCTSEC>CASH</INVBUY></{name}>"
    )


BOUGHT = trade("BUYSTOCK", "100", "-5025.00", "<COMMISSION>20.00<FEES>5.00")


def held(ask: Ask) -> list[tuple[str, str, str]]:
    return [(row["symbol"], row["quantity"], row["cost"]) for row in ask("holdings").data["holdings"]]


def amounts(ask: Ask) -> list[tuple[str, str]]:
    return [(row["kind"], row["amount"]) for row in ask("ledger_transactions").data["rows"]]


def test_a_purchase_is_held_by_its_ticker_with_its_fees_in_the_cost(load: Load, ask: Ask) -> None:
    load(statement(BOUGHT), "s.ofx")
    assert held(ask) == [("ACME", "100", "5025")]


def test_a_reinvestment_is_income_that_buys_units(load: Load, ask: Ask) -> None:
    load(statement(BOUGHT, trade("REINVEST", "2", "-100.00", "<INCOMETYPE>DIV", "T2")), "s.ofx")
    assert held(ask) == [("ACME", "102", "5125")]
    assert ("dividend", "100.00") in amounts(ask)


def test_units_with_more_decimals_than_money_are_read_exactly(load: Load, ask: Ask) -> None:
    load(statement(trade("BUYMF", "1.1234567890123456", "-56.17")), "s.ofx")
    assert held(ask) == [("ACME", "1.1234567890123456", "56.17")]


def test_a_contribution_that_is_stated_as_positive_is_money_out(load: Load, ask: Ask) -> None:
    load(statement(trade("BUYMF", "1", "50.00")), "s.ofx")
    assert amounts(ask) == [("buy", "-50.00")]


def test_a_purchase_of_negative_units_takes_an_earlier_one_back(load: Load, ask: Ask) -> None:
    load(statement(BOUGHT, trade("BUYSTOCK", "-100", "5025.00", reference="T2")), "s.ofx")
    assert amounts(ask) == [("sell", "5025.00"), ("buy", "-5025.00")]


def test_a_split_without_an_exact_decimal_number_is_rejected(run: Run, file: File) -> None:
    split = "<SPLIT><INVTRAN><FITID>S<DTTRADE>20260111</INVTRAN><NUMERATOR>1<DENOMINATOR>3</SPLIT>"
    code, _, err = run("import", file(statement(split), "s.ofx"))
    assert code == 2
    assert "a split of 1 for 3 is no exact decimal number" in err


def test_transfers_of_securities_are_counted_and_named(load: Load) -> None:
    shown = load(statement(BOUGHT, trade("TRANSFER", "5", "0", reference="T2")), "s.ofx")
    assert "not imported: 1 TRANSFER, which move no cash; holdings may differ by them" in shown


def test_positions_are_named_with_units_and_price(load: Load) -> None:
    position = "<INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>000111222</SECID><UNITS>200<UNITPRICE>49.5</POSSTOCK>"
    shown = load(statement(BOUGHT, rest=position + "</INVPOSLIST>"), "s.ofx")
    assert "not imported: 1 positions that the broker states (acme 200 at 49.5)" in shown


def test_the_cash_that_the_broker_states_is_the_balance(load: Load, ask: Ask) -> None:
    load(statement(BOUGHT, rest="<INVBAL><AVAILCASH>200.00<MARGINBALANCE>0</INVBAL>"), "s.ofx")
    assert [row["balance"] for row in ask("ledger_balance").data["balances"]] == ["200.00"]


def test_a_trade_without_a_total_is_rejected_with_its_line(run: Run, file: File) -> None:
    code, _, err = run("import", file(statement(BOUGHT.replace("<TOTAL>-5025.00", "")), "s.ofx"))
    assert code == 2
    assert "s.ofx:4: no TOTAL" in err
