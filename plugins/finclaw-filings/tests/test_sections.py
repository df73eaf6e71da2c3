"""Sections of reports whose statements or lists stand elsewhere than their item: made up, built as large filers build theirs."""

from __future__ import annotations

import pytest
from filing_tools import Run, Tools, Write
from made_filings import LONG, submission

K = "0001234567-23-000001"
STATEMENTS = f"""Report of Independent Registered Public Accounting Firm

We have audited the balance sheets. {LONG}

CONSOLIDATED BALANCE SHEETS

Cash | $70
Total assets | $120

NOTES

The company makes anvils. {LONG}
"""
LIST = """Report of Independent Registered Public Accounting Firm | 50
Consolidated Balance Sheets | 54
"""
FIRST = f"""PART I
Item 1. Business
We make anvils. {LONG}
Item 3. Legal Proceedings
None.
Item 4. Mine Safety Disclosures
Not applicable.
"""
MIDDLE = f"""PART II
Item 7. Management's Discussion
Sales rose. {LONG}
Item 8. Financial Statements and Supplementary Data
The statements are listed in Item 15 and are part of this report.
Item 9A. Controls and Procedures
They work. Total assets of 120 are not a statement here.
"""


class Sections:
    """The sections of a report, as `read_filing` gives them."""

    def __init__(self, tools: Tools, run: Run, file: Write) -> None:
        self._tools, self._run, self._file = tools, run, file

    def __call__(self, text: str, form: str = "10-K", whole: str | None = None) -> dict[str, str]:
        code, _, err = self._run("import", self._file(whole or submission(text, form), "a.txt"))
        assert (code, err) == (0, "")
        page = self._tools("read_filing", accession=K)["data"]
        listed = page["sections"]
        text = self._tools("read_filing", accession=K, offset=0, limit=20000)["data"]["text"]
        assert page["length"] <= 20_000
        return {section["section"]: text[section["start"] : section["end"]] for section in listed}


@pytest.fixture
def sections(tools: Tools, run: Run, file: Write) -> Sections:
    return Sections(tools, run, file)


def test_statements_behind_the_summary_are_the_statements(sections: Sections) -> None:
    end = (
        f"Item 15. Exhibits\n{LIST}Item 16. Form 10-K Summary\nNone.\nINDEX TO FINANCIAL STATEMENTS\n{LIST}{STATEMENTS}"
    )
    found = sections(FIRST + MIDDLE + end + f"EXHIBIT INDEX\n3.1 Charter. {LONG}\nSIGNATURES\nWile E.")
    assert found["financial_statements"].startswith("INDEX TO FINANCIAL STATEMENTS")
    assert "Total assets | $120" in found["financial_statements"]
    assert found["summary"] == "Item 16. Form 10-K Summary\nNone.\n"
    assert found["exhibits"].startswith("EXHIBIT INDEX\n3.1 Charter.")


def test_statements_within_the_item_of_exhibits_are_the_statements(sections: Sections) -> None:
    end = (
        f"Item 15. Exhibits\n{LIST}{STATEMENTS}Exhibit Index\n3.1 Charter. {LONG}\nItem 16. Form 10-K Summary\nNone.\n"
    )
    found = sections(FIRST + MIDDLE + end)
    assert found["financial_statements"].startswith(
        "Report of Independent Registered Public Accounting Firm\n\nWe have"
    )
    assert found["exhibits"].startswith("Exhibit Index\n3.1 Charter.")
    assert "Total assets" not in found["exhibits"]


@pytest.mark.parametrize("header", ["", "Index to Financial Statements\n" * 5])
def test_statements_after_the_signatures_are_the_statements(sections: Sections, header: str) -> None:
    found = sections(FIRST + MIDDLE + f"Item 15. Exhibits\n{header}{LIST}SIGNATURES\nWile E.\n{header}{STATEMENTS}")
    assert found["financial_statements"].startswith("Report of Independent")
    assert "Wile E." not in found["exhibits"]
    assert "They work." in found["controls"]


