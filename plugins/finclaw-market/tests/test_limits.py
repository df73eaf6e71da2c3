"""The least and the greatest value that each number of a tool may have: both are allowed, and nothing beyond them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from imports import Load

from finclaw_cli.testing.tools import run_tool
from finclaw_market.history import get_price_history
from finclaw_market.macro import get_series
from finclaw_market.openings import market_sessions
from finclaw_market.quotes import find_symbol, get_quote


@pytest.mark.parametrize(
    ("tool", "given", "name", "least", "greatest"),
    [
        (find_symbol, {"query": "ACME"}, "limit", 1, 50),
        (get_price_history, {"symbol": "ACME"}, "limit", 0, 2000),
        (get_series, {"series": "US.CPI"}, "limit", 0, 2000),
    ],
)
def test_a_number_of_rows_may_be_the_least_and_the_greatest_and_nothing_beyond(
    load: Load, *, tool: Callable[..., Any], given: dict[str, Any], name: str, least: int, greatest: int
) -> None:
    load("Date,Close\n2024-01-02,10\n")
    for allowed in (least, greatest):
        assert not run_tool(tool, given | {name: allowed}).is_error
    for refused in (least - 1, greatest + 1):
        answer = run_tool(tool, given | {name: refused})
        assert answer.content.startswith(f"BAD_INPUT: {name} {refused} is not between {least} and {greatest}")


def test_sessions_are_listed_for_at_most_15000_days() -> None:
    allowed = run_tool(market_sessions, {"exchange": "XNYS", "start": "1980-01-01", "end": "2021-01-25"})
    assert not allowed.is_error
    refused = run_tool(market_sessions, {"exchange": "XNYS", "start": "1980-01-01", "end": "2021-01-26"})
    assert refused.content.startswith("BAD_INPUT: start 1980-01-01 is more than 15000 days before the end")
    refused = run_tool(market_sessions, {"exchange": "XNYS", "start": "2024-01-03", "end": "2024-01-02"})
    assert refused.content.startswith("BAD_INPUT: start 2024-01-03 is after the end")


def test_the_age_of_a_quote_may_be_zero_sessions_and_not_less(load: Load) -> None:
    load("Date,Close\n2024-01-02,10\n")
    given = {"symbol": "ACME", "as_of": "2024-01-02"}
    assert not run_tool(get_quote, given | {"max_age_sessions": 0}).is_error
    refused = run_tool(get_quote, given | {"max_age_sessions": -1})
    assert refused.content.startswith("BAD_INPUT: max_age_sessions must not be negative")
