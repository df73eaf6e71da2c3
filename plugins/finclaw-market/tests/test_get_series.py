from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.sdk import FinanceResult, ToolContext, ToolError
from finclaw_market.macro import get_series

Run = Callable[..., tuple[int, str, str]]
File = Callable[..., Path]
Context = Callable[..., ToolContext]
VINTAGES = "observation_date,GDP_20240425,GDP_20240530\n2023-10-01,27957,27957\n2024-01-01,28284,28255\n"


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2026, 6, 1))


def data(result: FinanceResult) -> dict[str, Any]:
    assert isinstance(result.data, dict)
    return result.data


def test_the_packaged_series_work_without_any_import(context: Context) -> None:
    result = get_series("us.cpi", context(), start=date(2008, 1, 1), end=date(2008, 12, 31))
    assert data(result)["rows"][0] == [date(2008, 1, 1), "213.997", "2009-12-15"]
    assert result.units["value"] == "index 1982-84 = 100, seasonally adjusted, end of quarter"
    assert (result.sources[0].kind, result.sources[0].rows) == ("package", "5..207")


def test_what_was_compiled_later_is_not_shown_to_an_earlier_run(context: Context) -> None:
    with pytest.raises(ToolError, match=r"NO_DATA: US\.CPI has no values"):
        get_series("US.CPI", context(as_of=date(2009, 12, 14)))


def test_a_download_from_fred_is_read_with_its_holes(run: Run, file: File, context: Context) -> None:
    text = "observation_date,DGS10\n2024-01-01,.\n2024-01-02,3.95\n2024-01-03,\n2024-01-04,4.00\n"
    code, out, _ = run("import", file(text), "--kind", "series", "--unit", "percent")
    assert (code, out) == (0, "DGS10: 4 rows, 2024-01-01 to 2024-01-04: 4 new, 0 changed, 0 unchanged\n")
    result = get_series("DGS10", context())
    assert data(result)["rows"][:2] == [[date(2024, 1, 1), None], [date(2024, 1, 2), "3.95"]]
    summary = data(result)["summary"]
    assert (summary["n"], summary["missing"], summary["change"]) == (2, 2, "0.05")
    assert result.units["value"] == "percent"


def test_the_summary_has_both_ends_the_change_and_the_extremes(run: Run, file: File, context: Context) -> None:
    text = "date,X\n2024-01-01,80\n2024-02-01,60\n2024-03-01,\n2024-04-01,130\n2024-05-01,100\n"
    run("import", file(text), "--kind", "series")
    assert data(get_series("X", context()))["summary"] == {
        "first": {"date": date(2024, 1, 1), "value": "80"},
        "last": {"date": date(2024, 5, 1), "value": "100"},
        "change": "20",
        "change_fraction": 0.25,
        "min": {"date": date(2024, 2, 1), "value": "60"},
        "max": {"date": date(2024, 4, 1), "value": "130"},
        "n": 4,
        "missing": 1,
    }


@pytest.mark.parametrize("first", ["0", "-80"])
def test_a_change_from_zero_or_below_has_no_fraction(run: Run, file: File, context: Context, first: str) -> None:
    run("import", file(f"date,X\n2024-01-01,{first}\n2024-02-01,60\n"), "--kind", "series")
    assert "change_fraction" not in data(get_series("X", context()))["summary"]


@pytest.mark.parametrize(
    ("vintage", "value"), [(date(2024, 4, 25), "28284"), (date(2024, 5, 29), "28284"), (date(2024, 5, 30), "28255")]
)
def test_each_vintage_gives_what_was_known_then(
    run: Run, file: File, context: Context, vintage: date, value: str
) -> None:
    run("import", file(VINTAGES), "--kind", "series")
    assert data(get_series("GDP", context(), as_of=vintage))["summary"]["last"]["value"] == value


def test_nothing_that_was_known_after_the_run_s_date_is_returned(run: Run, file: File, context: Context) -> None:
    run("import", file(VINTAGES), "--kind", "series")
    assert data(get_series("GDP", context(as_of=date(2024, 5, 1))))["summary"]["last"]["value"] == "28284"
    with pytest.raises(ToolError, match="UNKNOWN_SYMBOL: there is no series GDP"):
        get_series("GDP", context(as_of=date(2024, 4, 24)))
    with pytest.raises(ToolError, match="NO_DATA: GDP has no values up to 2024-04-24 that were known"):
        get_series("GDP", context(), as_of=date(2024, 4, 24))
    later = get_series("GDP", context(as_of=date(2024, 5, 1)), as_of=date(2024, 6, 1))
    assert "not reached yet" in later.warnings[0]


