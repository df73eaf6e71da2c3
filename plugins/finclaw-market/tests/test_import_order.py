from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from imports import Load, reasons
from market_days import weekdays

from finclaw_market.order import out_of_order


def daily(days: list[str]) -> str:
    return "Date,Close\n" + "".join(f"{day},1\n" for day in days)


def test_rows_in_falling_order_are_fine_and_rows_in_none_are_rejected(load: Load, home: Path) -> None:
    days = [day.isoformat() for day in weekdays(date(2024, 1, 1), 60)]
    assert load(daily(days[::-1]), dry_run=True).rejected == []
    spoiled = daily([*days[:3], days[4], days[3], *days[5:]])
    report = load(spoiled)
    assert (report.imported, report.warnings) == (False, [])
    assert reasons(report) == [(6, "out of order: 2024-01-04 after 2024-01-05")]
    assert not home.exists()
    assert load(spoiled, skip_bad_rows=True, dry_run=True).symbols[0].rows == 59
    report = load(spoiled, sort=True)
    assert (report.imported, report.symbols[0].rows) == (True, 60)
    assert report.warnings == ["prices.csv: ACME: rows are out of order (1 times); imported by date"]


def test_order_is_judged_for_each_symbol_by_most_of_its_rows(load: Load) -> None:
    rising, falling = ["2024-01-02", "2024-02-28", "2024-01-03", "2024-01-04"], ["2024-01-05", "2024-01-04"]
    rows = [("UP", day) for day in rising] + [("DOWN", day) for day in [*falling, "2024-01-02", "2024-01-03"]]
    report = load("symbol,date,price\n" + "".join(f"{name},{day},1\n" for name, day in rows), symbol=None)
    assert reasons(report) == [
        (3, "out of order: 2024-02-28 before 2024-01-03"),
        (9, "out of order (newest first): 2024-01-03 after 2024-01-02"),
    ]


@given(st.lists(st.dates(), unique=True, max_size=30))
def test_without_the_rows_out_of_order_the_rest_is_in_one(days: list[date]) -> None:
    bad = dict(out_of_order(days))
    rest = [day for index, day in enumerate(days) if index not in bad]
    assert rest in (sorted(rest), sorted(rest, reverse=True))
    assert bool(bad) == (days not in (sorted(days), sorted(days, reverse=True)))


def test_dates_whose_days_and_months_were_exchanged_are_an_error(load: Load) -> None:
    days = list(weekdays(date(2024, 1, 1), 120))
    spoiled = [date(day.year, day.day, day.month) if day.day <= 12 else day for day in days]
    report = load(daily([day.isoformat() for day in spoiled]))
    assert "wrong date order" in report.problems[0]
    assert not report.imported


def test_a_file_read_in_the_wrong_order_by_request_is_not_imported(load: Load) -> None:
    days = [day.strftime("%m/%d/%Y") for day in weekdays(date(2024, 1, 1), 60)]
    assert not load(daily(days), date_format="DMY").imported
    assert load(daily(days)).imported
