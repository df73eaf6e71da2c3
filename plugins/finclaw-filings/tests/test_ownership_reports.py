"""Form 13F and Forms 3, 4 and 5: what is read, in which unit, as of when, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from filing_tools import Run, Tools, Write
from made_ownership import SALE, cover, holding, insider, insider_report, manager_report, table


def holdings(tools: Tools, **more: object) -> dict[str, Any]:
    return tools("ownership", identifier="1234567", **more)["data"]["holdings"]


def bring(run: Run, file: Write, content: str, name: str = "a.txt") -> str:
    code, out, err = run("import", file(content, name))
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize(("filed", "value"), [("20230102", "409469000"), ("20230103", "409469")])
def test_values_are_in_thousands_until_2023_whatever_the_quarter(
    run: Run, file: Write, tools: Tools, filed: str, value: str
) -> None:
    out = bring(run, file, manager_report(cover(1), table(holding("3M CO", "409469")), filed))
    assert "13F-HR of CIK0001234567" in out
    assert ": 1 holdings" in out
    found = holdings(tools)
    assert (found["rows"][0]["value"], found["total_value"], found["period"]) == (value, value, "2022-12-31")
    assert (found["rows"][0]["issuer"], found["rows"][0]["amount"], found["rows"][0]["type"]) == ("3M CO", "10", "SH")


def test_a_table_alone_needs_what_the_cover_would_have(run: Run, file: Write, tools: Tools) -> None:
    path = file(table(holding("3M CO", "5"), holding("ABBOTT", "7", more="<ns1:putCall>Put</ns1:putCall>")), "t.xml")
    assert "so say --cik (or --ticker), --form, --filed" in run("import", path)[2]
    given = ("--cik", "1234567", "--form", "13F-HR", "--filed", "2023-02-10", "--period", "2022-12-31")
    assert run("import", path, *given)[0] == 0
    assert [(row["issuer"], row.get("put_call")) for row in holdings(tools)["rows"]] == [
        ("ABBOTT", "Put"),
        ("3M CO", None),
    ]


def test_an_amendment_adds_to_the_quarter_or_replaces_it(run: Run, file: Write, tools: Tools) -> None:
    for serial, (filed, kind, issuer, value) in enumerate(
        [("20230210", "", "3M CO", "5"), ("20230301", "NEW HOLDINGS", "ABBOTT", "7"), ("20230401", "RESTATEMENT", "ZETA", "9")], 1
    ):  # fmt: skip
        form = "13F-HR/A" if kind else "13F-HR"
        whole = manager_report(cover(1, kind), table(holding(issuer, value)), filed, form, serial)
        bring(run, file, whole, f"{serial}.txt")
    issuers = {
        day: [row["issuer"] for row in holdings(tools, as_of=day)["rows"]]
        for day in ("2023-02-20", "2023-03-20", "2023-04-20")
    }
    assert issuers == {"2023-02-20": ["3M CO"], "2023-03-20": ["ABBOTT", "3M CO"], "2023-04-20": ["ZETA"]}


def test_a_cover_that_counts_other_rows_is_a_warning(run: Run, file: Write, tools: Tools) -> None:
    out = bring(run, file, manager_report(cover(2), table(holding("3M CO", "5")), "20230210"))
    assert "warning: its cover counts 2 holdings" in out
    warnings = tools("ownership", identifier="1234567")["warnings"]
    assert "the cover of 0001234567-23-000001 counts 2 holdings, its table has 1" in warnings


def test_rows_can_be_searched_and_what_is_not_shown_is_counted(run: Run, file: Write, tools: Tools) -> None:
    rows = table(*(holding(name, value) for name, value in (("3M CO", "5"), ("ZETA A", "7"), ("ZETA B", "9"))))
    bring(run, file, manager_report(cover(3), rows, "20230210"))
    answer = tools("ownership", identifier="1234567", search="zeta com", limit=1)
    found = answer["data"]["holdings"]
    assert ([row["issuer"] for row in found["rows"]], found["matching"], found["count"]) == (["ZETA B"], 2, 3)
    assert (answer["truncated"], "the 1 largest of 2 holdings are shown" in answer["warnings"]) == (True, True)


def test_trades_of_insiders_have_owner_code_and_footnotes(run: Run, file: Write, tools: Tools) -> None:
    out = bring(run, file, insider_report(insider()))
    assert " 4 of CIK0001234567, filed 2023-01-05: 2 transactions and holdings" in out
    sale, option = tools("ownership", identifier="1234567")["data"]["insiders"]["rows"]
    assert sale["owners"] == [
        {"name": "Coyote Wile E.", "cik": "0000000042", "roles": ["director", "officer"], "title": "Chief Engineer"}
    ]
    assert (sale["code"], sale["meaning"], sale["amount"], sale["date"], sale["held_after"], sale["derivative"]) == (
        "S", "sale", "200.5", "2022-12-13", "301", False,
    )  # fmt: skip
    assert ("price" in sale, sale["footnotes"]) == (False, {"F1": "A range of 1 to 2."})
    assert (option["derivative"], option["exercise_price"], option["expires"], option["underlying_amount"]) == (
        True, "8.88", "2029-09-10", "200000",
    )  # fmt: skip


def test_insiders_are_known_from_the_day_of_filing_and_found_by_name(run: Run, file: Write, tools: Tools) -> None:
    bring(run, file, insider_report(insider()), "a.txt")
    bring(run, file, insider_report(insider(owner="Runner Road"), "20230301", "4/A", 2), "b.txt")
    rows = tools("ownership", identifier="1234567", as_of="2023-02-01")["data"]["insiders"]["rows"]
    assert {row["accession"] for row in rows} == {"0001234567-23-000001"}
    answer = tools("ownership", identifier="1234567", search="runner")
    assert {row["accession"] for row in answer["data"]["insiders"]["rows"]} == {"0001234567-23-000002"}
    assert "an amendment (/A) repeats rows of the report that it corrects; both are shown" in answer["warnings"]
    assert [row["form"] for row in tools("list_filings", identifier="1234567")["data"]["filings"]] == ["4/A", "4"]


def test_a_report_by_itself_needs_the_day_it_was_filed_and_nothing_else(run: Run, file: Write) -> None:
    path = file(insider(), "form4.xml")
    assert run("import", path)[2] == (
        "form4.xml: failed: its header or cover page does not have all that is needed, so say --filed\n"
    )
    assert run("import", path, "--filed", "2023-01-05")[0] == 0
    assert ": unchanged: " in run("import", path, "--filed", "2023-01-05")[1]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><ownershipDocument>&a;</ownershipDocument>', "it declares a document type"),
        (insider()[:-30], "no well-formed XML"),
        (insider(SALE.replace("200.5", "many")), "line 1: amount: 'many' is not an amount"),
        (insider(SALE.replace("2022-12-13-05:00", "13.12.2022")), "line 1: '13.12.2022' is not a day"),
        (table(holding("3M CO", "")), "line 2: no value"),
        (table(holding("", "5")), "line 2: a holding without an issuer"),
        (table(), "0 holdings in it"),
    ],
)
def test_what_is_wrong_with_a_report_is_one_line(run: Run, file: Write, content: str, why: str) -> None:
    code, out, err = run("import", file(content, "a.xml"), "--filed", "2023-01-05")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert why in err


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 201}, {"search": " "}, {"search": "x" * 101}])
def test_arguments_out_of_bounds_are_refused(tools: Tools, wrong: dict[str, object]) -> None:
    assert tools.error("ownership", **{"identifier": "1234567", **wrong}).startswith("BAD_INPUT: ")
