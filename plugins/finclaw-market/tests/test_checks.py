from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from market_days import weekdays

from finclaw_market.bars import Bar
from finclaw_market.checks import check


def bars(closes: Sequence[float | str], *, skip: range = range(0), **events: dict[int, str]) -> list[Bar]:
    days = list(weekdays(date(2024, 1, 1), len(closes)))
    return [
        Bar(
            day=day,
            close=Decimal(str(close)),
            split=Decimal(events.get("split", {}).get(index, "1")),
            volume=Decimal(events.get("volume", {}).get(index, "100")),
        )
        for index, (day, close) in enumerate(zip(days, closes, strict=True))
        if index not in skip
    ]


def kinds(found: list[Bar], basis: str = "none") -> list[tuple[str, str, str]]:
    return [(finding.kind, finding.first, finding.last) for finding in check("X", found, basis)]


WALK = [100 + index % 7 for index in range(40)]


def test_ordinary_prices_raise_no_suspicion() -> None:
    assert kinds(bars(WALK)) == []
    assert kinds(bars([100, 80, 110, 95, 120, 90])) == []


def test_more_than_four_missing_weekdays_are_a_gap() -> None:
    assert kinds(bars(WALK, skip=range(5, 9))) == []
    assert kinds(bars(WALK, skip=range(5, 10))) == [("gap", "2024-01-05", "2024-01-15")]


def test_a_monthly_series_has_its_own_idea_of_a_gap() -> None:
    monthly = [Bar(day=date(2024, month, 1), close=Decimal(50 + month)) for month in (1, 2, 3, 4, 7, 8)]
    assert kinds(monthly) == [("gap", "2024-04-01", "2024-07-01")]


def test_pence_among_pounds_are_found_with_their_stretch() -> None:
    closes = [close * 100 if 10 <= index < 15 else close for index, close in enumerate(WALK)]
    assert kinds(bars(closes)) == [("unit_error", "2024-01-15", "2024-01-19")]
    down = [close / 100 if index >= 20 else close for index, close in enumerate(WALK)]
    assert kinds(bars(down)) == [("unit_error", "2024-01-29", "2024-01-29")]


def test_the_sessions_at_wrong_prices_are_counted() -> None:
    for count in (1, 2, 5):
        closes = [close * 100 if 10 <= index < 10 + count else close for index, close in enumerate(WALK)]
        (finding,) = check("X", bars(closes), "none")
        assert finding.detail.startswith(f"{count} session{'s' * (count > 1)} at ")


def test_a_single_wild_price_is_an_outlier() -> None:
    closes = [close * 10 if index == 12 else close for index, close in enumerate(WALK)]
    assert kinds(bars(closes)) == [("outlier", "2024-01-17", "2024-01-17")]


def test_a_fall_like_a_split_is_suspected_unless_it_is_recorded() -> None:
    closes = [100.0] * 4 + [99.0] + [33.1, 33.0, 33.4, 33.2]
    assert kinds(bars(closes)) == [("unapplied_split", "2024-01-08", "2024-01-08")]
    assert kinds(bars(closes, split={5: "3"})) == []


def test_a_split_recorded_on_another_day_is_named() -> None:
    closes = [100.0, 101.0, 99.0, 100.0, 20.1, 20.0, 20.3]
    found = check("X", bars(closes, split={5: "5"}), "none")
    assert [finding.kind for finding in found] == ["unapplied_split", "split_without_jump"]
    assert "5-for-1" in found[0].detail
    assert "a split of 5 is recorded on 2024-01-08" in found[0].detail


def test_prices_that_should_be_adjusted_must_not_jump_with_a_split() -> None:
    closes = [100.0, 101.0, 50.0, 51.0]
    assert kinds(bars(closes, split={2: "2"}), "split") == [("split_not_applied", "2024-01-03", "2024-01-03")]
    assert kinds(bars([100.0, 101.0, 102.0], split={2: "2"}), "split") == []


def test_standstill_and_days_without_trade_are_found() -> None:
    assert kinds(bars([*WALK[:5], *[90.0] * 6])) == [("stale", "2024-01-08", "2024-01-15")]
    volume = dict.fromkeys(range(3, 6), "0")
    assert kinds(bars(WALK, volume=volume)) == [("zero_volume", "2024-01-04", "2024-01-08")]


def test_a_single_bar_is_enough_to_check() -> None:
    assert kinds(bars([1])) == []


def test_one_session_far_off_that_the_next_takes_back_is_an_outlier() -> None:
    closes = [close * 1.5 if index == 12 else close for index, close in enumerate(WALK)]
    assert kinds(bars(closes)) == [("outlier", "2024-01-17", "2024-01-17")]


def test_a_large_move_of_which_the_next_session_takes_back_a_part_is_none() -> None:
    assert kinds(bars([100.0, 101.0, 62.0, 75.0, 74.0, 76.0])) == []


def test_prices_that_jump_by_a_split_recorded_some_sessions_later_are_named() -> None:
    closes = [0.53] * 4 + [0.54] + [1.22, 1.20, 1.21, 1.23, 1.2]
    found = check("X", bars(closes, split={8: "0.4406"}), "split")
    assert [(finding.kind, finding.first) for finding in found] == [("unapplied_split", "2024-01-08")]
    assert found[0].repair is not None
    assert found[0].repair.value == "2.26963231956"


def test_a_fall_in_which_many_times_the_usual_money_is_traded_is_news_and_no_split() -> None:
    closes = [100.0] * 10 + [50.0, 51.0, 50.5]
    traded = {10: "4000"}
    assert kinds(bars(closes, volume=traded)) == [("stale", "2024-01-01", "2024-01-12")]
    assert ("unapplied_split", "2024-01-15", "2024-01-15") in kinds(bars(closes, volume={10: "210"}))
