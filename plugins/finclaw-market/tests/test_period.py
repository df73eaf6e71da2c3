"""A period of days in place of a start and an end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from finclaw_cli.sdk import Period, ToolContext, ToolError
from finclaw_market.history import get_price_history
from finclaw_market.macro import get_series
from finclaw_market.openings import market_sessions
from finclaw_market.options import ImportReport
from finclaw_market.plotting import plot_prices

Context = Callable[..., ToolContext]
ROWS = "Date,Close\n2024-01-31,10\n2024-02-01,11\n2024-02-29,12\n2024-03-01,13\n"
FEBRUARY = Period(words="2024-02", start="2024-02-01", end="2024-02-29")


@pytest.fixture
def _stored(load: Callable[..., ImportReport]) -> None:
    load(ROWS, adjustment="none")


@pytest.mark.usefixtures("_stored")
def test_prices_are_those_of_the_days_of_the_period(context: Context) -> None:
    found = get_price_history("ACME", context(), period="2024-02")
    assert isinstance(found.data, dict)
    assert ([row[0].day for row in found.data["rows"]], found.period) == ([1, 29], FEBRUARY)


@pytest.mark.usefixtures("_stored")
def test_words_are_relative_to_the_date_of_the_run(context: Context) -> None:
    found = get_price_history("ACME", context(as_of=date(2024, 3, 1)), period="last month")
    assert found.period == Period(words="last month", start="2024-02-01", end="2024-02-29")


@pytest.mark.usefixtures("_stored")
def test_a_chart_is_of_the_days_of_the_period(context: Context) -> None:
    found = plot_prices("ACME", context(), period="2024-02", format="text")
    assert isinstance(found.data, dict)
    assert (found.data["n"], found.period) == (2, FEBRUARY)


def test_a_series_has_the_observations_of_the_period(context: Context) -> None:
    found = get_series("US.CPI", context(), period="2008")
    assert isinstance(found.data, dict)
    assert (len(found.data["rows"]), found.period) == (4, Period(words="2008", start="2008-01-01", end="2008-12-31"))


def test_sessions_of_a_period_go_to_its_end(context: Context) -> None:
    found = market_sessions("XNYS", context(), period="2024-02")
    assert isinstance(found.data, dict)
    assert (found.data["count"], found.period) == (21, FEBRUARY)


def test_sessions_of_a_period_that_goes_on_end_on_the_day_of_the_run(context: Context) -> None:
    found = market_sessions("XNYS", context(as_of=date(2024, 2, 9)), period="this month")
    assert found.period == Period(words="this month", start="2024-02-01", end="2024-02-09")


@pytest.mark.parametrize("days", [{}, {"start": date(2024, 1, 1)}, {"end": date(2024, 1, 1)}])
def test_sessions_need_both_ends_or_a_period(days: dict[str, Any], context: Context) -> None:
    with pytest.raises(ToolError, match="BAD_INPUT: give a period, or start and end"):
        market_sessions("XNYS", context(), **days)
