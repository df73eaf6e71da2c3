"""Needs the extra `calendars`: skipped, and said so, where it is not installed. What is kept is tested without it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from finclaw_cli.sdk import FinanceResult, ToolContext
from finclaw_market.openings import market_sessions

Context = Callable[..., ToolContext]
NAME = "exchange-calendars test"


@pytest.fixture(autouse=True)
def _installed(library: Callable[[str | None], None]) -> None:
    pytest.importorskip("exchange_calendars")
    library(NAME)


def holidays(result: FinanceResult) -> list[date]:
    assert isinstance(result.data, dict)
    return list(result.data["holidays"])


def test_holidays_of_seoul_and_new_york_are_known(context: Context) -> None:
    chuseok = market_sessions("XKRX", context(), start=date(2025, 10, 1), end=date(2025, 10, 10))
    assert isinstance(chuseok.data, dict)
    assert chuseok.data["sessions"] == [date(2025, 10, day) for day in (1, 2, 10)]
    assert chuseok.tz == "Asia/Seoul"
    assert holidays(market_sessions("XNYS", context(), start=date(2024, 3, 25), end=date(2024, 4, 5))) == [
        date(2024, 3, 29)
    ]


def test_the_library_is_asked_once(context: Context, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    market_sessions("XLON", context(), start=date(2024, 12, 20), end=date(2024, 12, 31))
    assert (home / "market-calendars" / "XLON.json").stat().st_size < 100_000
    monkeypatch.setitem(__import__("sys").modules, "exchange_calendars", None)
    again = market_sessions("XLON", context(), start=date(2024, 12, 20), end=date(2024, 12, 31))
    assert holidays(again) == [date(2024, 12, 25), date(2024, 12, 26)]


def test_an_exchange_that_it_does_not_know_has_weekdays(context: Context) -> None:
    result = market_sessions("XXXX", context(), start=date(2024, 12, 20), end=date(2024, 12, 31))
    assert result.calendar == "weekdays"
    assert "knows no calendar XXXX" in result.warnings[0]
