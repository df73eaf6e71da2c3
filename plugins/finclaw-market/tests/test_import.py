from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imports import GOOD, Load, closes, reasons

from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions
from finclaw_market.queries import last_bars
from finclaw_market.report import complaints
from finclaw_market.staging import Facts
from finclaw_market.store import reading


def test_a_good_file_is_imported_and_its_store_is_private(load: Load, home: Path) -> None:
    report = load(GOOD)
    assert report.imported
    assert closes(home) == {date(2024, 1, 2): Decimal(11), date(2024, 1, 3): Decimal("12.5")}
    assert stat.S_IMODE((home / "market.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_importing_a_file_again_changes_nothing(load: Load, home: Path) -> None:
    load(GOOD)
    before = (home / "market.db").read_bytes()
    report = load(GOOD)
    assert (report.imported, report.symbols[0].new, report.symbols[0].unchanged) == (True, 0, 2)
    with sqlite3.connect(home / "market.db") as connection:
        assert connection.execute("SELECT count(*) FROM sources").fetchone() == (1,)
    assert len(before) == (home / "market.db").stat().st_size


def test_a_stored_bar_changes_only_when_that_is_asked_for(load: Load, home: Path) -> None:
    load(GOOD)
    corrected = GOOD.replace("12.50", "12.75")
    refused = load(corrected)
    assert not refused.imported
    assert "--replace" in refused.problems[0]
    assert refused.changes == ["ACME 2024-01-03: close 12.5 → 12.75"]
    assert closes(home)[date(2024, 1, 3)] == Decimal("12.5")
    assert load(corrected, replace=True).imported
    assert closes(home)[date(2024, 1, 3)] == Decimal("12.75")


def test_saying_later_how_prices_are_adjusted_is_a_change(load: Load) -> None:
    load(GOOD)
    assert load(GOOD, adjustment="split").changes[0] == "ACME 2024-01-02: adjustment unstated → split"
    assert load(GOOD, adjustment="split", replace=True).imported


def test_a_currency_is_not_changed_by_the_way(load: Load) -> None:
    load(GOOD, facts=Facts(currency="USD"))
    assert load(GOOD, facts=Facts(currency="EUR")).problems == ["ACME is stored in USD, not EUR; say --replace"]
    assert load(GOOD).imported


def test_one_bad_row_keeps_everything_out_and_leaves_no_store(load: Load, home: Path) -> None:
    report = load(GOOD + "2024-01-04,1,2,3,-2,5\n")
    assert not report.imported
    assert reasons(report) == [(4, "close -2 is not above zero")]
    assert report.rejected[0].content == "2024-01-04, 1, 2, 3, -2, 5"
    assert not home.exists()


def test_bad_rows_are_left_out_when_that_is_asked_for(load: Load, home: Path) -> None:
    report = load(GOOD + "2024-01-04,1,2,3,-2,5\n", skip_bad_rows=True)
    assert (report.imported, report.rejected_count, len(closes(home))) == (True, 1, 2)


TOMORROW = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("soon,1,1,1,1,1", "'soon' is not a date"),
        ("2024-01-04,1,1,1,,1", "no close"),
        ("2024-01-04,1,1,1,x,1", "close: 'x' is not a number"),
        ("2024-01-04,1,1,1,nan,1", "close: 'nan' is not a finite number"),
        ("2024-01-04,1,1,1,0,1", "close 0 is not above zero"),
        ("2024-01-04,1,1,1,1,-5", "volume -5 is negative"),
        ("2024-01-04,1,1,1,1", "5 cells where the header has 6"),
        ("0001-01-01,1,1,1,1,1", "0001-01-01 is implausible: before 1600"),
        (f"{TOMORROW},1,1,1,1,1", f"{TOMORROW} is in the future"),
    ],
)
def test_each_bad_row_is_reported_with_its_line_and_reason(load: Load, row: str, reason: str) -> None:
    assert reasons(load(GOOD + row + "\n")) == [(4, reason)]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2024-01-04,1,2,1,2.1,1", "close 2.1 is above high 2"),
        ("2024-01-04,0.5,2,1,1.5,1", "open 0.5 is below low 1"),
        ("2024-01-04,0,2,1,1.5,1", "open 0 is not above zero"),
        ("2024-01-04,1,2,3,2,5", "high 2 is below low 3"),
    ],
)
def test_a_bar_whose_range_cannot_be_true_keeps_its_close_and_is_named(
    load: Load, home: Path, row: str, reason: str
) -> None:
    report = load(GOOD + row + "\n")
    assert any(
        f"1 bars keep their close without the prices that cannot be true: 2024-01-04 {reason}" in warning
        for warning in report.warnings
    )
    with reading(home) as connection:
        assert connection is not None
        bar = last_bars(connection, "ACME", date(2024, 1, 4), 1)[0]
    assert (bar.open, bar.high, bar.low, f"{bar.close:f}") == (None, None, None, row.split(",")[4])


