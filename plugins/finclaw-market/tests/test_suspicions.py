"""Files with the errors that feeds make: they are imported, and every answer from them says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from market_days import weekdays

from finclaw_cli.sdk import ToolContext
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history
from finclaw_market.quotes import get_quote

Run = Callable[..., tuple[int, str, str]]
Context = Callable[..., ToolContext]
HEADER = "Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits\n"
DAYS = list(weekdays(date(2023, 3, 20), 12))


def feed(prices: list[float], offset: str = "+09:00", events: dict[int, str] | None = None) -> str:
    """A file as a well-known feed gives it: newest first, with midnight of the exchange and its offset."""
    rows = [
        f"{day} 00:00:00{offset},{price},{price + 1},{price - 0.01},{price},{price * 0.9},100,{(events or {}).get(n, '0,0')}\n"
        for n, (day, price) in enumerate(zip(DAYS, prices, strict=True))
    ]
    return HEADER + "".join(rows[::-1])


SPLIT = feed([20000.0 + n for n in range(6)] + [4000.0 + n for n in range(6)], events={7: "55,5"})
PENCE = feed(
    [0.15 + n / 1000 for n in range(3)] + [15.0 + n / 10 for n in range(4)] + [0.15 + n / 1000 for n in range(5)],
    "+01:00",
)


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2023, 4, 5))


def data_of(result: Any) -> dict[str, Any]:
    return dict(result.data)


def test_the_session_is_the_local_date_that_a_timestamp_with_offset_names(run: Run, file: Callable[..., Path]) -> None:
    run("import", file(SPLIT), "--symbol", "4063.T", "--currency", "JPY")
    _, out, _ = run("list", "--json")
    held = json.loads(out)["instruments"][0]
    assert (held["first"], held["last"]) == (str(DAYS[0]), str(DAYS[-1]))


def test_an_import_names_a_split_that_was_not_applied(run: Run, file: Callable[..., Path]) -> None:
    code, _, err = run("import", file(SPLIT), "--symbol", "4063.T", "--currency", "JPY")
    assert code == 0
    assert "unapplied_split: probable 5-for-1 split not applied: close 20005 → 4000" in err
    assert "a split of 5 is recorded on 2023-03-29" in err


def test_an_import_names_prices_in_another_unit(run: Run, file: Callable[..., Path]) -> None:
    code, out, _ = run("import", file(PENCE), "--symbol", "AET.L", "--currency", "GBP", "--dry-run", "--json")
    found = json.loads(out)["findings"]
    assert code == 0
    assert [(item["kind"], item["first"], item["last"]) for item in found] == [
        ("unit_error", str(DAYS[3]), str(DAYS[6]))
    ]


def test_rows_that_are_added_are_checked_against_those_that_are_stored(run: Run, file: Callable[..., Path]) -> None:
    run("import", file("Date,Close\n2024-01-02,100\n2024-01-03,101\n", "a.csv"), "--symbol", "A")
    _, _, err = run("import", file("Date,Close\n2024-01-04,50.5\n2024-01-05,50\n", "b.csv"), "--symbol", "A")
    assert "2024-01-04 unapplied_split: probable 2-for-1" in err


@pytest.mark.parametrize(("text", "words"), [(SPLIT, "probable 5-for-1 split"), (PENCE, "in another unit")])
def test_every_answer_warns(run: Run, file: Callable[..., Path], context: Context, text: str, words: str) -> None:
    run("import", file(text), "--symbol", "BAD", "--currency", "JPY")
    answers = [get_quote("BAD", context()), get_price_history("BAD", context()), closes("BAD", context())]
    for answer in answers:
        assert [warning for warning in answer.warnings if words in warning]


def test_a_window_without_the_error_does_not_warn(run: Run, file: Callable[..., Path], context: Context) -> None:
    run("import", file(SPLIT), "--symbol", "BAD")
    answer = get_price_history("BAD", context(), start=DAYS[8])
    assert data_of(answer)["summary"]
    assert not [warning for warning in answer.warnings if "split" in warning and "probable" in warning]


def test_returns_come_with_and_without_dividends(run: Run, file: Callable[..., Path], context: Context) -> None:
    text = "Date,Close,Adj Close,Dividends\n2023-03-01,100,95,0\n2023-03-02,99,99,5\n2023-03-03,110,110,0\n"
    run("import", file(text), "--symbol", "DIV", "--currency", "USD")
    plain = data_of(get_price_history("DIV", context()))["summary"]
    total = data_of(get_price_history("DIV", context(), adjustment="total"))["summary"]
    assert (plain["change_fraction"], plain["total_return"]) == (0.1, 0.1578947368)
    assert (total["change_fraction"], "total_return" in total) == (0.1578947368, False)


def test_no_total_return_is_given_across_a_probable_error(
    run: Run, file: Callable[..., Path], context: Context
) -> None:
    run("import", file(SPLIT), "--symbol", "BAD")
    summary = data_of(get_price_history("BAD", context()))["summary"]
    assert "close" in summary["first"]
    assert "total_return" not in summary
