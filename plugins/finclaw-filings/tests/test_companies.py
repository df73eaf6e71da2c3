from __future__ import annotations

from datetime import date

import pytest
from filing_tools import Run, Tools, Write
from made_facts import YEARS, accession, fact

TICKERS = {
    "0": {"cik_str": 1234567, "ticker": "ACME", "title": "Acme Corp"},
    "1": {"cik_str": 7654321, "ticker": "GLBX", "title": "Globex Inc."},
    "2": {"cik_str": 1111111, "ticker": "GLBX", "title": "Globex Holdings"},
    "3": {"cik_str": 2222222, "ticker": "BRK-B", "title": "Burk & Sons"},
}
SUBMISSIONS = {
    "cik": "1234567", "name": "ACME CORP", "sic": "3510", "sicDescription": "Engines", "fiscalYearEnd": "1231",
    "tickers": ["ACME", "ACME-W"], "exchanges": ["NYSE", None], "formerNames": [{"name": "Anvil Works"}],
    "filings": {
        "recent": {
            "accessionNumber": ["0001234567-24-000002", "0001234567-24-000001", "bad"],
            "filingDate": ["2024-05-01", "2024-02-10", "2024-01-01"], "reportDate": ["2024-03-31", "2023-12-31", ""],
            "form": ["10-Q", "10-K", "8-K"], "primaryDocument": ["q.htm", "../../etc/passwd", "x.htm"],
        },
        "files": [{"name": "CIK0001234567-submissions-001.json"}],
    },
}  # fmt: skip
FACT = fact("Revenues", YEARS[2022], 120, "2023-02-10")


@pytest.fixture
def known(tools: Tools, run: Run, file: Write) -> Tools:
    run("import", file(TICKERS, "company_tickers.json"), file(SUBMISSIONS, "CIK0001234567-sub.json"))
    tools.load(FACT)
    return tools


@pytest.mark.parametrize(
    "name",
    ["acme", "ACME", "1234567", "0001234567", "CIK0001234567", "cik1234567", "Acme Corp", "ACME CORPORATION"],
)
def test_a_company_is_found_by_ticker_number_and_whole_name(known: Tools, name: str) -> None:
    answer = known("company", identifier=name)
    assert answer["data"]["cik"] == "0001234567"
    assert answer["instrument"] == {"symbol": "ACME", "name": "Acme Corp", "exchange": "NYSE"}


def test_a_company_tells_who_it_is(known: Tools) -> None:
    data = known("company", identifier="ACME")["data"]
    assert (data["sic"], data["industry"], data["fiscal_year_end"]) == ("3510", "Engines", "12-31")
    assert (data["tickers"], data["former_names"]) == (["ACME", "ACME-W"], ["Anvil Works"])
    assert data["filings"] == {"count": 3, "with_text": 0, "first_filed": "2023-02-10", "last_filed": "2024-05-01"}


def test_a_company_tells_what_it_is_as_of(known: Tools) -> None:
    known.context = {"as_of": date(2024, 3, 1)}
    answer = known("company", identifier="ACME")
    assert answer["as_of"] == "2024-03-01"
    assert answer["method"]["convention"] == (
        "filings: those filed by 2024-03-01; all else as of the import of the sources, see retrieved_at"
    )
    assert all(source["retrieved_at"] for source in answer["sources"])


def test_a_dot_in_a_ticker_is_a_hyphen(known: Tools) -> None:
    assert known("company", identifier="brk.b")["data"]["cik"] == "0002222222"


@pytest.mark.parametrize("tool", ["company", "list_filings"])
def test_an_unknown_company_is_an_error_with_candidates(known: Tools, tool: str) -> None:
    assert known.error(tool, identifier="Acm").startswith(
        "UNKNOWN_SYMBOL: 'Acm' is not in the filings store; candidates: ACME (Acme Corp, CIK0001234567)"
    )
    assert "candidates: ACME" in known.error(tool, identifier="Acne Corp")
    assert "candidates: ACME (Acme Corp, CIK0001234567), BRK-B" in known.error(tool, identifier="% _ \\ ' \"")


def test_a_ticker_of_two_companies_is_never_guessed(known: Tools) -> None:
    error = known.error("company", identifier="GLBX")
    assert error.startswith("AMBIGUOUS_SYMBOL: 'GLBX' may be GLBX (Globex Holdings, CIK0001111111), GLBX (Globex Inc.,")


def test_facts_that_are_not_there_say_what_to_import(known: Tools) -> None:
    error = known.error("financials", identifier="7654321", concepts=["revenue"])
    assert (
        "download https://data.sec.gov/api/xbrl/companyfacts/CIK0007654321.json and run finclaw filings import" in error
    )
    assert error.endswith("Report this as unavailable; do not estimate.")


def test_an_empty_store_says_what_to_import(tools: Tools) -> None:
    for name, arguments in (
        ("company", {"identifier": "A"}),
        ("search_filings", {"query": "a"}),
        ("read_filing", {"accession": "a"}),
    ):
        assert tools.error(name, **arguments).startswith(
            "NO_DATA: nothing has been imported yet; the user can download"
        )


def test_filings_are_listed_by_form_and_day(known: Tools) -> None:
    def numbers(**asked: object) -> list[str]:
        return [row["accession"] for row in known("list_filings", identifier="ACME", **asked)["data"]["filings"]]

    assert numbers() == ["0001234567-24-000002", "0001234567-24-000001", accession("2023-02-10")]
    assert numbers(forms=["10-q"]) == ["0001234567-24-000002"]
    assert numbers(start="2024-01-01", end="2024-04-01") == ["0001234567-24-000001"]
    assert numbers(as_of="2023-12-31") == [accession("2023-02-10")]
    known.context = {"as_of": date(2024, 3, 1)}
    assert numbers(limit=1) == ["0001234567-24-000001"]


def test_a_document_name_that_is_a_path_is_not_taken(known: Tools) -> None:
    rows = known("list_filings", identifier="ACME")["data"]["filings"]
    assert rows[0]["url"] == "https://www.sec.gov/Archives/edgar/data/1234567/000123456724000002/q.htm"
    assert rows[1]["url"] == "https://www.sec.gov/Archives/edgar/data/1234567/000123456724000001/"


def test_the_older_part_of_an_index_is_added(known: Tools, run: Run, file: Write) -> None:
    older = {"accessionNumber": ["0001234567-09-000001"], "filingDate": ["2009-02-10"], "form": ["10-K"]}
    run("import", file(older, "CIK0001234567-submissions-001.json"))
    assert known("list_filings", identifier="ACME", end="2010-01-01")["data"]["filings"][0]["filed"] == "2009-02-10"


def test_a_window_without_filings_says_what_is_stored(known: Tools) -> None:
    error = known.error("list_filings", identifier="ACME", forms=["20-F"])
    assert "stored are 3 filings from 2023-02-10 to 2024-05-01, of forms 10-K, 10-Q" in error
    assert known.error("list_filings", identifier="ACME", start="2024-02-02", end="2024-01-01").startswith(
        "BAD_INPUT: "
    )
    assert known.error("list_filings", identifier="ACME", limit=0).startswith("BAD_INPUT: ")


def test_an_import_can_name_a_company_by_its_ticker(known: Tools, run: Run, file: Write) -> None:
    assert run("import", file("A 10-Q", "q.txt"), "--ticker", "ACME", "--form", "10-Q", "--filed", "2024-08-01")[0] == 0
    assert known("list_filings", identifier="ACME", limit=1)["data"]["filings"][0]["filed"] == "2024-08-01"
