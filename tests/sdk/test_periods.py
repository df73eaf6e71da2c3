"""Periods in words or ISO 8601, as days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from finclaw_cli.core.finance import Period
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.periods import Days, asked_days, known_days, read_period, today_of, unit_around
from finclaw_cli.testing.tools import tool_context

FRIDAY = date(2024, 6, 28)
DAYS = st.dates(date(1, 1, 1), date(9998, 12, 31))
READ = {
    "today": ("2024-06-28", "2024-06-28"),
    "yesterday": ("2024-06-27", "2024-06-27"),
    "this week": ("2024-06-24", "2024-06-30"),
    "last week": ("2024-06-17", "2024-06-23"),
    " Last  Month ": ("2024-05-01", "2024-05-31"),
    "next month": ("2024-07-01", "2024-07-31"),
    "this quarter": ("2024-04-01", "2024-06-30"),
    "previous quarter": ("2024-01-01", "2024-03-31"),
    "last year": ("2023-01-01", "2023-12-31"),
    "last 12 months": ("2023-06-29", "2024-06-28"),
    "last three months": ("2024-03-29", "2024-06-28"),
    "past 90 days": ("2024-03-31", "2024-06-28"),
    "past year": ("2023-06-29", "2024-06-28"),
    "year to date": ("2024-01-01", "2024-06-28"),
    "ytd": ("2024-01-01", "2024-06-28"),
    "QTD": ("2024-04-01", "2024-06-28"),
    "since 2024-03-01": ("2024-03-01", "2024-06-28"),
    "since last month": ("2024-05-01", "2024-06-28"),
    "2024-01-01/..": ("2024-01-01", "2024-06-28"),
    "2024": ("2024-01-01", "2024-12-31"),
    "2024-Q1": ("2024-01-01", "2024-03-31"),
    "Q3 2023": ("2023-07-01", "2023-09-30"),
    "2024-H1": ("2024-01-01", "2024-06-30"),
    "2024-02": ("2024-02-01", "2024-02-29"),
    "May 2024": ("2024-05-01", "2024-05-31"),
    "2024-W05": ("2024-01-29", "2024-02-04"),
    "2024-05-17": ("2024-05-17", "2024-05-17"),
    "from 2024-01 to 2024-03": ("2024-01-01", "2024-03-31"),
    "2024-01-01/2024-03-31": ("2024-01-01", "2024-03-31"),
    "2024-01-01/P3M": ("2024-01-01", "2024-03-31"),
    "P3M/2024-03-31": ("2024-01-01", "2024-03-31"),
    "P3M": ("2024-03-29", "2024-06-28"),
    "P1Y2M1W": ("2023-04-22", "2024-06-28"),
    "지난달": ("2024-05-01", "2024-05-31"),
    "이번 분기": ("2024-04-01", "2024-06-30"),
    "올해": ("2024-01-01", "2024-12-31"),
    "작년": ("2023-01-01", "2023-12-31"),
    "최근 3개월": ("2024-03-29", "2024-06-28"),
    "지난 90일간": ("2024-03-31", "2024-06-28"),
    "2024년 1분기": ("2024-01-01", "2024-03-31"),
    "2023년 하반기": ("2023-07-01", "2023-12-31"),
    "2024년 2월": ("2024-02-01", "2024-02-29"),
    "2024년 3월 1일부터": ("2024-03-01", "2024-06-28"),
    "2024-01-01부터 2024-03-31까지": ("2024-01-01", "2024-03-31"),
}
UNREADABLE = (
    "", "soon", "this", "last", "2024-13", "2023-02-29", "2025-W53", "0000", "P", "P0D", "P1X", "last 99999 years", "/",
    "2024/", "P1M/P1M", "since", "since since", "last 0 days", "1월", "부터", "2024-Q5", "9999-12-31/P1D", "x" * 200,
)  # fmt: skip


def iso(days: Days) -> tuple[str, str]:
    return days.first.isoformat(), days.last.isoformat()


@pytest.mark.parametrize("words", READ)
def test_words_are_read_as_days(words: str) -> None:
    assert iso(read_period(words, FRIDAY)) == READ[words]


@pytest.mark.parametrize("words", UNREADABLE)
def test_what_cannot_be_read_is_refused_with_the_forms_that_can(words: str) -> None:
    with pytest.raises(ToolError, match=r"^BAD_INPUT: period '.*' cannot be read; its forms are today, .* P3M\."):
        read_period(words, FRIDAY)


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ToolError, match=r"BAD_INPUT.*the first day has to come first"):
        read_period("2024-03/2024-01", FRIDAY)


@given(
    words=st.text(max_size=90) | st.from_regex(r"(last|past|since|p|최근)? ?[0-9]{0,6}[-qwym/]?[a-z0-9]{0,9}"), day=DAYS
)
@example(words="last 3 months", day=date(1, 1, 1))
@example(words="next year", day=date(9998, 12, 31))
def test_any_text_is_read_as_days_in_order_or_refused(words: str, day: date) -> None:
    try:
        found = read_period(words, day)
    except ToolError as error:
        assert str(error).startswith("BAD_INPUT: period ")  # noqa: PT017 - one of two outcomes
    else:
        assert found.first <= found.last


@given(first=DAYS, second=DAYS, today=DAYS)
def test_an_interval_is_read_as_its_two_days(first: date, second: date, today: date) -> None:
    first, second = sorted((first, second))
    assert read_period(f"{first}/{second}", today) == Days(first, second)


@given(day=DAYS, unit=st.sampled_from(["week", "month", "quarter", "year"]))
def test_this_follows_last_without_a_gap(day: date, unit: str) -> None:
    this = unit_around(day, unit)
    assert this.first <= day <= this.last
    if day.year > 1:
        assert read_period(f"last {unit}", day).last + timedelta(days=1) == this.first


@given(day=st.dates(date(1000, 1, 1)), count=st.integers(1, 5_000))
def test_days_are_counted_with_both_ends(day: date, count: int) -> None:
    found = read_period(f"past {count} days", day)
    assert ((found.last - found.first).days + 1, found.last) == (count, day)


@pytest.fixture
def ctx() -> ToolContext:
    return tool_context(as_of=FRIDAY)


def test_the_days_of_a_period_are_named_with_its_words(ctx: ToolContext) -> None:
    assert known_days(ctx, "2024-Q1").period == Period(words="2024-Q1", start="2024-01-01", end="2024-03-31")


def test_a_period_that_goes_on_ends_on_the_day_taken_for_today(ctx: ToolContext) -> None:
    assert known_days(ctx, "this year").end == FRIDAY


def test_a_period_may_be_asked_for_to_its_own_end(ctx: ToolContext) -> None:
    assert asked_days(ctx, "this year").end == date(2024, 12, 31)


def test_words_are_relative_to_the_earliest_of_the_dates_of_run_and_call(ctx: ToolContext) -> None:
    assert known_days(ctx, "this month", as_of=date(2023, 5, 17)).start == date(2023, 5, 1)
    assert today_of(ctx, date(2030, 1, 1)) == FRIDAY


def test_a_period_that_begins_later_is_refused(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="begins after 2024-06-28"):
        known_days(ctx, "2024-07")


@pytest.mark.parametrize("given", [{"start": FRIDAY}, {"end": FRIDAY}])
def test_a_period_is_given_without_a_start_and_an_end(given: dict[str, date], ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match="BAD_INPUT: give either a period, or start and end"):
        known_days(ctx, "ytd", **given)


def test_without_a_period_the_days_are_those_that_are_given(ctx: ToolContext) -> None:
    asked = known_days(ctx, None, FRIDAY, None)
    assert (asked.start, asked.end, asked.period) == (FRIDAY, None, None)
