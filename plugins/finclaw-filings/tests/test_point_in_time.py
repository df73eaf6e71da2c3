from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from filing_tools import Run, Tools, Write
from hypothesis import given
from hypothesis import strategies as st
from made_facts import YEARS, accession, fact

from finclaw_filings.periods import known_by

RESTATED = (
    fact("Revenues", YEARS[2021], 100, "2022-02-10"),
    fact("Revenues", YEARS[2022], 120, "2023-02-10"),
    fact("Revenues", YEARS[2021], 90, "2023-02-10"),
)


def test_a_value_names_its_filing_tag_unit_and_duration(tools: Tools) -> None:
    tools.load(*RESTATED)
    assert tools.values("revenue")[0] == {
        "value": "120", "unit": "USD", "start": "2022-01-01", "end": "2022-12-31", "duration_days": 365, "months": 12,
        "tag": "us-gaap:Revenues", "accession": accession("2023-02-10"), "filed": "2023-02-10", "form": "10-K",
        "filing_fy": 2022, "filing_fp": "FY", "restated": False,
    }  # fmt: skip


def test_a_restated_value_is_the_latest_one_and_names_the_earlier(tools: Tools) -> None:
    tools.load(*RESTATED)
    restated = tools.values("revenue")[1]
    assert (restated["value"], restated["restated"]) == ("90", True)
    earlier = {"value": "100", "accession": accession("2022-02-10"), "filed": "2022-02-10", "form": "10-K"}
    assert restated["earlier"] == [earlier]


def test_as_of_before_a_restatement_gives_the_old_value(tools: Tools) -> None:
    tools.load(*RESTATED)
    assert [value["value"] for value in tools.values("revenue", as_of="2023-02-09")] == ["100"]
    assert [value["value"] for value in tools.values("revenue", as_of="2023-02-10")] == ["120", "90"]


def test_the_runs_as_of_cannot_be_passed_by_the_calls(tools: Tools) -> None:
    tools.load(*RESTATED)
    tools.context = {"as_of": date(2022, 12, 31)}
    answer = tools("financials", identifier="1234567", concepts=["revenue"], as_of="2024-01-01")
    assert answer["data"]["revenue"][0]["value"] == "100"
    assert answer["warnings"] == ["as_of 2024-01-01 is not reached yet; answered as of 2022-12-31"]


def test_nothing_filed_after_today_is_used(tools: Tools, at: Callable[[date], None]) -> None:
    tools.load(*RESTATED)
    at(date(2022, 6, 1))
    assert tools.values("revenue")[0]["value"] == "100"
    at(date(2022, 2, 9))
    assert tools.error("financials", identifier="1234567", concepts=["revenue"]).startswith(
        "UNKNOWN_SYMBOL: '1234567' is not in the filings store; candidates: none."
    )


def test_a_concept_that_was_reported_later_is_not_among_the_candidates(tools: Tools) -> None:
    tools.load(*RESTATED, fact("RevenuesOfGadgets", YEARS[2022], 7, "2023-02-10"))
    tools.context = {"as_of": date(2022, 12, 31)}
    for name in ("revenues of gadget", "RevenuesOfGadgets"):
        error = tools.error("financials", identifier="1234567", concepts=[name])
        assert error.startswith(f"NO_DATA: '{name}' is not among the company's tags; candidates: ")
        assert "us-gaap:RevenuesOfGadgets" not in error


def test_the_same_value_again_is_no_restatement(tools: Tools) -> None:
    tools.load(RESTATED[0], fact("Revenues", YEARS[2021], 100, "2023-02-10"))
    value = tools.values("revenue")[0]
    assert (value["restated"], value["filed"]) == (False, "2023-02-10")


def test_a_filing_that_contradicts_itself_is_told(tools: Tools) -> None:
    tools.load(RESTATED[0], fact("Revenues", YEARS[2021], 101, "2022-02-10"))
    assert tools.values("revenue")[0]["contradicted"] == ["100"]
    assert "gives several values for 2021-12-31" in tools.warnings("revenue")


def test_a_value_of_a_period_that_had_not_ended_is_not_used(tools: Tools) -> None:
    tools.load(*RESTATED, fact("Revenues", YEARS[2024], 500, "2023-02-10"))
    assert tools.values("revenue")[0]["value"] == "120"


@pytest.mark.parametrize("written", ["0.1", "-0.020", "123456789012345678901234567890.123", "1e2"])
def test_numbers_keep_every_digit(tools: Tools, run: Run, file: Write, written: str) -> None:
    document = (
        '{"cik": "0001234567", "entityName": "A", "facts": {"us-gaap": {"Revenues": {"units": {"USD": [{"start":'
        '"2021-01-01", "end": "2021-12-31", "val": %s, "accn": "0001234567-22-000001", "form": "10-K", "filed":'
        '"2022-02-01"}]}}}}}'
    )
    run("import", file(document % written, "CIK0001234567.json"))
    assert Decimal(tools.values("revenue")[0]["value"]) == Decimal(written)


days = st.dates(date(2020, 1, 1), date(2023, 12, 31))


@given(reports=st.lists(st.tuples(days, st.integers(0, 3)), min_size=1, max_size=8), cap=days)
def test_whatever_was_filed_no_later_report_shows_through(reports: list[tuple[date, int]], cap: date) -> None:
    rows = [
        ("2018-01-01", "2018-12-31", str(value), f"0000000001-20-{number:06d}", 2018, "FY", "10-K", filed.isoformat())
        for number, (filed, value) in enumerate(reports)
    ]
    seen = [(filed, value) for filed, value in reports if filed <= cap]
    known = list(known_by(rows, cap).values())
    assert bool(known) == bool(seen)
    for item in known:
        assert item.latest.filed == max(filed for filed, _ in seen)
        assert all(report.filed <= cap for report in (item.latest, *item.earlier))
        assert bool(item.earlier) == (len({value for _, value in seen}) > 1)
