"""The least and the greatest value that each number of a tool may have: both are allowed, and nothing beyond them."""

from __future__ import annotations

from typing import Any

import pytest
from filing_tools import Run, Tools, Write
from made_facts import fact
from made_filings import annual_report, submission

K = "0001234567-23-000001"


@pytest.fixture
def filed(tools: Tools, run: Run, file: Write) -> Tools:
    run("import", file(submission(annual_report()), f"{K}.txt"))
    tools.load(fact("Revenues", "2022-01-01..2022-12-31", 5, "2023-02-01"))
    return tools


@pytest.mark.parametrize(
    ("tool", "given", "name", "least", "greatest"),
    [
        ("search_filings", {"query": "anvils"}, "limit", 1, 30),
        ("read_filing", {"accession": K, "offset": 0}, "limit", 1, 20_000),
        ("list_filings", {"identifier": "1234567"}, "limit", 1, 200),
        ("financials", {"identifier": "1234567", "concepts": ["revenue"]}, "periods", 1, 40),
    ],
)
def test_a_number_of_rows_may_be_the_least_and_the_greatest_and_nothing_beyond(
    filed: Tools, *, tool: str, given: dict[str, Any], name: str, least: int, greatest: int
) -> None:
    for allowed in (least, greatest):
        assert filed(tool, **(given | {name: allowed}))["data"]
    for refused in (least - 1, greatest + 1):
        error = filed.error(tool, **(given | {name: refused}))
        assert error.startswith(f"BAD_INPUT: {name} {refused} is not between {least} and {greatest}")
