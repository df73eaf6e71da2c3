"""Profiles of banks: each is taken by itself, with the right signs, from a file of the shape of its source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
Ask = Callable[..., Answer]
SPARKASSE = '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Betrag";"Waehrung";"Info"\n'
DKB = '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"\n'
WISE = '"TransferWise ID",Date,Amount,Currency,Description,"Running Balance","Payer Name","Payee Name"\n'
FILES = {
    "chase-card": (
        "Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n01/30/2026,02/01/2026,SHOP,Food,Sale,-5.00,\n"
        "02/02/2026,02/03/2026,REFUND,Food,Return,2.50,\n"
    ),
    "chase-checking": (
        "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\nDEBIT,02/01/2026,SHOP,-5.00,ACH_DEBIT,95.00,,\n"
        "CREDIT,01/31/2026,PAY,2.50,ACH_CREDIT,100.00,,\n"
    ),
    "mint": (
        '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"\n'
        '"1/31/2026","Shop","SHOP","5.00","debit","Food","Card","",""\n"2/01/2026","Pay","PAY","2.50","credit","Income","Card","",""\n'
    ),
    "ynab": (
        '"Account","Flag","Date","Payee","Category Group/Category","Memo","Outflow","Inflow","Cleared"\n'
        '"Card","","2026-01-31","Shop","Food","","5.00","0.00","Cleared"\n"Card","","2026-02-01","Pay","In","","0.00","2.50","Cleared"\n'
    ),
    "paypal": (
        "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Balance\n"
        "31/01/2026,10:20:25,CET,Shop,Payment,Completed,EUR,-5.00,0.00,-5.00,0\n"
        "31/01/2026,10:20:25,CET,Bank,Deposit,Pending,EUR,5.00,0.00,5.00,0\n"
        "31/01/2026,10:25:25,CET,Buyer,Sale,Completed,EUR,2.70,-0.20,2.50,0\n"
    ),
    "revolut": (
        "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
        "CARD_PAYMENT,Current,2026-01-30 9:11:59,2026-01-31 6:11:59,Shop,-4.00,1.00,EUR,COMPLETED,95.00\n"
        "CARD_PAYMENT,Current,2026-02-01 9:11:59,,Hotel,-50.00,0.00,EUR,PENDING,\n"
        "TOPUP,Current,2026-02-01 9:11:59,2026-02-01 9:12:00,Pay,2.50,0.00,EUR,COMPLETED,97.50\n"
    ),
    "wise": WISE + 'T-1,31-01-2026,-5.00,EUR,"Sent money",95.00,,Shop\nT-2,01-02-2026,2.50,EUR,Received,97.50,Boss,\n',
    "n26": (
        '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)",'
        '"Type Foreign Currency","Exchange Rate"\n"2026-01-31","Shop","","Card","","-5.00","-5.40","USD","1.08"\n'
        '"2026-02-01","Pay","DE1","Income","Gift","2.50","","",""\n'
    ),
    "ing-de": (
        "Umsatzanzeige;Datei erstellt am: 02.02.2026\n\nBuchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;"
        "Währung;Betrag;Währung\n01.02.2026;01.02.2026;Pay;Gutschrift;Lohn;97,50;EUR;2,50;EUR\n"
        "31.01.2026;31.01.2026;Shop;Lastschrift;Kauf;95,00;EUR;-5,00;EUR\n"
    ),
    "ing-nl": (
        '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"\n'
        '"20260131","Shop","NL99INGB9999999999","","BA","Af","5,00","Betaal","x"\n'
        '"20260201","Pay","NL99INGB9999999999","","OV","Bij","2,50","Overschrijving","x"\n'
    ),
    "dkb": (
        '"Girokonto";"DE1"\n""\n' + DKB + '"31.01.26";"31.01.26";"Gebucht";"ME";"Shop";"";"Ausgang";"DE2";"-5,00"\n'
        '"31.01.26";"";"Vorgemerkt";"ME";"Hotel";"";"Ausgang";"DE3";"-90,00"\n'
        '"01.02.26";"01.02.26";"Gebucht";"Boss";"ME";"Lohn";"Eingang";"DE4";"2,50"\n'
    ),
    "sparkasse": SPARKASSE + '"1";"31.01.26";"31.01.26";"KARTE";"x";"Shop";"-5,00";"EUR";"Umsatz gebucht"\n'
    '"1";"31.01.26";"02.02.26";"LASTSCHRIFT";"x";"Hotel";"-90,00";"EUR";"Umsatz vorgemerkt"\n'
    '"1";"01.02.26";"01.02.26";"GUTSCHRIFT";"x";"Boss";"2,50";"EUR";"Umsatz gebucht"\n',
    "barclays": (
        "Number,Date,Account,Amount,Subcategory,Memo\n,31/01/2026,20-00-00 12345678,-5.00,PAYMENT,SHOP\n"
        ",01/02/2026,20-00-00 12345678,2.50,CREDIT,PAY\n"
    ),
    "kb": (
        "거래일시,적요,보낸분/받는분,송금메모,출금액,입금액,잔액,거래점,구분\n"
        "2026.01.31 08:20:25,체크카드,편의점,,5,0,95,강남,정상\n2026.02.01 08:20:25,급여,회사,,0,2.5,97.5,강남,정상\n"
    ),
    "shinhan": (
        "거래일자,거래시간,적요,출금(원),입금(원),내용,잔액(원),거래점\n"
        "2026-01-31,08:20:25,카드결제,5,0,편의점,95,모바일\n2026-02-01,09:00:00,급여,0,2.5,회사,97.5,인터넷\n"
    ),
    "toss": (
        "거래 일시,적요,거래 유형,거래 기관,계좌번호,거래 금액,거래 후 잔액,메모\n"
        "2026.01.31 08:20:25,편의점,체크카드결제,토스,,-5,95,\n2026.02.01 09:00:00,회사,입금,토스,,2.5,97.5,\n"
    ),
    "kakao": (
        "거래일시,구분,거래금액,거래 후 잔액,거래구분,내용,메모\n"
        "2026.01.31 08:20:25,출금,-5,95,체크카드결제,편의점,\n2026.02.01 09:00:00,입금,2.5,97.5,일반입금,회사,\n"
    ),
    "venmo": (
        "Username,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (fee),Ending Balance\nme,,,,,,,,,,$100\n"
        ",1,2026-01-31T08:20:25,Payment,Complete,x,Me,Shop,- $5.00,,\n,2,2026-02-01T09:25:00,Charge,Complete,x,Boss,Me,+ $2.50,,\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_preset_is_taken_by_itself_and_has_the_signs_right(load: Load, ask: Ask, name: str) -> None:
    shown = load(
        FILES[name], "export.csv", "--account", "A", *(("--currency", "USD") if name in {"mint", "ynab"} else ())
    )
    assert f"export.csv: {name}, account " in shown
    sums = ask("ledger_transactions").data["sums"]
    assert [(float(one["in"]), float(one["out"])) for one in sums.values()] == [(2.5, -5.0)]


@pytest.mark.parametrize(("name", "payees"), [("dkb", ["Boss", "Shop"]), ("wise", ["Boss", "Shop"])])
def test_the_other_party_of_money_in_is_the_one_who_pays(load: Load, ask: Ask, name: str, payees: list[str]) -> None:
    load(FILES[name], "export.csv", "--account", "A")
    assert [row["payee"] for row in ask("ledger_transactions").data["rows"]] == payees


def test_every_preset_names_its_source_and_is_tested(run: Run) -> None:
    import json

    found = json.loads(run("profiles", "--json")[1])
    general = {"generic-amount", "debit-credit", "german-giro", "korean-bank", "broker-trades"}
    assert {name for name, profile in found.items() if not profile.get("source")} == general
    assert set(FILES) == found.keys() - general - {"hsbc-uk"}


def test_presets_are_files_of_the_package() -> None:
    import finclaw_ledger

    folder = Path(finclaw_ledger.__file__).parent / "profiles"
    assert {path.stem for path in folder.glob("*.toml")} >= FILES.keys()
