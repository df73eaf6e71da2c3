"""CAMT.053 statements of ISO 20022."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]


def entry(amount: str, direction: str = "DBIT", status: str = "<Sts>BOOK</Sts>", details: str = "") -> str:
    return (
        f'<Ntry><Amt Ccy="EUR">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd>{status}'
        f"<BookgDt><Dt>2026-01-20</Dt></BookgDt>{details}</Ntry>\n"
    )


def balance(code: str, amount: str, day: str) -> str:
    return (
        f'<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">{amount}</Amt>'
        f"<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>\n"
    )


def message(*parts: str, name: str = "BkToCstmrStmt", part: str = "Stmt") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><{name}><GrpHdr/><{part}>\n'
        f"<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>\n{''.join(parts)}</{part}></{name}></Document>"
    )


PAID = (
    "<NtryDtls><TxDtls><RltdPties><Cdtr><Nm>Landlord</Nm></Cdtr><Dbtr><Nm>Me</Nm></Dbtr></RltdPties>"
    "<RmtInf><Ustrd>Rent</Ustrd><Ustrd>January</Ustrd></RmtInf></TxDtls></NtryDtls>"
)


def rows(ask: Ask) -> list[tuple[str, str, str]]:
    found = ask("ledger_transactions").data["rows"]
    return [(row["amount"], row.get("payee", ""), row.get("memo", "")) for row in found]


def test_the_other_party_and_the_text_of_a_payment_are_read(load: Load, ask: Ask) -> None:
    load(message(entry("500.00", details=PAID)), "s.xml")
    assert rows(ask) == [("-500.00", "Landlord", "Rent January")]


@pytest.mark.parametrize("status", ["<Sts>PDNG</Sts>", "<Sts><Cd>PDNG</Cd></Sts>"], ids=["version 2", "version 8"])
def test_pending_entries_are_left_out_and_counted(load: Load, ask: Ask, status: str) -> None:
    shown = load(message(entry("1.00"), entry("2.00", status=status)), "s.xml")
    assert "entries that are not booked are left out: 1 PDNG" in shown
    assert [amount for amount, *_ in rows(ask)] == ["-1.00"]


def test_the_closing_balance_is_held_against_the_bookings(run: Run, file: File) -> None:
    bad = message(balance("OPBD", "10.00", "2026-01-01"), balance("CLBD", "8.00", "2026-01-31"), entry("1.00"))
    _, _, err = run("import", file(bad, "s.xml"))
    assert "line 5: closing balance 8.00 is not the opening balance with all bookings, 9.00" in err


def test_the_closing_balance_is_that_of_the_account(load: Load, ask: Ask) -> None:
    load(message(balance("OPBD", "10.00", "2026-01-01"), balance("CLBD", "9.00", "2026-01-31"), entry("1.00")), "s.xml")
    assert [row["balance"] for row in ask("ledger_balance").data["balances"]] == ["9.00"]


@pytest.mark.parametrize(
    ("name", "part"), [("BkToCstmrAcctRpt", "Rpt"), ("BkToCstmrDbtCdtNtfctn", "Ntfctn")], ids=["052", "054"]
)
def test_interim_messages_are_shown_and_not_written(run: Run, file: File, name: str, part: str) -> None:
    path = file(message(entry("1.00"), name=name, part=part), "s.xml")
    assert "1 rows: 1 new" in run("import", path)[1]
    code, _, err = run("import", path, "--write")
    assert code == 2
    assert "nothing is written: it is" in err


def test_an_entry_without_a_direction_is_rejected_with_its_line(run: Run, file: File) -> None:
    code, _, err = run("import", file(message(entry("1.00"), entry("2.00", "BOTH")), "s.xml"))
    assert code == 2
    assert "s.xml:5: CdtDbtInd 'BOTH' is neither CRDT nor DBIT" in err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (message(entry("1.00"))[:-20], "no well-formed XML: "),
        (message().replace("<Document", '<!DOCTYPE d [<!ENTITY a "b">]><Document', 1), "it declares a document type"),
        (message(f"{'<a>' * 200}{'</a>' * 200}"), "nested deeper"),
        (message(entry("1")).replace("<IBAN>DE89370400440532013000</IBAN>", ""), "say --account NAME"),
    ],
    ids=["cut off", "document type", "depth", "no account"],
)
def test_a_file_that_is_no_statement_is_refused_for_its_reason(run: Run, file: File, text: str, why: str) -> None:
    code, out, err = run("import", file(text, "s.xml"))
    assert (code, out) == (2, "")
    assert why in err
