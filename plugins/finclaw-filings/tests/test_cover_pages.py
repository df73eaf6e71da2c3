"""What a saved filing states of itself: the cover page of inline XBRL, and SEC's header of a full submission."""

from __future__ import annotations

import pytest
from filing_tools import Run, Tools, Write
from hypothesis import given
from hypothesis import strategies as st
from made_facts import YEARS, accession, companyfacts, fact
from made_filings import annual_report, submission

from finclaw_filings.cover_page import cover_of

PERIOD = (
    '<ix:nonNumeric contextRef="c-1" name="dei:DocumentPeriodEndDate" format="ixt:date-monthname-day-year-en">'
    '<ix:nonNumeric contextRef="c-1" name="dei:CurrentFiscalYearEndDate">December&#160;31</ix:nonNumeric>'
    "<span>, 2022</span></ix:nonNumeric>"
)


def dei(name: str, value: str, context: str = "c-1", extra: str = "") -> str:
    return f'<ix:nonNumeric name="dei:{name}" contextRef="{context}" {extra}>{value}</ix:nonNumeric>'


def page(*more: str, kind: str = "10-K", period: str = PERIOD) -> str:
    """A 10-K whose CIK and form stand in the hidden header, its period and its symbol on the page."""
    hidden = dei("EntityCentralIndexKey", "0001234567") + dei("DocumentType", kind)
    seen = f"<p>{period}</p>" + dei("EntityRegistrantName", "Acme &amp; Sons") + dei("TradingSymbol", "ACME", "c-2")
    report = annual_report().replace("HIDDEN FACT 42", hidden + "".join(more))
    return report.replace("<p>PART I</p>", f"{seen}<p>PART I</p>", 1)


def test_a_cover_page_has_whose_report_it_is_and_of_which_period(run: Run, file: Write, tools: Tools) -> None:
    code, out, err = run("import", file(page(), "acme.htm"), "--filed", "2023-02-10")
    assert (code, err) == (0, "")
    assert " 10-K of CIK0001234567, filed 2023-02-10: " in out
    (listed,) = tools("list_filings", identifier="ACME")["data"]["filings"]
    assert (listed["form"], listed["period"]) == ("10-K", "2022-12-31")
    assert tools("company", identifier="1234567")["data"]["name"] == "Acme & Sons"


def test_the_day_it_was_filed_is_taken_from_the_list_where_that_has_exactly_one(run: Run, file: Write) -> None:
    assert "so say --filed" in run("import", file(page(), "acme.htm"))[2]
    facts = companyfacts(fact("Revenues", YEARS[2022], 120, "2023-02-10"))
    run("import", file(facts, "CIK0001234567.json"))
    assert (
        f"{accession('2023-02-10')} 10-K of CIK0001234567, filed 2023-02-10 by the stored list"
        in run("import", file(page(), "acme.htm"))[1]
    )


@pytest.mark.parametrize(
    ("option", "stated"),
    [
        (("--cik", "77"), "its own cik is 1234567, not 77"),
        (("--form", "10-Q"), "its own form is 10-K, not 10-Q"),
        (("--period", "2021-12-31"), "its own period is 2022-12-31, not 2021-12-31"),
    ],
)
def test_an_option_that_contradicts_the_cover_page_is_refused(
    run: Run, file: Write, option: tuple[str, str], stated: str
) -> None:
    code, _, err = run("import", file(page(), "acme.htm"), "--filed", "2023-02-10", *option)
    assert (code, err) == (2, f"acme.htm: failed: {stated}\n")


def test_the_flag_of_an_amendment_is_part_of_the_form(run: Run, file: Write) -> None:
    for flag in (dei("AmendmentFlag", "&#9746;", extra='format="ixt:fixed-true"'), dei("AmendmentFlag", "true")):
        assert cover_of(page(flag)).facts.form == "10-K/A"
    assert cover_of(page(dei("AmendmentFlag", "true"), kind="10-K/A")).facts.form == "10-K/A"
    assert cover_of(page(dei("AmendmentFlag", "False"))).facts.form == "10-K"


def test_of_several_registrants_the_one_of_the_report_counts_and_no_symbol_is_taken() -> None:
    cover = cover_of(page(dei("EntityCentralIndexKey", "0000000099", "c-9")))
    assert (cover.facts.cik, cover.tickers) == (1234567, ())


