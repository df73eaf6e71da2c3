"""A store that something else wrote into: one line that names the place and what to do, and never an internal error."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from imports import Load

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_market.closes import closes
from finclaw_market.fx import convert_currency
from finclaw_market.history import get_price_history
from finclaw_market.macro import get_series
from finclaw_market.quotes import find_symbol, get_quote

Context = Callable[..., ToolContext]
Run = Callable[..., tuple[int, str, str]]
GOOD = "Date,Open,Close,Volume,Dividends,Stock Splits\n2024-01-02,10,11,5,0,0\n2024-01-03,11,12,5,0,0\n"
WORDS = "market.db is damaged: .*{}.*; move it away and import again"


@pytest.fixture(autouse=True)
def _today(now: Callable[[date], None]) -> None:
    now(date(2024, 1, 4))


def spoil(home: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(home / "market.db") as connection:
        connection.execute(statement, values)
    connection.close()


@pytest.mark.parametrize("value", ["abc", "NaN", "Infinity", "1e400", "1e-400", "0", "-1", "", b"\x00", "9" * 500])
def test_a_close_that_cannot_be_is_named_with_its_symbol_and_date(
    load: Load, home: Path, context: Context, run: Run, value: object
) -> None:
    load(GOOD, adjustment="none")
    spoil(home, "UPDATE bars SET close = ? WHERE date = '2024-01-03'", value)
    for tool in (get_quote, get_price_history, closes):
        with pytest.raises(ToolError, match="NOT_CONFIGURED: " + WORDS.format("close of ACME on 2024-01-03")):
            tool("ACME", context())
    code, out, err = run("check")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "close of ACME on 2024-01-03" in err


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE bars SET split = '0'",
        "UPDATE bars SET volume = 'many'",
        "UPDATE bars SET open = x'ff'",
        "UPDATE bars SET dividend = '-1'",
        "UPDATE bars SET source_id = 99",
        "UPDATE bars SET line = 'first'",
        "UPDATE sources SET adjustment = 'magic'",
        "UPDATE bars SET date = '2024-01-0' WHERE date = '2024-01-03'",
        "UPDATE bars SET close = CAST(x'ff' AS TEXT)",
        "DROP TABLE bars",
    ],
)
def test_no_damage_is_an_internal_error(load: Load, home: Path, context: Context, run: Run, change: str) -> None:
    load(GOOD, adjustment="none")
    spoil(home, change)
    with pytest.raises(ToolError, match=r"NOT_CONFIGURED: .*market\.db") as caught:
        get_price_history("ACME", context(), adjustment="split")
    assert "\n" not in str(caught.value)
    code, _, err = run("check")
    assert (code, len(err.splitlines())) == (2, 1)


@pytest.mark.parametrize(("stored", "spoiled"), [("2024-01-02", "2024-01-0"), ("2024-01-03", "2024-01-03x")])
def test_a_first_or_last_date_that_cannot_be_is_named_with_its_symbol(
    load: Load, home: Path, context: Context, stored: str, spoiled: str
) -> None:
    load(GOOD, adjustment="none")
    spoil(home, "UPDATE bars SET date = ? WHERE date = ?", spoiled, stored)
    words = WORDS.format(f"the date of a bar of ACME is '{spoiled}', not a date")
    with pytest.raises(ToolError, match="NOT_CONFIGURED: " + words):
        find_symbol("ACME", context())


def test_an_import_beside_damaged_bars_says_so_and_changes_nothing(load: Load, home: Path) -> None:
    load(GOOD)
    spoil(home, "UPDATE bars SET close = 'abc' WHERE date = '2024-01-03'")
    report = load("Date,Close\n2024-01-04,13\n")
    assert not report.imported
    assert "close of ACME on 2024-01-03" in report.problems[0]


def test_a_file_that_is_no_database_is_to_be_moved_away(home: Path, context: Context, run: Run) -> None:
    home.mkdir()
    (home / "market.db").write_bytes(b"not a database at all, but long enough" * 30)
    with pytest.raises(ToolError, match=r"NOT_CONFIGURED: .*damaged: move it away and import again"):
        find_symbol("ACME", context())
    assert run("list")[2].endswith("it is damaged: move it away and import again\n")


@pytest.mark.parametrize("value", ["abc", "NaN", "1e400"])
def test_a_damaged_series_is_named(
    run: Run, file: Callable[..., Path], home: Path, context: Context, value: str
) -> None:
    run("import", file("date,GDP\n2023-12-01,1\n2024-01-01,2\n"), "--kind", "series")
    spoil(home, "UPDATE observations SET value = ? WHERE date = '2024-01-01'", value)
    with pytest.raises(ToolError, match="NOT_CONFIGURED: " + WORDS.format("series GDP on 2024-01-01")):
        get_series("GDP", context())


@pytest.mark.parametrize("value", ["abc", "NaN", "0", "1e400"])
def test_a_damaged_rate_is_named(run: Run, file: Callable[..., Path], home: Path, context: Context, value: str) -> None:
    run("import", file("date,from,to,rate\n2024-01-02,USD,IRR,42000\n"), "--kind", "fx")
    spoil(home, "UPDATE fx_rates SET rate = ?", value)
    for pair in (("USD", "IRR"), ("IRR", "USD")):
        with pytest.raises(ToolError, match="NOT_CONFIGURED: " + WORDS.format("on 2024-01-02")):
            convert_currency(Decimal(1), *pair, context(), date=date(2024, 1, 2))
