from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_market.adjust import CannotAdjust, adjusted
from finclaw_market.bars import Bar
from finclaw_market.series import Interval, missing_sessions, periods, summary
from finclaw_market.sessions import last_weekday_of_month, last_weekday_of_week, weekdays_after

prices = st.decimals(min_value=1, max_value=1000, places=4, allow_nan=False, allow_infinity=False)
days = st.dates(min_value=date(1999, 12, 1), max_value=date(2001, 2, 1))
series = st.dictionaries(days, st.tuples(prices, prices, st.integers(0, 10**9)), min_size=1, max_size=60).map(
    lambda found: [
        Bar(day=day, open=a, high=max(a, b), low=min(a, b), close=b, volume=Decimal(volume))
        for day, (a, b, volume) in sorted(found.items())
    ]
)


def bar(day: str, close: str, **more: str) -> Bar:
    return Bar(day=date.fromisoformat(day), close=Decimal(close), **{k: Decimal(v) for k, v in more.items()})  # type: ignore[arg-type]


@given(series, st.sampled_from(["week", "month"]))
def test_periods_keep_the_open_the_extremes_the_close_and_the_volume(bars: list[Bar], interval: Interval) -> None:
    found = periods(bars, interval, start=None, seen_until=date.max)
    assert sum(period.sessions for period in found) == len(bars)
    assert sum(period.bar.volume or 0 for period in found) == sum(item.volume or 0 for item in bars)
    for period in found:
        inside = [item for item in bars if period.first <= item.day <= period.bar.day]
        assert len(inside) == period.sessions
        assert (period.bar.open, period.bar.close) == (inside[0].open, inside[-1].close)
        assert period.bar.high == max(item.high or 0 for item in inside)
        assert period.bar.low == min(item.low or 0 for item in inside)
        keys = {
            item.day.isocalendar()[:2] if interval == "week" else (item.day.year, item.day.month) for item in inside
        }
        assert len(keys) == 1


@given(days, st.integers(-5, 400))
def test_weekdays_are_counted_as_one_would_on_a_calendar(first: date, length: int) -> None:
    last = first + timedelta(days=length)
    expected = sum((first + timedelta(days=step)).weekday() < 5 for step in range(1, length + 1))
    assert weekdays_after(first, last) == expected


def test_the_last_weekdays_of_weeks_and_months() -> None:
    assert last_weekday_of_week(date(2024, 1, 2)) == date(2024, 1, 5)
    assert last_weekday_of_week(date(2024, 1, 6)) == date(2024, 1, 6)
    assert last_weekday_of_month(date(2023, 12, 5)) == date(2023, 12, 29)
    assert last_weekday_of_month(date(2024, 3, 1)) == date(2024, 3, 29)


def test_a_value_that_one_session_lacks_is_missing_for_the_period() -> None:
    found = periods(
        [bar("2024-01-02", "1", volume="5"), bar("2024-01-03", "2")], "week", start=None, seen_until=date.max
    )
    assert found[0].bar.volume is None


@pytest.mark.parametrize(
    ("start", "seen", "partial"),
    [
        (None, "2024-01-20", [False, False]),
        (None, "2024-01-11", [False, True]),
        ("2024-01-03", "2024-01-20", [True, False]),
        ("2024-01-01", "2024-01-20", [False, False]),
    ],
)
def test_a_period_is_partial_only_where_the_window_cuts_it(start: str | None, seen: str, partial: list[bool]) -> None:
    first = date.fromisoformat(start) if start else None
    bars = [bar(day, "1") for day in ("2024-01-03", "2024-01-04", "2024-01-08", "2024-01-11")]
    found = periods(bars, "week", start=first, seen_until=date.fromisoformat(seen))
    assert [period.partial for period in found] == partial


def test_a_month_that_starts_with_a_weekend_is_whole_from_its_first_weekday() -> None:
    bars = [bar("2024-06-03", "1"), bar("2024-06-04", "1")]
    assert not periods(bars, "month", start=date(2024, 6, 3), seen_until=date.max)[0].partial
    assert periods(bars[1:], "month", start=date(2024, 6, 4), seen_until=date.max)[0].partial


def test_the_summary_names_extremes_with_their_dates_and_counts_what_is_missing() -> None:
    bars = [bar("2024-01-02", "2"), bar("2024-01-03", "1"), bar("2024-01-05", "3"), bar("2024-01-08", "2.5")]
    found = summary(bars)
    assert found["min"] == {"date": date(2024, 1, 3), "close": "1"}
    assert found["max"] == {"date": date(2024, 1, 5), "close": "3"}
    assert (found["n"], found["missing"]) == (4, 1)


def test_missing_weekdays_mean_nothing_in_a_monthly_series() -> None:
    assert missing_sessions([bar("2024-01-02", "2"), bar("2024-02-01", "1"), bar("2024-03-01", "3")]) is None


SPLIT = [
    bar("2024-01-02", "100", split="1", volume="10", open="90"),
    bar("2024-01-03", "50", split="2", volume="20", open="51"),
    bar("2024-01-04", "5", split="10", volume="200", open="5"),
]


def test_prices_before_a_split_are_divided_and_volumes_multiplied() -> None:
    found = adjusted(SPLIT, ["none"], "split")
    assert [item.close for item in found.bars] == [5, 5, 5]
    assert [item.volume for item in found.bars] == [200, 200, 200]
    assert found.bars[0].open == Decimal("4.5")
    assert found.label == "split"


def test_adjusting_never_shows_what_came_after_the_last_bar() -> None:
    assert [item.close for item in adjusted(SPLIT[:2], ["none"], "split").bars] == [50, 50]
    total = [bar("2024-01-02", "10", adj_close="4"), bar("2024-01-03", "10", adj_close="5")]
    found = adjusted(total, ["unstated"], "total")
    assert [item.close for item in found.bars] == [8, 10]
    assert found.label == "split+dividend"


@pytest.mark.parametrize(
    ("basis", "wanted", "hint"),
    [
        ("unstated", "split", "--adjustment"),
        ("split", "none", "ask for adjustment split"),
        ("total", "split", "ask for adjustment total"),
        ("none", "total", "no column"),
    ],
)
def test_an_adjustment_that_the_data_lacks_is_refused(basis: str, wanted: str, hint: str) -> None:
    with pytest.raises(CannotAdjust, match=hint):
        adjusted([bar("2024-01-02", "1")], [basis], wanted)  # type: ignore[list-item, arg-type]


def test_bars_of_different_adjustments_are_never_mixed() -> None:
    with pytest.raises(CannotAdjust, match="different adjustments"):
        adjusted([bar("2024-01-02", "1")], ["none", "split"], "none")
