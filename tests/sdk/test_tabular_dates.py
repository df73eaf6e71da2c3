from __future__ import annotations

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.tabular import (
    BadCell,
    BadOption,
    DateStyle,
    FileProblem,
    OrderVotes,
    date_style,
    parse_date,
    plausible_date,
    swapped,
)

PATTERNS = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%b %d %Y", "%B %d, %Y", "%d %b %Y", "%d-%b-%Y",
    "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d 00:00:00+09:00", "%Y-%m-%d 23:30:00-05:00",
]  # fmt: skip
days = st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 1, 1))


@given(days, st.sampled_from(PATTERNS))
def test_a_date_that_says_what_it_is_reads_back_as_its_local_date(day: date, pattern: str) -> None:
    assert parse_date(day.strftime(pattern), DateStyle()) == day


@given(days, st.sampled_from(["/", "-", "."]))
def test_a_numeric_date_is_read_in_the_order_of_its_file(day: date, mark: str) -> None:
    assert parse_date(day.strftime(f"%d{mark}%m{mark}%Y"), DateStyle(order="DMY")) == day
    assert parse_date(day.strftime(f"%m{mark}%d{mark}%Y 16:00"), DateStyle(order="MDY")) == day


@given(st.text(max_size=25))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    with suppress(BadCell):
        assert isinstance(parse_date(text, DateStyle(order="DMY")), date)


@given(days)
def test_exchanging_day_and_month_twice_gives_the_date_back(day: date) -> None:
    other = swapped(day)
    assert other is None or swapped(other) == day


@pytest.mark.parametrize(
    "text", ["2023-02-30", "2023-13-01", "13/13/2003", "2023111", "Foo 1 2000", "Ju 1 2000", "yesterday"]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(BadCell, match="is not a date"):
        parse_date(text, DateStyle(order="DMY"))


def test_a_short_year_needs_a_format_and_the_message_says_so() -> None:
    with pytest.raises(BadCell, match="--date-format"):
        parse_date("01/02/03", DateStyle(order="DMY"))
    assert parse_date("01/02/03", date_style("%d/%m/%y") or DateStyle()) == date(2003, 2, 1)


@pytest.mark.parametrize("pattern", ["%Y", "%d/%m", "soon", "%q", ""])
def test_a_format_without_a_whole_date_is_refused(pattern: str) -> None:
    with pytest.raises(BadOption, match="--date-format"):
        date_style(pattern)


def votes(*cells: str) -> OrderVotes:
    found = OrderVotes()
    for line, cell in enumerate(cells, 2):
        found.look(cell, line)
    return found


def test_one_day_above_twelve_decides_the_order() -> None:
    assert votes("01/02/2003", "13/02/2003").decide()[0] == "DMY"
    assert votes("01/02/2003", "02/13/2003").decide()[0] == "MDY"


def test_an_order_that_no_row_proves_is_asked_for() -> None:
    with pytest.raises(FileProblem, match="--date-format DMY or --date-format MDY"):
        votes("01/02/2003", "03/04/2003").decide()


def test_rows_that_prove_both_orders_are_an_error() -> None:
    with pytest.raises(FileProblem, match="wrong date order"):
        votes("13/02/2003", "02/13/2003").decide()


def test_the_order_does_not_matter_where_day_and_month_are_equal() -> None:
    assert votes("01/01/2003", "2003-02-01").decide()[0] is None


def test_an_empty_cell_is_no_date() -> None:
    with pytest.raises(BadCell, match=r"^no date$"):
        parse_date(" ", DateStyle())


@given(
    days.filter(lambda day: (day.month, day.day) != (2, 29)),
    st.sampled_from(["%Y. %m. %d.", "%Y-%m-%d", "%Y%m%d", "%d.%m.%Y", "%d.%m.%y"]),
)
def test_dates_of_banks_are_read_in_the_order_of_the_file(day: date, pattern: str) -> None:
    style = DateStyle(order="DMY", short_years=True)
    expected = day if "%Y" in pattern else day.replace(year=2000 + day.year % 100)
    assert parse_date(day.strftime(pattern), style) == expected


def test_a_date_before_the_first_year_or_in_the_future_is_rejected() -> None:
    for text, why in (("1899-12-31", "before 1900"), ("2026-02-02", "in the future")):
        with pytest.raises(BadCell, match=why):
            plausible_date(text, DateStyle(), first_year=1900, latest=date(2026, 2, 1))
    assert plausible_date("2026-02-01", DateStyle(), first_year=1900, latest=date(2026, 2, 1)) == date(2026, 2, 1)
