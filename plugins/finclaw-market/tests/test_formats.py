"""The exports that people have: localised headers and numbers, several lines of header, a column for each symbol.

The headers are those of the services; the numbers are made up.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imports import Load, closes

from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions
from finclaw_market.queries import last_bars
from finclaw_market.store import reading

DAY = date(2024, 1, 15)
EXPORTS = {
    "Investing.com, English": '"Date","Price","Open","High","Low","Vol.","Change %"\n'
    '"01/15/2024","1,011.25","1,010.50","1,012.50","1,009.00","1.00K","0.10%"\n',
    "Investing.com, German": '"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"\n'
    '"15.01.2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, Spanish": '"Fecha","Último","Apertura","Máximo","Mínimo","Vol.","% var."\n'
    '"15.01.2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, Portuguese": '"Data","Último","Abertura","Máxima","Mínima","Vol.","Var%"\n'
    '"15.01.2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, French": '"Date","Dernier","Ouv.","Plus Haut","Plus Bas","Vol.","Variation %"\n'
    '"15/01/2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, Italian": '"Data","Ultimo","Apertura","Massimo","Minimo","Vol.","Var. %"\n'
    '"15.01.2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, Russian": '"Дата","Цена","Откр.","Макс.","Мин.","Объём","Изм. %"\n'
    '"15.01.2024","1.011,25","1.010,50","1.012,50","1.009,00","1,00K","0,10%"\n',
    "Investing.com, Japanese": '"日付け","終値","始値","高値","安値","出来高","変化率 %"\n'
    '"2024年01月15日","1,011.25","1,010.50","1,012.50","1,009.00","1.00K","0.10%"\n',
    "Investing.com, Korean": '"날짜","종가","오픈","고가","저가","거래량","변동 %"\n'
    '"2024년 01월 15일","1,011.25","1,010.50","1,012.50","1,009.00","1.00K","0.10%"\n',
    "Stooq, Polish": "Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen\n2024-01-15,1010.5,1012.5,1009,1011.25,1000\n",
    "Stooq, bulk": "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n"
    "ACME,D,20240115,000000,1010.5,1012.5,1009,1011.25,1000,0\n",
    "KRX": "일자,종가,대비,등락률,시가,고가,저가,거래량,거래대금\n"
    "2024/01/15,1011.25,1,0.1,1010.5,1012.5,1009,1000,1011250\n",
    "Börse Frankfurt": "Datum;Eröffnung;Schluss;Tageshoch;Tagestief;Umsatz (€);Umsatz (Stück)\n"
    "15.01.2024;1.010,50;1.011,25;1.012,50;1.009,00;1.011.250,00;1.000\n",
    "ariva.de": "Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen\n"
    "2024-01-15;1.010,50;1.012,50;1.009,00;1.011,25;1.000;1.011.250\n",
    "Alpha Vantage": "timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient\n"
    "2024-01-15,1010.5,1012.5,1009,1011.25,1000.5,1000,0.0000,1.0\n",
    "Google": "Date,Open,High,Low,Close,Volume\n15-Jan-24,1010.5,1012.5,1009,1011.25,1000\n",
    "pandas": ",Open,High,Low,Close,Volume\n2024-01-15,1010.5,1012.5,1009,1011.25,1000\n",
    "yfinance": "Price,Close,High,Low,Open,Volume\nTicker,ACME,ACME,ACME,ACME,ACME\nDate,,,,,\n"
    "2024-01-15,1011.25,1012.5,1009,1010.5,1000\n",
    "yfinance, by ticker": "Ticker,ACME,ACME,ACME,ACME,ACME\nPrice,Open,High,Low,Close,Volume\nDate,,,,,\n"
    "2024-01-15,1010.5,1012.5,1009,1011.25,1000\n",
    "yfinance, before": ",Adj Close,Close,High,Low,Open,Volume\n,ACME,ACME,ACME,ACME,ACME,ACME\nDate,,,,,,\n"
    "2024-01-15,1000,1011.25,1012.5,1009,1010.5,1000\n",
}


@pytest.mark.parametrize("name", EXPORTS)
def test_the_same_bar_comes_out_of_every_export(load: Load, home: Path, name: str) -> None:
    report = load(EXPORTS[name])
    assert (report.problems, report.rejected) == ([], [])
    with reading(home) as connection:
        assert connection is not None
        bar = last_bars(connection, "ACME", DAY, 1)[0]
    assert bar.day == DAY
    numbers = (bar.open, bar.high, bar.low, bar.close, bar.volume)
    assert numbers == (Decimal("1010.5"), Decimal("1012.5"), Decimal(1009), Decimal("1011.25"), Decimal(1000))


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("5-Jan-24", "2024-01-05"),
        ("31-Dec-99", "1999-12-31"),
        ("05 Jan 24", "2024-01-05"),
        ("5-Jan-2024", "2024-01-05"),
    ],
)
def test_a_date_with_the_name_of_its_month_may_have_a_short_year(
    load: Load, home: Path, written: str, day: str
) -> None:
    assert load(f"Date,Close\n{written},10\n").imported
    assert list(closes(home)) == [date.fromisoformat(day)]


WIDE = "Date,AAA,BBB\n2024-01-02,10,20\n2024-01-03,11,\n2024-01-04,12,22\n"


def test_a_column_for_each_symbol_is_read_where_that_is_asked_for(load: Load, home: Path) -> None:
    report = load(WIDE, symbol=None, wide=True)
    assert [(count.symbol, count.rows) for count in report.symbols] == [("AAA", 3), ("BBB", 2)]
    assert closes(home, "BBB") == {date(2024, 1, 2): Decimal(20), date(2024, 1, 4): Decimal(22)}


def test_columns_of_symbols_are_not_guessed(load: Load) -> None:
    problem = load(WIDE, symbol=None).problems[0]
    assert problem.endswith(
        "no close or price column among: Date, AAA, BBB; where each column has the closes of a symbol, say --wide"
    )


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("Date,AAA,A B", "the column 'A B' is not named like a symbol"),
        ("Date,AAA,aaa", "two columns have the same symbol"),
        ("When,AAA,BBB", "no date column"),
    ],
)
def test_columns_that_are_no_symbols_are_refused(load: Load, header: str, problem: str) -> None:
    assert problem in load(f"{header}\n2024-01-02,1,2\n", symbol=None, wide=True).problems[0]


def test_a_column_of_names_has_the_symbols_where_none_is_given(load: Load) -> None:
    text = "date,close,Name\n2024-01-02,10,AAA\n2024-01-02,20,BBB\n"
    assert [count.symbol for count in load(text, symbol=None).symbols] == ["AAA", "BBB"]
    assert load("date,close,Name\n2024-01-02,10,Acme Corp.\n").imported


def test_several_tickers_of_one_download_are_kept_apart(load: Load, home: Path) -> None:
    text = (
        "Price,Close,Close,Volume,Volume\nTicker,AAA,BBB,AAA,BBB\nDate,,,,\n"
        "2024-01-02,10,20,100,200\n2024-01-03,11,,110,\n"
    )
    report = load(text, symbol=None)
    assert [(count.symbol, count.rows) for count in report.symbols] == [("AAA", 2), ("BBB", 1)]
    assert closes(home, "AAA")[date(2024, 1, 3)] == Decimal(11)


def test_of_several_tickers_the_one_that_is_named_is_read(load: Load) -> None:
    text = "Price,Close,Close\nTicker,AAA,BBB\nDate,,\n2024-01-02,10,20\n"
    assert [count.symbol for count in load(text, symbol="BBB").symbols] == ["BBB"]


def test_turnover_in_money_is_no_volume(load: Load, home: Path) -> None:
    report = load("Datum;Schluss;Umsatz (€)\n2024-01-15;10,5;1.000.000,00\n")
    assert report.warnings[0] == "prices.csv: ignored columns: Umsatz (€)"
    with reading(home) as connection:
        assert connection is not None
        assert last_bars(connection, "ACME", DAY, 1)[0].volume is None


def test_intraday_rows_are_refused_for_what_they_are(load: Load) -> None:
    report = load("Datetime,Close\n2024-01-02 10:00:00,1\n2024-01-02 11:00:00,2\n")
    assert report.rejected[0].reason == "several different rows for this date; only daily prices are stored"


def test_splits_and_dividends_of_alpha_vantage_are_kept(load: Load, home: Path) -> None:
    load(
        "timestamp,close,adjusted_close,dividend_amount,split_coefficient\n"
        "2024-01-03,52,52,0.0000,2.0\n2024-01-02,100,49.5,1.0000,1.0\n",
        adjustment="none",
    )
    with reading(home) as connection:
        assert connection is not None
        first, second = last_bars(connection, "ACME", DAY, 2)
    assert (first.dividend, first.split, second.dividend, second.split) == (1, 1, 0, 2)


@given(
    st.dictionaries(
        st.from_regex(r"[A-Z]{1,5}", fullmatch=True),
        st.lists(st.one_of(st.none(), st.integers(1, 10**6)), min_size=3, max_size=3),
        min_size=1,
        max_size=6,
    )
)
def test_every_value_of_a_wide_file_comes_out_under_its_symbol(
    tmp_path_factory: pytest.TempPathFactory, series: dict[str, list[int | None]]
) -> None:
    days = [date(2024, 1, 2), date(2024, 1, 3), date(2024, 1, 4)]
    names = list(series)
    rows = [f"{day}," + ",".join(str(series[name][at] or "") for name in names) for at, day in enumerate(days)]
    folder = tmp_path_factory.mktemp("wide")
    path = folder / "wide.csv"
    path.write_text("\n".join([f"Date,{','.join(names)}", *rows]) + "\n")
    report = import_files([path], folder / "home", ImportOptions(wide=True, decimal="."))
    expected = {
        name: {day: Decimal(value) for day, value in zip(days, values, strict=True) if value is not None}
        for name, values in series.items()
    }
    kept = {name: values for name, values in expected.items() if values}
    assert report.imported == bool(kept)
    assert {name: closes(folder / "home", name) for name in kept} == kept


def test_a_file_named_on_the_command_line_is_read_wide(
    run: Callable[..., tuple[int, str, str]], file: Callable[..., Path]
) -> None:
    assert run("import", file(WIDE), "--wide")[1].splitlines()[0].startswith("AAA: 3 rows")
