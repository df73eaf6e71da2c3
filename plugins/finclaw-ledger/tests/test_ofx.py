"""OFX files as banks write them, where they differ from the plain ones in `statements`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st
from statements import OFX, OFX_XML

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_ledger.comments import without_comments
from finclaw_ledger.ofx import read_ofx
from finclaw_ledger.textfile import raw_file

Run = Callable[..., tuple[int, str, str]]
Load = Callable[..., str]
File = Callable[..., Path]
Ask = Callable[..., Answer]
INVESTMENTS = """<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD
<INVACCTFROM><BROKERID>broker.example<ACCTID>998877</INVACCTFROM>
<INVTRANLIST><DTSTART>20260101<DTEND>20260131
<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260120<TRNAMT>-500.00<FITID>I1<NAME>SWEEP</STMTTRN>
<SUBACCTFUND>CASH</INVBANKTRAN>
</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
</OFX>
"""


def payees(ask: Ask) -> list[str]:
    return [row.get("payee", "") for row in ask("ledger_transactions").data["rows"]]


def test_bookings_of_an_investment_statement_are_not_those_of_the_bank_account_before_it(load: Load, ask: Ask) -> None:
    load(OFX.replace("</OFX>\n", INVESTMENTS), "s.ofx")
    rows = ask("ledger_transactions").data["rows"]
    assert [(row["account"], row["payee"]) for row in rows] == [
        ("account …8877", "SWEEP"), ("account …7890", "PAYROLL"), ("account …7890", "SHOP & CO")
    ]  # fmt: skip


def test_a_statement_of_a_loan_is_named_as_not_read(load: Load) -> None:
    loan = "<LOANSTMTRS><CURDEF>USD<ACCTID>77</LOANSTMTRS></OFX>"
    assert "its LOANSTMTRS statements are not read" in load(OFX.replace("</OFX>\n", loan), "s.ofx")


def test_the_answer_of_a_bank_that_refuses_is_named(run: Run, file: File) -> None:
    answer = "<OFX><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Signon invalid</STATUS></SONRS></OFX>"
    code, out, err = run("import", file("OFXHEADER:100\n\n" + answer, "s.ofx"))
    assert (code, out) == (2, "")
    assert "no bookings and no balance of an account in this OFX file; the bank has answered '15500' 'Signon" in err


def test_bookings_that_are_not_closed_are_all_read(load: Load, ask: Ask) -> None:
    load(OFX.replace("</STMTTRN>", ""), "s.ofx")
    assert payees(ask) == ["PAYROLL", "SHOP & CO"]


def test_a_booking_in_which_the_file_ends_is_rejected_with_its_line(run: Run, file: File) -> None:
    code, out, err = run("import", file(OFX.partition("<FITID>F2")[0], "s.ofx"), "--write")
    assert (code, "2 rows: 1 new, 0 duplicate, 1 rejected" in out) == (2, True)
    assert "s.ofx:12: it is not closed by </STMTTRN>; is the file cut off?" in err


def test_a_file_that_ends_between_two_bookings_is_reported_and_covers_no_period(load: Load, ask: Ask) -> None:
    shown = load(OFX.partition("<STMTTRN>\n")[0], "s.ofx")
    assert "warning: s.ofx: it does not end with </OFX>; is the file cut off?" in shown
    assert ask("ledger_transactions").data["covered"] == {"account …7890": ["2026-01-10", "2026-01-10"]}


@pytest.mark.parametrize(
    ("aggregate", "currency"),
    [
        ("<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>", "EUR"),
        ("<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY>", "USD"),
        ("<CURRENCY></CURRENCY>", "USD"),
    ],
    ids=["stated in", "converted from", "empty"],
)
def test_an_amount_has_the_currency_in_which_it_is_stated(load: Load, ask: Ask, aggregate: str, currency: str) -> None:
    load(OFX.replace("<NAME>PAYROLL\n", f"<NAME>PAYROLL\n{aggregate}\n"), "s.ofx")
    assert ask("ledger_transactions").data["rows"][0]["currency"] == currency


@pytest.mark.parametrize(
    ("written", "payee"),
    [
        ("<![CDATA[Fish & <Chips>]]>", "Fish & <Chips>"),
        ("\n  <![CDATA[Fish]]>\n", "Fish"),
        ("Caf&#233; &#x26; Bar", "Café & Bar"),
        ("A&amp;lt;B", "A&lt;B"),
        ("AT&T &LTD", "AT&T &LTD"),
    ],
)
def test_text_is_read_as_its_markup_means(load: Load, ask: Ask, written: str, payee: str) -> None:
    load(OFX_XML.replace("Müller", written), "card.ofx")
    assert payees(ask) == [payee]


@pytest.mark.parametrize("balance", ["<BALAMT>0,00<DTASOF>00000000", "<DTASOF>20260131", "<BALAMT>1.00"])
def test_a_balance_that_cannot_be_read_is_left_out_with_a_warning(load: Load, ask: Ask, balance: str) -> None:
    shown = load(OFX.replace("<BALAMT>2954.90<DTASOF>20260131", balance), "s.ofx")
    assert "warning: s.ofx: line 20: the balance is left out: " in shown
    assert ask("ledger_balance").data["balances"][0]["balance"] is None


def test_an_available_balance_never_stands_for_the_ledger_balance(load: Load, ask: Ask) -> None:
    text = OFX.replace(
        "<BALAMT>2954.90<DTASOF>20260131</LEDGERBAL>", "<AVAILBAL><BALAMT>9.99<DTASOF>20260131</AVAILBAL>"
    )
    load(text, "s.ofx")
    assert ask("ledger_balance").data["balances"][0]["balance"] is None


@pytest.mark.parametrize(
    ("charset", "encoding"), [("1252", "utf-8"), ("NONE", "cp1252"), ("ISO-8859-1", "latin-1"), ("KOI9", "utf-8")]
)
def test_a_wrong_or_unknown_charset_in_the_header_does_not_garble_names(
    load: Load, ask: Ask, charset: str, encoding: str
) -> None:
    text = OFX.replace("CHARSET:1252", f"CHARSET:{charset}").replace("PAYROLL", "Müller")
    load(text, "s.ofx", encoding=encoding)
    assert payees(ask)[0] == "Müller"


def test_a_date_is_the_bank_s_own_whatever_its_zone(load: Load, ask: Ask) -> None:
    load(OFX.replace("20260115", "20260131233000[-5:EST]"), "s.ofx")
    assert ask("ledger_transactions").data["rows"][0]["date"] == "2026-01-31"


@pytest.mark.parametrize(
    "content",
    ["<A>" * 300_000 + "</A>" * 300_000, "<" * 1_000_000, "<NAME>" + "<![CDATA[" * 300_000, "<STMTRS>" * 300_000],
    ids=["nesting", "angles", "character data", "statements"],
)
def test_a_file_of_nothing_but_markup_is_one_clear_line(run: Run, file: File, content: str) -> None:
    code, out, err = run("import", file("OFXHEADER:100\n<OFX>" + content, "s.ofx"), "--account", "A")
    assert (code, out) == (2, "")
    *progress, last = err.splitlines()  # on a slow machine there is some
    assert last == "error: s.ofx: no bookings and no balance of an account in this OFX file"
    assert set(progress) <= {"reading s.ofx"}


def test_rejected_bookings_count_for_the_limit_too(run: Run, file: File) -> None:
    content = "OFXHEADER:100\n<OFX><STMTRS><ACCTID>1" + "<STMTTRN>" * 200_002
    assert "it has more than 200,000 bookings" in run("import", file(content, "s.ofx"))[2]


@given(st.data())
def test_a_file_cut_anywhere_never_loses_a_booking_without_a_word(data: st.DataObject) -> None:
    content = OFX[: data.draw(st.integers(0, len(OFX) - len("\n</OFX>\n")))]
    try:
        found = read_ofx(raw_file("s.ofx", content.encode()), account=None, currency=None, encoding=None)
    except FileProblem:
        return
    assert len(found.entries) + len(found.rejected) >= content.count("<FITID>")
    assert found.warnings


def test_a_booking_in_a_comment_is_none(load: Load, ask: Ask) -> None:
    load(
        OFX.replace("<STMTTRN><TRNTYPE>DEBIT", "<!-- left\nout <STMTTRN><TRNTYPE>DEBIT").replace(
            "Groceries</STMTTRN>", "</STMTTRN> -->"
        ),
        "s.ofx",
    )
    assert payees(ask) == ["PAYROLL"]


def test_what_looks_like_a_comment_in_cdata_is_text(load: Load, ask: Ask) -> None:
    load(OFX.replace("<NAME>SHOP &amp; CO", "<NAME><![CDATA[SHOP <!-- & --> CO]]>"), "s.ofx")
    assert payees(ask)[1].startswith("SHOP")


@pytest.mark.parametrize("field", ["<TRNAMT>-450.10", "<DTPOSTED>20260111"])
def test_a_booking_with_two_amounts_or_days_is_rejected(run: Run, file: File, field: str) -> None:
    _, out, err = run("import", file(OFX.replace("<FITID>F1", f"{field}<FITID>F1"), "s.ofx"))
    assert "1 rejected" in out
    assert "twice, with different values" in err


@given(st.lists(st.sampled_from(["<!--", "-->", "<![CDATA[", "]]>", "<!", "a", "\n"])).map("".join))
def test_comments_leave_the_lines_of_a_text_where_they_are(text: str) -> None:
    assert without_comments(text).count("\n") == text.count("\n")
    assert "<!--" in text or without_comments(text) == text
