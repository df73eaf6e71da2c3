from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from answers import Answer
from days import weekdays

Ask = Callable[..., Answer]
DAYS = [day.isoformat() for day in weekdays(date(2024, 1, 1), 60)]


def dated(levels: list[float]) -> list[list[Any]]:
    return [list(pair) for pair in zip(DAYS, levels, strict=False)]


def test_rows_are_dated_and_the_warm_up_is_left_out(ask: Ask) -> None:
    answer = ask("indicator", name="sma", values=dated([1, 2, 3, 4]), params={"length": 3})
    assert answer.data["columns"] == ["date", "value", "sma"]
    assert answer.data["rows"] == [["2024-01-03", "3", "2"], ["2024-01-04", "4", "3"]]
    assert answer.data["warm_up"] == 2
    assert "truncated" not in answer.json


def test_only_the_last_rows_are_shown(ask: Ask) -> None:
    answer = ask("indicator", name="sma", values=dated([1, 2, 3, 4]), params={"length": 2}, last=1)
    assert answer.data["rows"] == [["2024-01-04", "4", "3.5"]]
    assert answer.json["truncated"] is True


def test_an_exponential_average_is_seeded_with_a_simple_one(ask: Ask) -> None:
    answer = ask("indicator", name="ema", values=dated([1, 2, 3, 7]), params={"length": 3})
    assert [row[2] for row in answer.data["rows"]] == ["2", "4.5"]
    assert "seeded with the simple mean" in answer.convention


def test_strength_is_a_hundred_where_nothing_fell(ask: Ask) -> None:
    answer = ask("indicator", name="rsi", values=dated([float(n) for n in range(1, 20)]))
    assert [row[2] for row in answer.data["rows"]] == [100] * 5


def test_strength_is_undefined_where_nothing_moved(ask: Ask) -> None:
    answer = ask("indicator", name="rsi", values=dated([5.0] * 20))
    assert answer.data["rows"][-1][2] is None
    assert "nothing moved" in answer.warnings


def test_bands_of_a_flat_series_lie_on_it(ask: Ask) -> None:
    rows = ask("indicator", name="bollinger", values=dated([5.0] * 25)).data["rows"]
    assert rows[-1][2:] == ["5", "5", "5"]


def test_true_range_needs_highs_and_lows(ask: Ask, store: Callable[..., None]) -> None:
    assert ask("indicator", name="atr", values=dated([1.0] * 20)).code == "NO_DATA"
    store("ACME", dated([10.0 + n for n in range(30)]))
    assert ask("indicator", name="atr", symbol="ACME").code == "NO_DATA"


def test_a_symbol_s_rows_are_in_its_currency(ask: Ask, store: Callable[..., None]) -> None:
    store("ACME", [[day, str(n + 12), str(n + 8), str(n + 10)] for n, day in enumerate(DAYS)])
    answer = ask("indicator", name="atr", symbol="ACME")
    assert answer.json["units"]["atr"] == "USD/share"
    assert answer.data["rows"][-1] == [DAYS[-1], "69", "4"]


def test_a_true_range_reaches_from_the_low_or_the_close_before_to_the_high_or_the_close_before(
    ask: Ask, store: Callable[..., None]
) -> None:
    bars = [("10", "10", "10"), ("30", "8", "20"), ("25", "24", "24.5"), ("17", "5", "6")]
    store("ACME", [[day, *bar] for day, bar in zip(DAYS, bars, strict=False)])
    answer = ask("indicator", name="atr", symbol="ACME", params={"length": 2})
    # 30 - 8 = 22, from the close of 20 up to 25 = 5, from the close of 24.5 down to 5 = 19.5; the first two are averaged.
    assert [row[2] for row in answer.data["rows"]] == ["13.5", "16.5"]


@pytest.mark.parametrize(("name", "needed"), [("sma", 20), ("ema", 20), ("rsi", 15), ("macd", 34), ("bollinger", 20)])
def test_too_few_values_are_an_error_that_says_how_many(name: str, needed: int, ask: Ask) -> None:
    answer = ask("indicator", name=name, values=dated([1.0 + n for n in range(needed - 1)]))
    assert answer.code == "NOT_ENOUGH_DATA"
    assert f"needs {needed} values, had {needed - 1}" in answer.text
    assert not ask("indicator", name=name, values=dated([1.0 + n for n in range(needed)])).failed


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("sma", {"length": 0}),
        ("sma", {"length": 2.5}),
        ("sma", {"length": 1e9}),
        ("sma", {"width": 2}),
        ("rsi", {"length": 1}),
        ("macd", {"fast": 26, "slow": 12}),
        ("bollinger", {"width": -1}),
    ],
)
def test_settings_that_mean_nothing_are_refused(name: str, params: dict[str, float], ask: Ask) -> None:
    assert ask("indicator", name=name, values=dated([1.0] * 60), params=params).code == "BAD_INPUT"


@pytest.mark.parametrize("last", [0, -1, 10**6])
def test_a_number_of_rows_beyond_the_bounds_is_refused(last: int, ask: Ask) -> None:
    assert ask("indicator", name="sma", values=dated([1.0] * 60), last=last).code == "BAD_INPUT"


def test_a_period_has_its_rows_and_what_is_before_it_warms_up(ask: Ask) -> None:
    days = [["2024-01-30", 1], ["2024-01-31", 2], ["2024-02-01", 3], ["2024-02-02", 4], ["2024-03-01", 5]]
    answer = ask("indicator", name="sma", values=days, params={"length": 3}, period="2024-02")
    assert answer.data["rows"] == [["2024-02-01", "3", "2"], ["2024-02-02", "4", "3"]]
    assert answer.json["period"]["end"] == "2024-02-29"


def test_a_period_without_values_is_no_data(ask: Ask) -> None:
    assert (
        ask("indicator", name="sma", values=dated([1, 2, 3, 4]), params={"length": 2}, period="2024-05").code
        == "NO_DATA"
    )
