from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from edgar_server import Edgar, edgar_server
from filing_tools import Run, Tools, Write
from made_facts import YEARS, accession, companyfacts, fact
from made_filings import annual_report

FACTS, PROFILE = "/api/xbrl/companyfacts/CIK0001234567.json", "/submissions/CIK0001234567.json"
TICKERS = "/files/company_tickers.json"
K = accession("2023-02-10")
TEXT = f"/Archives/edgar/data/1234567/{K.replace('-', '')}/acme.htm"
IDENTITY = "Wile E. Coyote wile@acme.example"
ASKED = {"identifier": "ACME", "concepts": ["revenue"]}


@pytest.fixture
def edgar(monkeypatch: pytest.MonkeyPatch) -> Iterator[Edgar]:
    with edgar_server() as server:
        monkeypatch.setenv("EDGAR_DATA_URL", server.url)
        monkeypatch.setenv("EDGAR_BASE_URL", server.url + "/")
        monkeypatch.setenv("EDGAR_IDENTITY", IDENTITY)
        # A loopback server may be asked as often as one likes.
        monkeypatch.setattr("finclaw_filings.edgar_http.INTERVAL_S", 0.001)
        server.files = {
            TICKERS: {"0": {"cik_str": 1234567, "ticker": "ACME", "title": "Acme Corp"}},
            FACTS: companyfacts(fact("Revenues", YEARS[2022], 120, "2023-02-10")),
            PROFILE: {
                "cik": "1234567", "name": "Acme Corp", "tickers": ["ACME"], "exchanges": ["NYSE"],
                "filings": {"recent": {
                    "accessionNumber": [K], "filingDate": ["2023-02-10"], "reportDate": ["2022-12-31"],
                    "form": ["10-K"], "primaryDocument": ["acme.htm"],
                }},
            },
            TEXT: annual_report(),
        }  # fmt: skip
        yield server


@pytest.fixture
def live(tools: Tools, edgar: Edgar) -> Tools:
    tools.context = {"settings": {"live": True}}
    return tools


def test_fetch_brings_facts_and_filings_of_a_ticker(edgar: Edgar, run: Run, tools: Tools) -> None:
    code, out, err = run("fetch", "ACME")
    assert (code, err, out.count(": imported: ")) == (0, "", 3)
    assert edgar.asked == [TICKERS, PROFILE, FACTS]
    assert edgar.agents == {IDENTITY}
    source = tools("financials", **ASKED)["sources"][0]
    assert (source["kind"], source["ref"]) == ("service", edgar.url + FACTS)
    assert run("fetch", "1234567")[1].count(": unchanged: ") == 2


def test_without_the_switch_no_tool_asks_edgar(edgar: Edgar, tools: Tools) -> None:
    assert tools.error("financials", **ASKED).startswith("NO_DATA: nothing has been imported yet")
    assert edgar.asked == []


