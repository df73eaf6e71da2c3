"""One accession in the files of several companies, or under several days: whose a text is, and from when it is known."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from filing_tools import Run, Tools, Write
from made_facts import YEARS, companyfacts, fact
from made_filings import annual_report, submission

K = "0001234567-24-000001"
OTHER = 7654321


def facts_naming(accession: str, cik: int, filed: str) -> dict[str, object]:
    document = companyfacts(fact("Revenues", YEARS[2022], 1, filed), name="Globex", cik=cik)
    document["facts"]["us-gaap"]["Revenues"]["units"]["USD"][0]["accn"] = accession
    return document


@pytest.fixture
def filed(tools: Tools, run: Run, file: Write) -> Tools:
    run("import", file(submission(annual_report(), filed="20240201"), f"{K}.txt"))
    return tools


@pytest.mark.parametrize("cik", [OTHER, 12, 1234567])
def test_no_other_file_makes_a_text_known_before_it_was_filed(filed: Tools, run: Run, file: Write, cik: int) -> None:
    out = run("import", file(facts_naming(K, cik, "2024-01-31"), f"CIK{cik:010d}.json"))[1]
    assert f"conflict: the list of CIK{cik:010d} has {K} as filed on 2024-01-31" in out or cik == 1234567
    asked = {"accession": K, "section": "business"}
    assert "no filing" in filed.error("read_filing", **asked, as_of="2024-01-31")
    assert "no texts of filings up to" in filed.error("search_filings", query="anvils", as_of="2024-01-31")
    assert filed("read_filing", **asked, as_of="2024-02-01")["data"]["filed"] == "2024-02-01"
    assert filed("search_filings", query="anvils", as_of="2024-02-01")["data"]["passages"][0]["filed"] == "2024-02-01"


def test_a_text_imported_after_earlier_facts_counts_from_its_own_day(tools: Tools, run: Run, file: Write) -> None:
    run("import", file(facts_naming(K, 1234567, "2024-01-31"), "CIK0001234567.json"))
    out = run("import", file(submission(annual_report(), filed="20240201"), f"{K}.txt"))[1]
    assert f"conflict: the list of CIK0001234567 has {K} as filed on 2024-01-31" in out
    assert "no filing" in tools.error("read_filing", accession=K, offset=0, as_of="2024-01-31")
    assert "no texts" in tools.error("search_filings", query="anvils", as_of="2024-01-31")


def test_a_text_is_that_of_its_own_company_only(filed: Tools, run: Run, file: Write) -> None:
    run("import", file(facts_naming(K, 12, "2024-02-01"), "CIK0000000012.json"))
    assert filed("read_filing", accession=K, offset=0)["instrument"]["symbol"] == "CIK0001234567"
    assert filed("list_filings", identifier="12")["data"]
    assert filed("company", identifier="12")["data"]["filings"]["with_text"] == 0
    assert "no texts" in filed.error("search_filings", query="anvils", identifier="12")


def test_a_text_of_another_company_does_not_replace_it(filed: Tools, run: Run, file: Write) -> None:
    code, _, err = run("import", file(submission("Nothing", filed="20240101", cik=OTHER), f"other/{K}.txt"))
    assert code == 2
    assert f"{K} is stored already as a text of CIK0001234567" in err
    assert "anvils" in filed("read_filing", accession=K, section="business")["data"]["text"]


def test_a_store_of_the_first_version_is_brought_up_to_date(filed: Tools, home: Path) -> None:
    db = sqlite3.connect(home / "filings.db")
    for statement in (
        "DROP VIEW texts",
        "DROP TABLE ownership",
        "ALTER TABLE documents DROP COLUMN cik",
        "ALTER TABLE documents DROP COLUMN filed",
        "PRAGMA user_version = 1",
    ):
        db.execute(statement)
    db.close()
    assert "anvils" in filed("read_filing", accession=K, section="business")["data"]["text"]
    assert "no filing" in filed.error("read_filing", accession=K, offset=0, as_of="2024-01-31")