def test_an_adjusted_close_that_cannot_be_true_is_left_out_and_named(load: Load) -> None:
    report = load("Date,Close,Adj Close\n2024-01-02,10,9\n2024-01-03,10,-0.5\n")
    assert report.imported
    assert any("2024-01-03 adj close -0.5 is not above zero" in warning for warning in report.warnings)


def test_rows_without_any_value_are_left_out_and_counted(load: Load, home: Path) -> None:
    report = load(GOOD + "2024-01-04,null,null,null,null,null\n2024-01-05,,,,,0\n")
    assert report.imported
    assert "prices.csv: 2 rows without any value are left out: 2024-01-04, 2024-01-05" in report.warnings
    assert len(closes(home)) == 2


def test_a_dividend_in_a_row_without_prices_is_not_lost(load: Load) -> None:
    report = load("Date,Close,Dividends\n2024-01-02,10,0\n2024-01-03,null,0.5\n")
    assert reasons(report) == [(3, "no close")]


def test_a_close_that_exceeds_the_high_by_rounding_is_good(load: Load) -> None:
    assert load("Date,High,Low,Close\n2024-01-02,100,99,100.00005\n").imported


def test_a_repeated_row_is_rejected_and_a_contradicting_one_with_its_rival(load: Load, home: Path) -> None:
    repeated = GOOD + "2024-01-03,11,13,10,12.5,200\n"
    report = load(repeated)
    assert (report.imported, reasons(report)) == (False, [(4, "duplicate of line 3")])
    assert not home.exists()
    assert load(repeated, skip_bad_rows=True, dry_run=True).symbols[0].rows == 2
    differing = load(GOOD + "2024-01-03,11,13,10,12.6,200\n", sort=True)
    assert [line for line, _ in reasons(differing)] == [3, 4]
    assert not differing.imported


def test_a_row_that_another_file_has_already_is_rejected_with_that_file_s_name(
    home: Path, file: Callable[..., Path]
) -> None:
    report = import_files([file(GOOD, "a.csv"), file(GOOD, "b.csv")], home, ImportOptions(symbol="ACME"))
    assert [(row.file, row.line, row.reason) for row in report.rejected] == [
        ("b.csv", 2, "duplicate of a.csv, line 2"),
        ("b.csv", 3, "duplicate of a.csv, line 3"),
    ]


def test_every_rejected_row_is_listed(load: Load) -> None:
    report = load("Date,Close\n" + "2024-01-02,x\n" * 20_000)
    assert len(report.rejected) == report.rejected_count == len(list(complaints(report))) == 20_000