@pytest.mark.parametrize(
    ("written", "kind", "day"),
    [
        ("2022-12-31", "", "2022-12-31"),
        ("31 December 2022", "ixt:date-day-monthname-year-en", "2022-12-31"),
        ("SEPTEMBER 3, 2022", "ixt:datemonthdayyearen", "2022-09-03"),
        ("09/03/2022", "ixt:date-month-day-year", "2022-09-03"),
        ("03.09.2022", "ixt:datedaymonthyear", "2022-09-03"),
        ("03.09.2022", "", None),
        ("February 30, 2022", "", None),
    ],
)
def test_a_period_is_read_in_the_order_of_its_format(written: str, kind: str, day: str | None) -> None:
    cover = cover_of(page(period=dei("DocumentPeriodEndDate", written, extra=f'format="{kind}"')))
    assert cover.facts.period == day
    assert bool(cover.unread) is (day is None)


def test_the_symbol_of_a_later_report_replaces_that_of_an_earlier_one(run: Run, file: Write, tools: Tools) -> None:
    run("import", file(page(), "new.htm"), "--filed", "2023-02-10")
    older = page().replace("ACME<", "OLDX<").replace(", 2022", ", 2021")
    run("import", file(older, "old.htm"), "--filed", "2022-02-10")
    assert tools("company", identifier="1234567")["data"]["tickers"] == ["ACME"]


def test_a_header_counts_before_the_cover_page_and_the_difference_is_a_note(run: Run, file: Write) -> None:
    out = run("import", file(submission(page(), period="20221230"), "a.txt"))[1]
    assert "; its cover page has period 2022-12-31, not 2022-12-30 as the header" in out


def test_what_is_left_out_of_a_submission_is_counted_and_named(run: Run, file: Write, tools: Tools) -> None:
    image = "<DOCUMENT>\n<TYPE>GRAPHIC\n<TEXT>\nbegin 644 a.gif\nM1TE&.#EA\nend\n</TEXT>\n</DOCUMENT>\n"
    whole = submission(annual_report()).replace("</SEC-DOCUMENT>", image * 2)
    assert "; 3 documents left out: EX-21, GRAPHIC (2)" in run("import", file(whole, "a.txt"))[1]
    text = tools("read_filing", accession="0001234567-23-000001", offset=0, limit=20000)["data"]["text"]
    assert "begin 644" not in text


def test_the_annual_report_among_the_exhibits_is_part_of_the_text(run: Run, file: Write, tools: Tools) -> None:
    whole = submission(annual_report()).replace("<TYPE>EX-21", "<TYPE>EX-13.1", 1)
    assert "left out" not in run("import", file(whole, "a.txt"))[1]
    answer = tools("read_filing", accession="0001234567-23-000001", section="exhibit_13_1")
    assert answer["data"]["text"] == "Subsidiaries of the registrant"
    controls = tools("read_filing", accession="0001234567-23-000001", section="controls")["data"]["text"]
    assert "Subsidiaries" not in controls


def test_exhibits_of_one_type_have_numbers(run: Run, file: Write, tools: Tools) -> None:
    again = "<DOCUMENT>\n<TYPE>EX-99\n<TEXT>\nMore\n</TEXT>\n</DOCUMENT>\n"
    whole = submission(annual_report()).replace("</SEC-DOCUMENT>", again * 2)
    run("import", file(whole, "a.txt"))
    listed = tools("read_filing", accession="0001234567-23-000001")["data"]["sections"]
    assert [section["section"] for section in listed][-2:] == ["exhibit_99", "exhibit_99_no_2"]


def test_the_company_of_a_report_about_an_owner_is_the_issuer(run: Run, file: Write) -> None:
    owner = "REPORTING-OWNER:\n\tOWNER DATA:\n\t\tCENTRAL INDEX KEY:\t0000000042\nISSUER:\n"
    whole = submission("Shares were sold.", form="4").replace("FILER:\n", owner, 1)
    assert " 4 of CIK0001234567, " in run("import", file(whole, "a.txt"))[1]


PIECES = ["<ix:nonNumeric ", "</ix:nonNumeric>", 'name="dei:DocumentType"', ">", "<", "a", '"', " "]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_page_makes_the_reader_fail(markup: str) -> None:
    cover_of(markup)
