"""Prices that were adjusted for a split of a later day, asked for as of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from finclaw_cli.sdk import ToolContext
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history
from finclaw_market.quotes import get_quote

Load = Callable[..., Any]
Context = Callable[..., ToolContext]
HEAD = "Date,Close,Adj Close,Volume,Stock Splits\n"
# Ten for one on Friday; what went before is given in new shares.
ROWS = "2024-01-02,10.5,10.4,1000,1\n2024-01-03,11,10.9,2000,1\n2024-01-04,11.2,11.1,1500,1\n"
SPLIT = "2024-01-05,11.3,11.3,1600,10\n2024-01-08,11.4,11.4,1700,1\n"
BEFORE = date(2024, 1, 4)


def rows(context: ToolContext, **options: Any) -> list[list[Any]]:
    data = get_price_history("ACME", context, **options).data
    assert isinstance(data, dict)
    return [list(map(str, row[1:])) for row in data["rows"]]


@pytest.mark.parametrize("basis", ["split", "total"])
def test_a_split_of_a_later_day_is_put_back(load: Load, context: Context, basis: str) -> None:
    load(HEAD + ROWS + SPLIT, adjustment=basis)
    assert rows(context(as_of=BEFORE)) == [["105", "100"], ["110", "200"], ["112", "150"]]
    quote = get_quote("ACME", context(as_of=BEFORE)).data
    assert isinstance(quote, dict)
    assert (quote["close"], quote["previous_close"]) == ("112", "110")
    assert [bar.close for bar in closes("ACME", context(as_of=BEFORE)).bars][-1] == Decimal(112)


def test_as_of_the_split_and_later_the_prices_are_as_stored(load: Load, context: Context) -> None:
    load(HEAD + ROWS + SPLIT, adjustment="split")
    assert rows(context(as_of=date(2024, 1, 5)))[0] == ["10.5", "1000"]
    assert rows(context(), end=BEFORE)[0] == ["10.5", "1000"]
    assert rows(context(), as_of=BEFORE)[0] == ["105", "100"]


def test_total_returns_do_not_change_by_it(load: Load, context: Context) -> None:
    load(HEAD + ROWS + SPLIT, adjustment="split")
    seen = get_price_history("ACME", context(as_of=BEFORE)).data
    assert isinstance(seen, dict)
    assert seen["summary"]["total_return"] == pytest.approx(11.1 / 10.4 - 1)


def test_prices_that_jump_with_the_split_were_not_adjusted_for_it(load: Load, context: Context) -> None:
    raw = "2024-01-02,105,104,100,1\n2024-01-03,110,109,200,1\n2024-01-04,112,111,150,1\n"
    load(HEAD + raw + SPLIT, adjustment="split")
    assert rows(context(as_of=BEFORE))[0] == ["105", "100"]


def test_prices_as_traded_are_left_as_they_are(load: Load, context: Context) -> None:
    raw = "2024-01-02,105,104,100,1\n2024-01-03,110,109,200,1\n2024-01-04,112,111,150,1\n"
    load(HEAD + raw + SPLIT, adjustment="none")
    assert rows(context(as_of=BEFORE))[0] == ["105", "100"]
