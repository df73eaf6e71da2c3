"""Flex queries of Interactive Brokers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]
TRADE = (
    '<Trade accountId="U1" currency="USD" assetCategory="STK" symbol="ACME" tradeDate="20260105" quantity="10" '
    'tradePrice="20" proceeds="-200" taxes="0" ibCommission="-1" ibCommissionCurrency="USD" netCash="-201" '
    'transactionID="7" buySell="BUY" levelOfDetail="EXECUTION"/>'
)
CASH = (
    '<CashTransaction accountId="U1" currency="USD" dateTime="20260107;202000" amount="2.50" type="Dividends" '
    'symbol="ACME" description="ACME CASH DIVIDEND" transactionID="8" levelOfDetail="DETAIL"/>'
)


def query(trades: str = "", cash: str = "", rest: str = "") -> str:
    return (
        '<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">\n'
        '<FlexStatement accountId="U1" fromDate="20260101" toDate="20260131">\n'
        f"<Trades>{trades}</Trades>\n<CashTransactions>{cash}</CashTransactions>\n{rest}"
        "</FlexStatement></FlexStatements></FlexQueryResponse>"
    )


def rows(ask: Ask) -> list[tuple[str, str, str]]:
    found = ask("ledger_transactions").data["rows"]
    return [(row["kind"], row["amount"], row["currency"]) for row in found]


def test_a_trade_is_held_with_its_commission_in_the_cost(load: Load, ask: Ask) -> None:
    load(query(TRADE), "f.xml")
    found = ask("holdings").data["holdings"]
    assert [(row["symbol"], row["quantity"], row["cost"]) for row in found] == [("ACME", "10", "201")]


@pytest.mark.parametrize(
    ("word", "amount", "kind"),
    [
        ("Dividends", "2.50", "dividend"), ("Withholding Tax", "-0.38", "tax"), ("Withholding Tax", "0.38", "tax"),
        ("Broker Interest Paid", "-1", "interest"), ("Other Fees", "-1", "fee"), ("Deposits/Withdrawals", "5", "deposit"),
        ("Deposits & Withdrawals", "-5", "withdrawal"),
    ],
)  # fmt: skip
def test_movements_of_cash_keep_their_sign(load: Load, ask: Ask, word: str, amount: str, kind: str) -> None:
    row = CASH.replace('"Dividends"', f'"{word.replace("&", "&amp;")}"').replace('"2.50"', f'"{amount}"')
    load(query(cash=row), "f.xml")
    assert [(found[0], float(found[1])) for found in rows(ask)] == [(kind, float(amount))]


def test_an_exchange_of_currencies_is_two_movements_and_its_commission(load: Load, ask: Ask) -> None:
    exchange = (
        TRADE.replace('"STK"', '"CASH"').replace('"ACME"', '"EUR.USD"').replace('"-201"', '"0"')
        .replace('ibCommissionCurrency="USD"', 'ibCommissionCurrency="CHF"')
    )  # fmt: skip
    load(query(exchange), "f.xml")
    assert sorted(rows(ask)) == [("fee", "-1", "CHF"), ("transfer", "-200", "USD"), ("transfer", "10", "EUR")]


def test_a_commission_in_another_currency_is_a_booking_of_its_own(load: Load, ask: Ask) -> None:
    other = TRADE.replace('ibCommissionCurrency="USD"', 'ibCommissionCurrency="EUR"').replace('netCash="-201" ', "")
    load(query(other), "f.xml")
    assert sorted(rows(ask)) == [("buy", "-200", "USD"), ("fee", "-1", "EUR")]


def test_summaries_of_the_same_rows_are_not_booked_again(load: Load, ask: Ask) -> None:
    load(query(cash=CASH + CASH.replace('"DETAIL"', '"SUMMARY"').replace('"8"', '"9"')), "f.xml")
    assert len(rows(ask)) == 1


def test_sections_that_are_not_imported_are_counted_and_named(load: Load) -> None:
    actions = "<CorporateActions><CorporateAction/><CorporateAction/></CorporateActions><OpenPositions><OpenPosition/></OpenPositions>"
    shown = load(query(TRADE, rest=actions), "f.xml")
    assert "not imported: 2 of CorporateActions, 1 of OpenPositions; holdings and cash may differ by them" in shown


def test_cash_that_is_not_the_proceeds_with_the_commission_is_named(load: Load) -> None:
    assert "netCash -200 is not the proceeds with taxes and commission, -201" in load(
        query(TRADE.replace('netCash="-201"', 'netCash="-200"')), "f.xml"
    )


def test_the_cash_report_states_the_balance(load: Load, ask: Ask) -> None:
    report = (
        '<CashReport><CashReportCurrency currency="BASE_SUMMARY" endingCash="9"/>'
        '<CashReportCurrency currency="USD" endingCash="800.25"/></CashReport>'
    )
    load(query(TRADE, rest=report), "f.xml")
    found = ask("ledger_balance").data["balances"]
    assert [(row["currency"], row["balance"]) for row in found] == [("USD", "800.25")]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (TRADE.replace('netCash="-201" ', "").replace('proceeds="-200" ', ""), "neither netCash nor proceeds"),
        (TRADE.replace('quantity="10"', 'quantity=""'), "a trade without a quantity"),
        (TRADE.replace('"USD"', '"GBX"', 1), "'GBX' is a part of GBP"),
        (TRADE.replace('"-201"', '"-20x1"'), "netCash: '-20x1' is not an amount"),
    ],
    ids=["no cash", "no quantity", "pence", "no number"],
)
def test_a_trade_that_cannot_be_read_is_rejected_with_its_line(run: Run, file: File, row: str, why: str) -> None:
    code, _, err = run("import", file(query(row), "f.xml"))
    assert code == 2
    assert "f.xml:3: " in err
    assert why in err
