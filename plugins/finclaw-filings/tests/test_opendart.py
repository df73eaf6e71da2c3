"""Korean companies from OpenDART: the same tools, with amounts in won, dates of Seoul, and its errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from edgar_server import Edgar, edgar_server
from filing_tools import Run, Tools
from made_dart import ANNUAL, CODE, FIRST, HALF, KEY, NO_DATA, STOCK, Answers, corp_codes, line

REVENUE = {"identifier": STOCK, "concepts": ["revenue"]}


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def dart(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Edgar]:
    with edgar_server() as server:
        server.files = answers
        monkeypatch.setenv("OPENDART_API_KEY", KEY)
        monkeypatch.setenv("OPENDART_URL", server.url)
        # A loopback server may be asked as often as one likes.
        monkeypatch.setattr("finclaw_filings.opendart_http.INTERVAL_S", 0.001)
        yield server


@pytest.fixture
def korean(dart: Edgar, run: Run, tools: Tools) -> Tools:
    code, out, err = run("fetch", STOCK)
    assert (code, err) == (0, "")
    assert "1 listed companies; 1 without a stock code left out" in out
    assert "DART00126380 삼성전자(주): 3 reports, 10 values of consolidated statements, 2 rows left out" in out
    return tools


def test_a_year_is_in_won_with_its_receipt_number_and_day(korean: Tools, dart: Edgar) -> None:
    answer = korean("financials", **REVENUE)
    (year,) = answer["data"]["revenue"]
    assert (year["value"], year["unit"], year["start"], year["end"]) == (
        "258935494000000",
        "KRW",
        "2023-01-01",
        "2023-12-31",
    )
    assert (year["accession"], year["filed"], year["form"], year["tag"]) == (
        ANNUAL, "2024-03-12", "사업보고서", "ifrs-full:Revenue",
    )  # fmt: skip
    assert (answer["tz"], answer["instrument"]["symbol"]) == ("Asia/Seoul", STOCK)
    assert answer["sources"][0]["ref"] == f"{dart.url}/api/fnlttSinglAcntAll.json?corp_code={CODE}&fs_div=CFS"


def test_interim_amounts_are_of_three_months_and_cash_flows_of_the_year_so_far(korean: Tools) -> None:
    second, first = korean("financials", **REVENUE, period="quarterly")["data"]["revenue"]
    assert (second["value"], second["start"], second["accession"], second["form"]) == (
        "74068302000000", "2024-04-01", HALF, "반기보고서/A",
    )  # fmt: skip
    assert (first["value"], first["accession"]) == ("71915601000000", FIRST)
    asked = {"identifier": STOCK, "concepts": ["operating_cash_flow"], "period": "quarterly"}
    derived, _ = korean("financials", **asked)["data"]["operating_cash_flow"]
    assert (derived["value"], derived["method"]) == ("19", "not reported: 6 months less the first 3 months")


def test_concepts_are_those_of_ifrs_and_of_the_korean_taxonomy(korean: Tools) -> None:
    answer = korean("financials", identifier="삼성전자", concepts=["operating_income", "eps_basic", "assets"])["data"]
    assert answer["operating_income"][0]["tag"] == "dart:OperatingIncomeLoss"
    assert (answer["eps_basic"][0]["value"], answer["eps_basic"][0]["unit"]) == ("2131", "KRW/shares")
    assert answer["assets"][0]["end"] == "2023-12-31"
    margin = korean("ratios", identifiers=[STOCK], measures=["operating_margin"])["data"]["values"][0]
    assert margin["value"] == "0.025361"


def test_nothing_is_known_before_the_day_it_was_filed(korean: Tools) -> None:
    assert korean.error("financials", **REVENUE, as_of="2024-03-11").startswith("NO_DATA: ")
    assert len(korean("list_filings", identifier=STOCK, as_of="2024-06-01")["data"]["filings"]) == 2


def test_the_company_and_its_reports_are_those_of_the_register(korean: Tools) -> None:
    company = korean("company", identifier=f"DART{CODE}")["data"]
    assert (company["dart_code"], company["tickers"], company["exchanges"]) == (CODE, [STOCK], ["KOSPI"])
    assert (company["fiscal_year_end"], "cik" in company) == ("12-31", False)
    (row,) = korean("list_filings", identifier=STOCK, forms=["사업보고서"])["data"]["filings"]
    assert row["url"] == f"https://dart.fss.or.kr/dsaf001/main.do?rcpNo={ANNUAL}"
    assert "it can be read at https://dart.fss.or.kr" in korean.error("read_filing", accession=ANNUAL)


def test_a_company_without_consolidated_statements_has_separate_ones(answers: Answers, dart: Edgar, run: Run) -> None:
    answers.statements = {("2023", "11011", "OFS"): [line("ifrs-full_Revenue", "5")]}
    assert "1 values of separate statements" in run("fetch", STOCK)[1]


def test_a_fiscal_year_that_ends_in_march_is_found_by_its_report(
    answers: Answers, dart: Edgar, run: Run, tools: Tools
) -> None:
    answers.company["acc_mt"] = "3"
    answers.reports[0]["report_nm"] = "사업보고서 (2024.03)"
    answers.reports = answers.reports[:1]
    answers.statements = {("2023", "11011", "CFS"): [line("ifrs-full_ProfitLoss", "5")]}
    answers.reports[0]["rcept_no"] = answers.statements["2023", "11011", "CFS"][0]["rcept_no"] = "20240628000001"
    answers.reports[0]["rcept_dt"] = "20240628"
    assert run("fetch", STOCK)[0] == 0
    (year,) = tools("financials", identifier=STOCK, concepts=["net_income"])["data"]["net_income"]
    assert (year["start"], year["end"]) == ("2023-04-01", "2024-03-31")


def test_a_statement_of_another_report_is_left_out(answers: Answers, dart: Edgar, run: Run) -> None:
    answers.statements = {("2023", "11011", "CFS"): [line("ifrs-full_Revenue", "5", receipt="20990101000001")]}
    assert "no statements" in run("fetch", STOCK)[1]


ERRORS = {
    "010": "NOT_CONFIGURED: OpenDART does not accept the key in OPENDART_API_KEY (status 010: because)",
    "013": f"NO_DATA: OpenDART has no company DART{CODE}",
    "020": "RATE_LIMITED: OpenDART's limit of requests is used up (status 020)",
    "100": "NO_DATA: OpenDART refused the request (status 100: because)",
    "800": "NO_DATA: OpenDART is out of service (status 800: because)",
}


@pytest.mark.parametrize("status", ERRORS)
def test_each_status_is_one_error(answers: Answers, dart: Edgar, run: Run, status: str) -> None:
    answers.company = {"status": status, "message": "because"}
    exit_code, _, err = run("fetch", f"DART{CODE}")
    assert (exit_code, err.startswith(f"error: {ERRORS[status]}"), KEY in err) == (2, True, False)


def test_after_the_limit_is_used_up_nothing_is_sent(answers: Answers, dart: Edgar, run: Run) -> None:
    answers.company = {"status": "020", "message": "because"}
    for _ in range(2):
        assert "RATE_LIMITED" in run("fetch", f"DART{CODE}")[2]
    assert len(dart.asked) == 1


def test_an_error_in_place_of_the_company_list_is_no_zip(answers: Answers, dart: Edgar, run: Run) -> None:
    answers.companies = b"<result><status>010</status><message>because</message></result>"
    assert "NOT_CONFIGURED: OpenDART does not accept the key" in run("fetch", STOCK)[2]
    answers.companies = b"PK\3\4 cut off"
    assert "OpenDART's list of companies cannot be used: not a zip of one file" in run("fetch", STOCK)[2]


def test_six_digits_that_are_no_stock_code_are_a_cik(
    answers: Answers, dart: Edgar, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "EDGAR_IDENTITY is not set" in run("fetch", "320193")[2]
    monkeypatch.delenv("OPENDART_API_KEY")
    assert "OPENDART_API_KEY is not set" in run("fetch", f"DART{CODE}")[2]


def test_tools_ask_opendart_for_a_stock_code_where_that_is_switched_on(dart: Edgar, tools: Tools) -> None:
    tools.context = {"settings": {"live": True}}
    assert tools("financials", **REVENUE)["data"]["revenue"][0]["unit"] == "KRW"
    asked = list(dart.asked)
    assert tools("company", identifier=STOCK)["data"]["name"] == "삼성전자(주)"
    assert dart.asked == asked
    assert not any(KEY in str(source) for source in tools("financials", **REVENUE)["sources"])


def test_an_answer_that_fails_leaves_what_is_stored(answers: Answers, korean: Tools, dart: Edgar) -> None:
    korean.context = {"settings": {"live": True, "max_age_hours": 0}}
    answers.company = {"status": "800", "message": "because"}
    answer = korean("financials", **REVENUE)
    assert answer["data"]["revenue"][0]["unit"] == "KRW"
    assert "out of service" in answer["warnings"][0]


def test_a_stock_code_that_is_a_cik_as_well_has_to_be_named_by_its_register(
    answers: Answers, dart: Edgar, run: Run, tools: Tools
) -> None:
    answers.companies = corp_codes((CODE, "삼성전자", "123456"))
    answers.company["stock_code"] = "123456"
    run("fetch", "123456")
    tools.load(("Revenues", "2023-01-01..2023-12-31", 1, "2024-02-01", "10-K", "USD"), cik=123456)
    assert "AMBIGUOUS_SYMBOL" in tools.error("company", identifier="123456")
    assert tools("company", identifier="CIK123456")["data"]["cik"] == "0000123456"
    assert tools("company", identifier=f"DART{CODE}")["data"]["dart_code"] == CODE


def test_no_data_for_every_statement_is_no_error(answers: Answers, dart: Edgar, run: Run) -> None:
    answers.statements = {}
    code, out, _ = run("fetch", STOCK)
    assert (code, "3 reports, no statements" in out, NO_DATA["status"]) == (0, True, "013")
