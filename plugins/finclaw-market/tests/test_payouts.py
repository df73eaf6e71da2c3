"""Dividends and adjusted closes that contradict each other or the prices: found, explained, and what would correct them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from imports import Load
from market_days import weekdays

from finclaw_cli.sdk import ToolContext
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history

Context = Callable[..., ToolContext]
Run = Callable[..., tuple[int, str, str]]
DAYS = list(weekdays(date(2023, 1, 2), 40))
HEADER = "Date,Close,Adj Close,Dividends,Stock Splits\n"


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2023, 4, 5))


def feed(
    paid: dict[int, float], contained: dict[int, float] | None = None, fall: dict[int, float] | None = None
) -> str:
    """Closes that fall by dividends of some sessions; the adjusted closes contain `contained`, by default what is paid."""
    contained = paid if contained is None else contained
    closes = [100.0]
    for number in range(1, len(DAYS)):
        drop = (paid if fall is None else fall).get(number, 0.0)
        closes.append(round(closes[-1] - drop + (0.3, -0.3, 0.2, -0.2)[number % 4], 4))
    factors = [1.0] * len(DAYS)
    for number in range(len(DAYS) - 1, 0, -1):
        factors[number - 1] = factors[number] * (1 - contained.get(number, 0.0) / closes[number - 1])
    rows = zip(DAYS, closes, factors, strict=True)
    return HEADER + "".join(
        f"{day},{close},{close * factor:.10f},{paid.get(number, 0)},0\n"
        for number, (day, close, factor) in enumerate(rows)
    )


def found(load: Load, text: str) -> Sequence[tuple[str, str]]:
    return [(finding.kind, finding.first) for finding in load(text, adjustment="split").findings]


def test_dividends_that_prices_and_adjusted_closes_confirm_are_not_doubted(load: Load) -> None:
    assert found(load, feed({10: 2.0, 30: 2.0})) == []


def test_a_dividend_that_the_adjusted_closes_lack_is_found(load: Load) -> None:
    assert found(load, feed({10: 2.0}, contained={})) == [("adjustment_unlike_dividend", str(DAYS[10]))]


def test_an_adjustment_without_a_dividend_is_found(load: Load) -> None:
    assert found(load, feed({}, contained={10: 2.0})) == [("dividend_missing", str(DAYS[10]))]


def test_a_dividend_that_is_counted_twice_in_the_adjusted_closes_is_found(load: Load) -> None:
    assert found(load, feed({10: 2.0}, contained={10: 4.0})) == [("adjustment_unlike_dividend", str(DAYS[10]))]


def test_of_a_dividend_that_is_recorded_on_two_days_the_one_without_a_fall_is_doubted(load: Load) -> None:
    assert found(load, feed({10: 2.0, 11: 2.0}, fall={11: 2.0})) == [("dividend_twice", str(DAYS[10]))]


def test_weekly_dividends_of_the_same_amount_are_not_doubted(load: Load) -> None:
    assert found(load, feed(dict.fromkeys(range(4, 40, 5), 0.5))) == []


def test_a_dividend_in_pence_among_pounds_is_found_by_the_price_that_does_not_fall(load: Load) -> None:
    assert found(load, feed({10: 50.0}, fall={10: 0.5})) == [("dividend_without_fall", str(DAYS[10]))]


def test_a_dividend_of_a_hundredth_of_the_others_is_found(load: Load) -> None:
    assert found(load, feed({10: 2.0, 30: 0.02}, fall={10: 2.0, 30: 2.0})) == [("dividend_unit", str(DAYS[30]))]


def test_small_dividends_after_which_prices_fall_by_a_hundredfold_are_found(load: Load) -> None:
    paid = {10: 0.02, 20: 0.021, 30: 0.022}
    days = [str(DAYS[number]) for number in paid]
    assert found(load, feed(paid, fall={number: amount * 100 for number, amount in paid.items()})) == [
        ("dividend_unit", day) for day in days
    ]


def test_total_returns_with_such_a_dividend_are_doubtful_and_price_returns_are_not(
    load: Load, context: Context
) -> None:
    load(feed({10: 2.0}, contained={}), adjustment="split")
    assert closes("ACME", context()).adjustment == "split+dividend (doubtful)"
    assert closes("ACME", context(), adjustment="split").doubts == ()


def test_a_doubtful_total_return_is_withheld_beside_the_price_return(load: Load, context: Context) -> None:
    load(feed({10: 2.0}, contained={}), adjustment="split")
    result = get_price_history("ACME", context())
    assert isinstance(result.data, dict)
    summary: dict[str, Any] = result.data["summary"]
    assert ("change_fraction" in summary, "total_return" in summary) == (True, False)
    assert "no total return is given: its dividends are probably wrong" in result.warnings


def test_what_repairs_would_change_is_named(load: Load, context: Context) -> None:
    load(feed({10: 2.0}, contained={}), adjustment="split")
    assert "would be -0.30%, not -2.30% (finclaw data repair ACME)" in (closes("ACME", context()).remedy or "")


def test_an_import_proposes_the_repair(run: Run, file: Callable[..., Path]) -> None:
    path = file(feed({10: 50.0}, fall={10: 0.5}))
    _, out, _ = run("import", path, "--symbol", "A", "--adjustment", "split", "--json")
    repair = json.loads(out)["findings"][0]["repair"]
    assert (repair["action"], repair["value"]) == ("dividend", "0.5")