def test_no_cell_and_no_file_name_can_forge_a_line_of_the_report(load: Load) -> None:
    report = load('Date,Close\n"soon\nerror: forged",\x1b1\n', name="p\nwarning: forged.csv")
    assert (report.rejected[0].file, report.rejected[0].content) == (
        "p warning: forged.csv",
        "soon error: forged,  1",
    )
    lines = [*complaints(report), *complaints(load('Date,"a\nb"\n1,1\n'))]
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("Date,Close\n", "no rows below the header"),
        ("Date,Foo\n2024-01-02,1\n", "no close or price column among: Date, Foo"),
        ("When,Close\n2024-01-02,1\n", "no date column"),
        ("Date,Close,Close\n2024-01-02,1,1\n", "two columns are called 'Close'"),
        ("just text\nmore text\n", "no columns found"),
        ("Date,Close\n2024-01-02,1\n01/02/2024,1\n", "cannot tell day from month"),
        ("Date;Close\n2024-01-02;1.234\n", "say --decimal"),
        ('Date,Close\n2024-01-02,"1\n', "an open quotation mark?"),
        ("Date,Close\0\n2024-01-02,1\n", "not a text file"),
    ],
)
def test_what_is_wrong_with_a_whole_file_is_said(load: Load, home: Path, text: str, problem: str) -> None:
    report = load(text)
    assert len(report.problems) == 1
    assert problem in report.problems[0]
    assert not home.exists()


def test_a_file_that_is_not_there_or_not_a_file_is_a_problem(home: Path, tmp_path: Path) -> None:
    report = import_files([tmp_path / "none.csv", tmp_path], home, ImportOptions(symbol="A"))
    assert [problem.split(": ", 1)[1] for problem in report.problems] == [
        "cannot be read: No such file or directory",
        "not a regular file",
    ]


def test_a_file_without_symbols_needs_one(load: Load) -> None:
    assert load(GOOD, symbol=None).problems == ["prices.csv: no symbol column; say --symbol"]


GERMAN = """Datum;Eröffnung;Hoch;Tief;Schlusskurs;Volumen
02.01.2024;1.010,5;1.012,5;1.009;1.011,25;1.000
15.01.2024;1;2;1;2;5
"""
TABS = "date\topen\thigh\tlow\tprice\tVol.\n2024-01-02\t1010.5\t1012.5\t1009\t1011.25\t1K\n"
KOREAN = "일자,시가,고가,저가,종가,거래량\n2024/01/02,1010.5,1012.5,1009,1011.25,1000\n"
AMERICAN = """# from a site
Date,Open,High,Low,Close/Last,Volume
"Jan 2, 2024",$1010.5,$1012.5,$1009,"$1,011.25",1000
"""


@pytest.mark.parametrize(
    ("text", "written"), [(GERMAN, "utf-8-sig"), (TABS, "utf-16"), (KOREAN, "cp949"), (AMERICAN, "utf-16-le")]
)
def test_the_same_prices_come_out_of_every_dialect(load: Load, home: Path, text: str, written: str) -> None:
    report = load(text, written=written, encoding=written if written == "cp949" else None)
    assert (report.problems, report.rejected) == ([], [])
    with reading(home) as connection:
        assert connection is not None
        bar = last_bars(connection, "ACME", date(2024, 1, 2), 1)[0]
    numbers = (bar.open, bar.high, bar.low, bar.close, bar.volume)
    assert numbers == (Decimal("1010.5"), Decimal("1012.5"), Decimal(1009), Decimal("1011.25"), Decimal(1000))


prices = st.decimals(min_value="0.000001", max_value=10**9, places=6, allow_nan=False, allow_infinity=False)
SERIES = st.dictionaries(st.dates(min_value=date(1990, 1, 1), max_value=date(2024, 12, 31)), prices, min_size=1)


@settings(max_examples=40, deadline=None)
@given(SERIES)
def test_what_is_imported_comes_out_exactly(
    tmp_path_factory: pytest.TempPathFactory, series: dict[date, Decimal]
) -> None:
    folder = tmp_path_factory.mktemp("round")
    path = folder / "p.csv"
    path.write_text("Date,Close\n" + "".join(f"{day},{price:f}\n" for day, price in sorted(series.items())))
    report = import_files([path], folder / "home", ImportOptions(symbol="X", decimal="."))
    assert report.imported
    assert closes(folder / "home", "X") == series
