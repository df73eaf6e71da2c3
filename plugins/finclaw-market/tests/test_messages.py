"""What is said where something small is wrong: it names the thing and its dates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from imports import Load

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_market.history import get_price_history
from finclaw_market.macro import get_series
from finclaw_market.quotes import get_quote
from finclaw_market.staging import Facts

Context = Callable[..., ToolContext]
Run = Callable[..., tuple[int, str, str]]
# A Friday, a Saturday, a Sunday and a Monday.
WEEKEND = "Date,Close\n2024-01-05,10\n2024-01-06,10.1\n2024-01-07,10.2\n2024-01-08,10.3\n"


@pytest.mark.parametrize("kind", ["prices", "fx", "series"])
def test_the_folder_one_is_in_has_a_name(run: Run, kind: str) -> None:
    assert run("import", ".", "--kind", kind, "--symbol", "A")[2].startswith("error: .: not a regular file\n")


def test_a_series_without_values_is_not_said_to_begin_in_the_year_one(context: Context) -> None:
    with pytest.raises(ToolError, match=r"NO_DATA: US\.CPI has no values up to 2009-12-14 that were known"):
        get_series("US.CPI", context(as_of=date(2009, 12, 14)))


def test_weekend_bars_of_an_exchange_that_is_closed_then_are_named(load: Load, run: Run) -> None:
    report = load(WEEKEND, facts=Facts(exchange="XNYS"))
    assert [(found.kind, found.first, found.last) for found in report.findings] == [
        ("weekend", "2024-01-06", "2024-01-07")
    ]
    assert "2 bars on a Saturday or Sunday, when XNYS does not trade" in run("check")[1]


@pytest.mark.parametrize(("saturday", "kinds"), [("1999-12-25", []), ("2000-01-01", ["weekend"])])
def test_weekend_bars_are_findings_from_the_year_2000_on(load: Load, saturday: str, kinds: list[str]) -> None:
    report = load(f"Date,Close\n{saturday},10\n", facts=Facts(exchange="XNYS"))
    assert [found.kind for found in report.findings] == kinds


def test_the_stored_exchange_counts_where_none_is_said(load: Load) -> None:
    load("Date,Close\n2024-01-05,10\n", facts=Facts(exchange="XNYS"))
    assert [found.kind for found in load("Date,Close\n2024-01-06,10\n").findings] == ["weekend"]


@pytest.mark.parametrize("exchange", [None, "XTAE", "24/7"])
def test_weekend_bars_elsewhere_are_no_finding(load: Load, exchange: str | None) -> None:
    assert load(WEEKEND, facts=Facts(exchange=exchange)).findings == []


def test_a_symbol_with_later_bars_only_is_said_to_have_them(
    load: Load, context: Context, now: Callable[[date], None]
) -> None:
    now(date(2024, 1, 9))
    load(WEEKEND)
    for tool in (get_quote, get_price_history):
        with pytest.raises(
            ToolError, match="UNKNOWN_SYMBOL: 'ACME' has bars from 2024-01-05 on, but none up to 2023-12-29"
        ):
            tool("ACME", context(), as_of=date(2023, 12, 29))


def test_a_symbol_with_bars_after_the_run_s_date_only_is_unknown_to_it(load: Load, context: Context) -> None:
    load(WEEKEND)
    for tool in (get_quote, get_price_history):
        with pytest.raises(
            ToolError, match="UNKNOWN_SYMBOL: 'ACME' is not in the price store up to 2023-12-29"
        ) as error:
            tool("ACME", context(as_of=date(2023, 12, 29)))
        assert "2024" not in str(error.value)