@pytest.mark.parametrize("switch", ["setting", "variable"])
def test_a_tool_fetches_what_is_missing_once(
    edgar: Edgar, tools: Tools, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    if switch == "setting":
        tools.context = {"settings": {"live": True}}
    else:
        monkeypatch.setenv("EDGAR_LIVE", "1")
    assert tools("financials", **ASKED)["data"]["revenue"][0]["value"] == "120"
    asked = list(edgar.asked)
    assert tools("company", identifier="ACME")["data"]["exchanges"] == ["NYSE"]
    assert edgar.asked == asked == [TICKERS, PROFILE, FACTS]


def test_what_is_old_is_asked_for_again_but_a_closed_day_is_not(edgar: Edgar, live: Tools) -> None:
    live("financials", **ASKED)
    live.context = {"settings": {"live": True, "max_age_hours": 0}}
    live("financials", **ASKED, as_of="2023-06-30")
    assert edgar.asked.count(FACTS) == 1
    edgar.files[FACTS] = companyfacts(
        fact("Revenues", YEARS[2022], 120, "2023-02-10"), fact("Revenues", YEARS[2023], 130, "2024-02-10")
    )
    _make_older(live)
    assert live("financials", **ASKED)["data"]["revenue"][0]["value"] == "130"
    assert edgar.asked.count(FACTS) == 2


def test_what_the_user_imported_is_asked_for_once_and_not_each_time(
    edgar: Edgar, live: Tools, run: Run, file: Write
) -> None:
    run("import", file(edgar.files[FACTS], "CIK0001234567.json"))
    for _ in range(2):
        live("financials", identifier="1234567", concepts=["revenue"])
    assert edgar.asked == [PROFILE, FACTS]


def _make_older(tools: Tools) -> None:
    import os

    db = sqlite3.connect(Path(os.environ["FINCLAW_HOME"]) / "filings.db")
    db.execute("UPDATE asked SET at = '2024-06-30T00:00:00+00:00' WHERE url LIKE '%companyfacts%'")
    db.commit()
    db.close()


def test_the_text_of_a_listed_filing_is_fetched_and_kept(edgar: Edgar, live: Tools) -> None:
    live("list_filings", identifier="ACME")
    for _ in range(2):
        assert "Coyote v. Acme" in live("read_filing", accession=K, section="legal_proceedings")["data"]["text"]
    assert edgar.asked.count(TEXT) == 1
    assert live("search_filings", query="anvils")["data"]["passages"][0]["accession"] == K


def test_no_identity_is_not_configured(edgar: Edgar, live: Tools, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for identity in ("", "nobody", "Wile\nE: x@y"):
        monkeypatch.setenv("EDGAR_IDENTITY", identity)
        assert live.error("financials", **ASKED).startswith("NOT_CONFIGURED: EDGAR_IDENTITY is not")
        assert run("fetch", "ACME")[2].startswith("error: NOT_CONFIGURED: EDGAR_IDENTITY is not")
    assert edgar.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example",
        "http://data.sec.gov",
        "https://data.sec.gov@evil.example",
        "file:///etc",
        "http://127.0.0.1/x",
        "http://[::1",
        "https://data.sec.gov:x",
    ],
)
def test_other_addresses_are_refused(live: Tools, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("EDGAR_DATA_URL", url)
    assert live.error("financials", **ASKED).startswith("NOT_CONFIGURED: EDGAR_DATA_URL must be")


@pytest.mark.parametrize("wrong", [{"live": "yes"}, {"lvie": True}, {"max_age_hours": -1}])
def test_a_wrong_setting_is_named(tools: Tools, wrong: dict[str, object]) -> None:
    tools.context = {"settings": wrong}
    assert tools.error("company", identifier="A").startswith("NOT_CONFIGURED: [plugin.finclaw-filings] ")


@pytest.mark.parametrize(("fault", "wait"), [("429", 77), ("403-page", 600), ("200-refusal", 600)])
def test_a_refusal_says_when_to_come_back_and_nothing_is_sent_till_then(
    edgar: Edgar, live: Tools, run: Run, fault: str, wait: int
) -> None:
    edgar.faults = [fault]
    error = live.error("financials", **ASKED)
    assert error.startswith(f"RATE_LIMITED: EDGAR refuses further requests for now; retry_after: {wait} s")
    assert run("fetch", "ACME")[2].startswith("error: RATE_LIMITED: ")
    assert len(edgar.asked) == 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("200-page", "EDGAR sent 'text/html' where json was expected"),
        ("page-as-json", "EDGAR's answer cannot be used: a web page, not JSON"),
        ("cut-json", "EDGAR's answer cannot be used: not JSON"),
        ("cut-off", "EDGAR gave no whole answer"),
        ("empty", "EDGAR gave an empty answer"),
        ("redirect", "redirects"),
        ("503", "EDGAR has an error of its own (status 503)"),
        ("not-gzip", "EDGAR gave no whole answer"),
        ("stacked", "EDGAR compressed its answer as 'gzip, gzip'"),
        ("other-json", "EDGAR's answer cannot be used: not a file that we know"),
    ],
)
def test_what_is_no_data_is_an_error(edgar: Edgar, live: Tools, fault: str, said: str) -> None:
    edgar.faults = [fault]
    error = live.error("financials", **ASKED)
    assert error.startswith("NO_DATA: ")
    assert said in error
    assert error.endswith("do not estimate.")


def test_when_edgar_fails_the_store_answers_with_a_warning(edgar: Edgar, live: Tools) -> None:
    live("financials", **ASKED)
    _make_older(live)
    edgar.faults = ["503"]
    answer = live("financials", **ASKED)
    assert answer["data"]["revenue"][0]["value"] == "120"
    assert "EDGAR has an error of its own (status 503)" in answer["warnings"][0]


def test_a_company_that_edgar_does_not_have_is_unknown(live: Tools, run: Run) -> None:
    assert live.error("company", identifier="NOPE").startswith("UNKNOWN_SYMBOL: 'NOPE' is not in the filings store")
    assert "EDGAR has nothing at" in live.error("financials", identifier="99", concepts=["revenue"])
    assert run("fetch", "NOPE")[2].startswith("error: 'NOPE' is not known")


def test_a_server_that_is_not_there_is_an_outage(live: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGAR_BASE_URL", "http://127.0.0.1:1")
    assert "EDGAR could not be reached (ConnectError)" in live.error("financials", **ASKED)


def test_an_answer_that_is_too_large_is_cut_short(edgar: Edgar, live: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finclaw_filings.edgar_http.MAX_BYTES", 50)
    assert "EDGAR gave an answer of more than 50 bytes" in live.error("financials", **ASKED)


def test_a_server_that_sends_headers_without_end_is_given_up(
    edgar: Edgar, live: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finclaw_filings.edgar._TIMEOUT_S", 0.2)
    edgar.faults = ["drip"]
    assert "EDGAR gave no whole answer within 0.2 s" in live.error("financials", **ASKED)


def _slot(home: Path, at: float) -> None:
    with closing(sqlite3.connect(home / "edgar-requests.db")) as db, db:
        db.execute("UPDATE slots SET at = ? WHERE name = 'next'", (at,))


def _next_slot(home: Path) -> float:
    with closing(sqlite3.connect(home / "edgar-requests.db")) as db:
        return float(db.execute("SELECT at FROM slots WHERE name = 'next'").fetchone()[0])


def test_a_moment_that_another_process_has_taken_is_left_to_it(
    edgar: Edgar, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("fetch", "1234567")
    monkeypatch.setattr("finclaw_filings.edgar_http.INTERVAL_S", 0.125)
    taken = time.time() + 0.2
    _slot(home, taken)
    assert run("fetch", "1234567")[0] == 0
    assert _next_slot(home) >= taken + 2 * 0.125


def test_a_clock_that_was_wrong_stops_nobody(edgar: Edgar, run: Run, home: Path) -> None:
    run("fetch", "1234567")
    wrong = time.time() + 1e8
    _slot(home, wrong)
    assert run("fetch", "1234567")[0] == 0
    assert _next_slot(home) < wrong - 1e7
