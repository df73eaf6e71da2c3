"""What the prices contradict is not claimed of them, and no return is given across it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from imports import Load
from market_days import weekdays

from finclaw_cli.sdk import ToolContext
from finclaw_market.closes import closes
from finclaw_market.history import get_price_history
from finclaw_market.plotting import plot_prices
from finclaw_market.quotes import get_quote

Context = Callable[..., ToolContext]
DAYS = list(weekdays(date(2023, 3, 20), 12))


def series(factor: float, adjusted: float = 0.9, split: str = "0") -> str:
    """Closes that change by a factor in the middle; the adjusted closes after it are `adjusted` of them."""
    header = "Date,Close,Adj Close,Stock Splits\n"
    before = "".join(f"{day},{100 + n},{(100 + n) * 0.9},0\n" for n, day in enumerate(DAYS[:6]))
    prices = [round((106 + n) * factor, 4) for n in range(6)]
    after = "".join(
        f"{day},{price},{price * adjusted},{split if n == 0 else 0}\n"
        for n, (day, price) in enumerate(zip(DAYS[6:], prices, strict=True))
    )
    return header + before + after


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2023, 4, 5))


def summary(result: Any) -> dict[str, Any]:
    return dict(result.data["summary"])


@pytest.mark.parametrize("factor", [100, 0.2], ids=["hundredfold", "unapplied split"])
@pytest.mark.parametrize(("wanted", "label"), [("split", "split"), ("total", "split+dividend")])
def test_an_adjustment_that_the_prices_contradict_is_called_doubtful(
    load: Load, context: Context, factor: float, wanted: Any, label: str
) -> None:
    load(series(factor), adjustment="none")
    answers = [get_price_history("ACME", context(), adjustment=wanted), closes("ACME", context(), adjustment=wanted)]
    assert [answer.adjustment for answer in answers] == [f"{label} (doubtful)"] * 2


@pytest.mark.parametrize("wanted", ["as_stored", "split", "total"])
@pytest.mark.parametrize("factor", [100, 0.2])
def test_no_return_is_given_across_a_probable_error(load: Load, context: Context, factor: float, wanted: Any) -> None:
    load(series(factor), adjustment="none")
    result = get_price_history("ACME", context(), adjustment=wanted)
    assert {"change", "change_fraction", "total_return"} & summary(result).keys() == set()
    assert "no return is given across what is probably an error" in result.warnings


def test_closes_tell_other_plugins_what_is_doubtful(load: Load, context: Context) -> None:
    load(series(0.2), adjustment="split")
    found = closes("ACME", context())
    assert len(found.doubts) == 1
    assert "probable 5-for-1 split not applied" in found.doubts[0]
    assert set(found.doubts) <= set(found.warnings)
    assert closes("ACME", context(), start=DAYS[7]).doubts == ()


def test_an_adjustment_that_takes_the_jump_away_is_not_doubted(load: Load, context: Context) -> None:
    load(series(0.2, adjusted=4.5), adjustment="none")
    total = get_price_history("ACME", context(), adjustment="total")
    assert (total.adjustment, "change_fraction" in summary(total)) == ("split+dividend", True)
    assert get_price_history("ACME", context(), adjustment="split").adjustment == "split (doubtful)"


def test_a_recorded_split_is_no_reason_to_doubt(load: Load, context: Context) -> None:
    load(series(0.2, split="5"), adjustment="none")
    result = get_price_history("ACME", context(), adjustment="split")
    assert (result.adjustment, "change_fraction" in summary(result)) == ("split", True)
    assert closes("ACME", context(), adjustment="split").doubts == ()


def test_a_quote_gives_no_change_across_a_probable_error(load: Load, context: Context) -> None:
    load(series(0.2), adjustment="split")
    result = get_quote("ACME", context(as_of=DAYS[6]))
    assert isinstance(result.data, dict)
    assert result.adjustment == "split (doubtful)"
    assert (result.data["previous_close"], "change_fraction" in result.data) == ("105", False)
    later = get_quote("ACME", context(as_of=DAYS[9]))
    assert isinstance(later.data, dict)
    assert "change_fraction" in later.data


def test_a_plot_says_that_the_adjustment_is_doubtful(load: Load, context: Context) -> None:
    load(series(100), adjustment="total")
    assert plot_prices("ACME", context(), format="text").adjustment == "split+dividend (doubtful)"
