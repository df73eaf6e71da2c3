"""Total returns from what a file records of dividends and splits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imports import Load

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_market.adjust import adjusted
from finclaw_market.bars import Bar
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history

Context = Callable[..., ToolContext]
# A dividend of 2 after a close of 100; then two shares for one and, on the same day, 0.5 for each of the new ones.
PAID = (
    "date,close,dividends,stock splits\n2023-03-01,100,0,0\n2023-03-02,98,2,0\n"
    "2023-03-03,100,0,0\n2023-03-06,49.5,0.5,2\n2023-03-07,50,0,0\n"
)


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2023, 4, 5))


def rows(result: Any) -> list[list[Any]]:
    return list(result.data["rows"])


def test_dividends_and_splits_give_total_returns(load: Load, context: Context) -> None:
    load(PAID, adjustment="none")
    result = get_price_history("ACME", context(), adjustment="total")
    assert [row[1] for row in rows(result)] == ["48.51", "48.51", "49.5", "49.5", "50"]
    assert result.adjustment == "split+dividend"
    assert result.method is not None
    assert "1 - dividend / close before its ex-date" in (result.method.convention or "")
    assert "anchored at 2023-03-07" in (result.method.convention or "")


def test_the_best_closes_are_those_with_dividends(load: Load, context: Context) -> None:
    load(PAID, adjustment="none")
    found = closes("ACME", context())
    assert (found.adjustment, found.bars[0].close) == ("split+dividend", Decimal("48.51"))


def test_no_later_dividend_shows_in_an_earlier_answer(load: Load, context: Context) -> None:
    load(PAID, adjustment="none")
    result = get_price_history("ACME", context(as_of=date(2023, 3, 3)), adjustment="total")
    assert [row[1] for row in rows(result)] == ["98", "98", "100"]


def test_where_dividends_are_missing_for_some_bars_there_is_no_total(load: Load, context: Context) -> None:
    load(PAID, adjustment="none")
    load("date,close\n2023-03-08,51\n", name="more.csv", adjustment="none")
    with pytest.raises(ToolError, match=r"adjustment total is not available: .* nor both dividends and splits"):
        get_price_history("ACME", context(), adjustment="total")


def test_a_dividend_that_is_not_below_the_price_gives_no_total(load: Load, context: Context) -> None:
    load("date,close,dividends,stock splits\n2023-03-01,10,0,0\n2023-03-02,10,10,0\n", adjustment="none")
    with pytest.raises(ToolError, match="the dividend of 10 on 2023-03-02 is not below the close before it"):
        get_price_history("ACME", context(), adjustment="total")


def test_a_large_dividend_without_a_fall_of_the_price_is_named_when_it_is_imported(
    load: Load, context: Context
) -> None:
    report = load("date,close,dividends,stock splits\n2023-03-01,10,0,0\n2023-03-02,10,6,0\n", adjustment="none")
    assert report.imported
    assert [(found.kind, found.first) for found in report.findings] == [("dividend_without_fall", "2023-03-02")]
    assert "a dividend of 6 is 0.6 of the close before it, 10" in closes("ACME", context()).doubts[0]


def test_a_large_dividend_with_its_fall_is_not_doubted(load: Load) -> None:
    report = load("date,close,dividends,stock splits\n2023-03-01,10,0,0\n2023-03-02,4,6,0\n", adjustment="none")
    assert [found.kind for found in report.findings if found.kind.startswith("dividend")] == []


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(0, 90)), min_size=2, max_size=30))
def test_the_total_return_of_a_session_is_that_of_who_held_the_share(sessions: list[tuple[int, int]]) -> None:
    days = [date(2023, 1, 2) + timedelta(days=number) for number in range(len(sessions))]
    prices = [Decimal(100 + price) for price, _ in sessions]
    paid = [Decimal(dividend) for _, dividend in sessions]
    bars = [
        Bar(day=day, close=close, dividend=dividend, split=Decimal(1))
        for day, close, dividend in zip(days, prices, paid, strict=True)
    ]
    found = adjusted(bars, ["none"], "total").bars
    for index in range(1, len(bars)):
        # The seller of the ex-date's price, and of the dividend before it, has the same as who sold before.
        grown = found[index].close / found[index - 1].close
        assert abs(grown - prices[index] / (prices[index - 1] - paid[index])) < Decimal("1e-9")