def test_rows_with_the_day_they_were_known_are_vintages_too(run: Run, file: File, context: Context) -> None:
    text = "series,date,realtime_start,realtime_end,value\nX,2024-01-01,2024-02-01,2024-02-28,1\nX,2024-01-01,2024-03-01,9999-12-31,2\n"
    run("import", file(text), "--kind", "series")
    assert data(get_series("X", context(), as_of=date(2024, 2, 15)))["rows"] == [[date(2024, 1, 1), "1", "2024-02-01"]]


def test_a_quarter_without_a_release_date_is_not_known_before_it_ends(run: Run, file: File, context: Context) -> None:
    run("import", file("date,value\n2023-07-01,1\n2023-10-01,2\n2024-01-01,3\n"), "--kind", "series", "--symbol", "Q")
    result = get_series("Q", context(as_of=date(2024, 3, 1)))
    assert data(result)["summary"]["last"]["date"] == date(2023, 10, 1)
    assert "published or revised after it" in " ".join(result.warnings)
    with pytest.raises(ToolError, match="Q has no vintages"):
        get_series("Q", context(), as_of=date(2024, 3, 1))


def test_an_unknown_series_is_answered_with_those_there_are(context: Context) -> None:
    with pytest.raises(ToolError, match=r"UNKNOWN_SYMBOL: there is no series US\.CPIX; there are: US\.CPI"):
        get_series("US.CPIX", context())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("date,value\n2024-01-01,1\n", "give --symbol"),
        ("when,value\n2024-01-01,1\n", "no date column"),
        ("date,GDP\n2024-01-01,abc\n", "is not a number"),
        ("date,GDP\n2999-01-01,1\n", "in the future"),
        ("date,GDP\n2024-01-01,1\n2024-01-01,2\n", "another value than in line 2"),
        ("date,GDP\n", "no rows below the header"),
        ("date,GDP,GDP_20240101\n2024-01-01,1,2\n", "some are not"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(run: Run, file: File, home: Path, text: str, why: str) -> None:
    code, _, err = run("import", file(text), "--kind", "series")
    assert code == 2
    assert why in err
    assert not (home / "market.db").exists()


def test_stored_values_change_only_when_that_is_meant(run: Run, file: File, context: Context) -> None:
    run("import", file("date,GDP\n2024-01-01,1\n"), "--kind", "series")
    changed = file("date,GDP\n2024-01-01,2\n")
    code, _, err = run("import", changed, "--kind", "series")
    assert (code, "changed: GDP 2024-01-01: 1 → 2" in err) == (2, True)
    assert run("import", changed, "--kind", "series", "--replace")[0] == 0
    assert data(get_series("GDP", context()))["summary"]["last"]["value"] == "2"


def test_a_store_of_the_version_before_is_read_and_brought_up_to_date(
    run: Run, file: File, home: Path, context: Context
) -> None:
    run("import", file("Date,Close\n2024-01-02,1\n"), "--symbol", "A")
    with sqlite3.connect(home / "market.db") as store:
        for table in ("observations", "series", "fx_rates", "repairs", "repaired"):
            store.execute(f"DROP TABLE {table}")
        store.execute("PRAGMA user_version = 1")
    store.close()
    assert data(get_series("US.UNEMP", context()))["series"] == "US.UNEMP"
    assert run("import", file("date,GDP\n2024-01-01,1\n"), "--kind", "series")[0] == 0
    assert data(get_series("GDP", context()))["summary"]["n"] == 1
    assert run("list")[0] == 0


def test_what_was_imported_is_listed_with_its_file(run: Run, file: File) -> None:
    run("import", file("date,GDP\n2024-01-01,1\n", "gdp.csv"), "--kind", "series", "--unit", "USD")
    run("import", file("date,from,to,rate\n2024-01-01,USD,VND,24000\n", "fx.csv"), "--kind", "fx")
    _, out, _ = run("list")
    lines = [line.split() for line in out.splitlines()]
    assert ["GDP", "-", "USD", "2024-01-01", "2024-01-01", "1", "gdp.csv"] in lines
    assert ["USD/VND", "2024-01-01", "2024-01-01", "1", "fx.csv"] in lines
