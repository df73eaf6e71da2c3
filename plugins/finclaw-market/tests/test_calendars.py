from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk import FinanceResult, ToolContext, ToolError
from finclaw_market.calendars import Calendar
from finclaw_market.history import get_price_history
from finclaw_market.openings import market_sessions
from finclaw_market.quotes import get_quote

Context = Callable[..., ToolContext]
Run = Callable[..., tuple[int, str, str]]
KEPT = {
    "name": "XNYS", "first": "2023-01-01", "last": "2024-12-31", "closed": ["2024-01-01", "2024-01-15", "2024-03-29"],
    "added": ["2024-01-06"], "zone": "America/New_York", "made_by": "exchange-calendars 4.13.2", "made_on": "2024-01-01",
}  # fmt: skip


@pytest.fixture
def kept(home: Path) -> Callable[..., None]:
    def write(**changes: Any) -> None:
        folder = home / "market-calendars"
        folder.mkdir(parents=True)
        (folder / "XNYS.json").write_text(json.dumps({**KEPT, **changes}))

    return write


def data(result: FinanceResult) -> dict[str, Any]:
    assert isinstance(result.data, dict)
    return result.data


def test_without_a_calendar_weekdays_are_listed_and_that_is_said(context: Context) -> None:
    result = market_sessions("XNYS", context(), start=date(2024, 1, 1), end=date(2024, 1, 7))
    assert data(result)["count"] == 5
    assert (result.calendar, result.tz) == ("weekdays", "America/New_York")
    assert "every weekday is listed" in result.warnings[0]


def test_holidays_and_weekend_sessions_come_from_the_calendar_that_was_kept(
    kept: Callable[..., None], context: Context
) -> None:
    kept()
    result = market_sessions("xnas", context(), start=date(2024, 1, 1), end=date(2024, 1, 8))
    assert data(result) == {
        "exchange": "XNAS",
        "count": 6,
        "first": date(2024, 1, 2),
        "last": date(2024, 1, 8),
        "sessions": [date(2024, 1, day) for day in (2, 3, 4, 5, 6, 8)],
        "holidays": [date(2024, 1, 1)],
        "weekend_sessions": [date(2024, 1, 6)],
    }
    assert (result.calendar, result.sources[0].ref) == ("XNYS", "exchange-calendars 4.13.2, calendar XNYS")


@pytest.mark.parametrize("changes", [{"last": "2024-01-05"}, {"name": "XKRX"}, {"closed": ["x"]}])
def test_a_calendar_that_is_damaged_or_does_not_reach_is_not_used(
    kept: Callable[..., None], context: Context, changes: dict[str, Any]
) -> None:
    kept(**changes)
    assert market_sessions("XNYS", context(), start=date(2024, 1, 1), end=date(2024, 1, 8)).calendar == "weekdays"


@pytest.mark.parametrize(
    ("exchange", "start", "end", "why"),
    [
        ("New York", date(2024, 1, 1), date(2024, 1, 2), "is not an ISO 10383 code"),
        ("../x", date(2024, 1, 1), date(2024, 1, 2), "is not an ISO 10383 code"),
        ("XNYS", date(2024, 1, 2), date(2024, 1, 1), "is after the end"),
        ("XNYS", date.min, date.max, "days before the end"),
    ],
)
def test_what_cannot_be_answered_is_refused(context: Context, exchange: str, start: date, end: date, why: str) -> None:
    with pytest.raises(ToolError, match=f"BAD_INPUT: .*{why}"):
        market_sessions(exchange, context(), start=start, end=end)


def test_ages_and_holes_count_sessions_where_the_exchange_s_calendar_is_known(
    kept: Callable[..., None], run: Run, file: Callable[..., Path], context: Context, now: Callable[[date], None]
) -> None:
    kept()
    now(date(2024, 1, 16))
    text = "Date,Close\n2023-12-28,1\n2023-12-29,1\n2024-01-02,1\n2024-01-03,1\n2024-01-11,1\n2024-01-12,2\n"
    run("import", file(text), "--symbol", "A", "--exchange", "XNYS", "--currency", "USD")
    run("import", file(text), "--symbol", "B", "--currency", "USD")
    answers = [get_quote(symbol, context()) for symbol in "AB"]
    assert [(answer.calendar, answer.sessions_behind) for answer in answers] == [("XNYS", 1), ("weekdays", 2)]
    histories = [get_price_history(symbol, context()) for symbol in "AB"]
    assert [data(history)["summary"]["missing"] for history in histories] == [6, 6]
    assert [history.sessions_behind for history in histories] == [1, 2]


DAYS = st.dates(date(2020, 1, 1), date(2021, 12, 31))


@given(DAYS, st.integers(-3, 200), st.frozensets(DAYS), st.frozensets(DAYS))
def test_counting_sessions_is_listing_them(
    first: date, days: int, closed: frozenset[date], added: frozenset[date]
) -> None:
    calendar = Calendar(
        name="X",
        closed=frozenset(day for day in closed if day.weekday() < 5),
        added=frozenset(day for day in added if day.weekday() >= 5),
    )
    last = first + timedelta(days=days)
    listed = calendar.sessions(first + timedelta(days=1), last)
    assert calendar.sessions_after(first, last) == len(listed)