def test_the_list_of_exhibits_behind_the_summary_is_no_part_of_it(sections: Sections) -> None:
    middle = MIDDLE.replace("The statements are listed in Item 15 and are part of this report.", STATEMENTS)
    end = f"Item 15. Exhibits\nSee the list.\nItem 16. Form 10-K Summary\nNone.\nEXHIBIT INDEX\n3.1 Charter\n{LONG}"
    found = sections(FIRST + middle + end)
    assert found["summary"] == "Item 16. Form 10-K Summary\nNone.\n"
    assert found["exhibits"].startswith("EXHIBIT INDEX")
    assert found["financial_statements"].startswith("Item 8. ")


def test_executive_officers_have_a_section_of_their_own(sections: Sections) -> None:
    found = sections(f"{FIRST}Information about our executive officers\n\nWile E. leads. {LONG}\n{MIDDLE}")
    assert found["mine_safety"] == "Item 4. Mine Safety Disclosures\nNot applicable.\n"
    assert "Wile E. leads." in found["executive_officers"]


def test_the_item_before_the_contents_of_the_next_part_is_kept(sections: Sections) -> None:
    items = ["10. Directors", "11. Compensation", "12. Ownership", "13. Transactions", "14. Fees"]
    contents = "\n".join(f"Item {item}" for item in items)
    body = "\n".join(f"Item {item}\nIn the proxy statement. {LONG}" for item in items)
    found = sections(f"{FIRST}{MIDDLE}Item 9C. Foreign Inspections\nNot applicable.\nPART III\n{contents}\n{body}")
    assert "Not applicable." in found["foreign_inspections"]
    assert "In the proxy statement." in found["directors"]


def test_before_2003_item_14_had_the_exhibits(sections: Sections) -> None:
    end = "Item 14. Exhibits, Financial Statement Schedules\nThe list.\nItem 14 (a)(2):\nSchedules\n"
    found = sections(FIRST + MIDDLE + end)
    assert found["exhibits"] == end.rstrip()
    assert "accountant_fees" not in found


def test_statements_of_a_quarter_need_no_heading(sections: Sections) -> None:
    quarter = "Item 2. Management's Discussion\nSales fell.\nItem 4. Controls and Procedures\nThey work.\nPART II\nItem 1. Legal Proceedings\nNone."
    statements = STATEMENTS.replace(
        "Report of Independent Registered Public Accounting Firm", "Balance Sheets (unaudited)"
    )
    found = sections(f"ACME CORP\n{statements}{quarter}", "10-Q")
    assert found["financial_statements"].startswith("Balance Sheets (unaudited)")
    assert found["mda"] == "Item 2. Management's Discussion\nSales fell.\n"


def test_a_foreign_report_has_items_with_letters_and_statements_after_the_signatures(sections: Sections) -> None:
    items = ["3. | Key Information", "4. | Information on the Company", "16.A. | Audit Committee Financial Expert",
             "16.K. | Cybersecurity", "18. | Financial Statements", "19. | Exhibits"]  # fmt: skip
    contents = "\n".join(f"ITEM {item} | {page}" for page, item in enumerate(items))
    body = "\n".join(f"Item {item}\n{item[-9:]} is this. {LONG}" for item in items)
    found = sections(f"{contents}\nPART I\n{body}\nSIGNATURES\nWile E.\n{STATEMENTS}", "20-F")
    assert list(found) == [
        "key_information",
        "business",
        "audit_committee",
        "cybersecurity",
        "exhibits",
        "financial_statements",
    ]
    assert "Total assets | $120" in found["financial_statements"]


def test_the_exhibits_of_a_canadian_report_are_its_items(sections: Sections) -> None:
    main = "Controls and Procedures\n\nThey work.\n\nUndertaking\n\nWe will answer.\n\nCode of Ethics\n\nWe have one."
    bodies = (
        f"ACME CORP\nANNUAL INFORMATION FORM\n{LONG}",
        "MANAGEMENT'S DISCUSSION AND ANALYSIS\nSales fell.",
        "CONSENT\nWe agree.",
    )
    exhibits = "".join(
        f"<DOCUMENT>\n<TYPE>EX-99.{at}\n<TEXT>\n{body}\n</TEXT>\n</DOCUMENT>\n" for at, body in enumerate(bodies, 1)
    )
    whole = submission(main, "40-F").replace("</SEC-DOCUMENT>", exhibits)
    found = sections("", whole=whole)
    assert list(found) == [
        "controls",
        "undertakings",
        "code_of_ethics",
        "annual_information_form",
        "mda",
        "exhibit_99_3",
    ]
    assert found["mda"].endswith("Sales fell.")
