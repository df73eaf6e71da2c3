"""Files that are no text, stores that are not the plugin's, several symbols and files at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from imports import GOOD, Load, closes, reasons

from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions
from finclaw_market.queries import bars_between
from finclaw_market.staging import Facts
from finclaw_market.store import reading


def test_text_in_an_unknown_encoding_is_not_guessed(load: Load) -> None:
    assert "say --encoding" in load("일자,종가\n2024-01-02,1\n", written="cp949").problems[0]
    assert load("Date,Close\n2024-01-02,1\n# é\n", written="latin-1").problems == [
        "prices.csv: not utf-8 text: line 3, byte 0xe9 at offset 26; say --encoding, e.g. cp1252 or cp949"
    ]
    assert (
        "line 30002, byte 0xe9" in load("Date,Close\n" + "2024-01-02,1\n" * 30_000 + "é", written="latin-1").problems[0]
    )


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "zip", "hex", "base64", "undefined", "a\0b", "x" * 1_000])
def test_what_is_no_text_encoding_is_refused(load: Load, encoding: str) -> None:
    report = load(GOOD, encoding=encoding)
    assert "unknown encoding" in report.problems[0]
    assert len(report.problems[0]) < 200


def test_a_file_with_a_symbol_column_gives_all_of_them_or_the_one_asked_for(load: Load, home: Path) -> None:
    text = "symbol,date,price\nAAA,2024-01-02,1\nbbb,2024-01-02,2\n"
    one = load(text, symbol="BBB", dry_run=True)
    assert [count.symbol for count in one.symbols] == ["BBB"]
    assert load(text, symbol="CCC").problems == ["no rows left to import for CCC"]
    assert "--name is for one symbol" in load(text, symbol=None, facts=Facts(name="x")).problems[0]
    assert load(text, symbol=None).imported
    assert closes(home, "BBB") == {date(2024, 1, 2): Decimal(2)}
    assert reasons(load(text + "A B,2024-01-02,3\n", symbol=None)) == [(4, "'A B' is not a symbol")]


def test_a_dry_run_counts_and_writes_nothing(load: Load, home: Path) -> None:
    assert load(GOOD, dry_run=True).symbols[0].new == 2
    assert not home.exists()
    load(GOOD)
    report = load(GOOD + "2024-01-04,1,2,1,2,5\n", dry_run=True)
    assert (report.symbols[0].new, report.symbols[0].unchanged, len(closes(home))) == (1, 2, 2)


def test_several_files_are_imported_together_or_not_at_all(home: Path, file: Callable[..., Path]) -> None:
    good, bad = file(GOOD, "a.csv"), file("Date,Close\n2024-02-01,-1\n", "b.csv")
    options = ImportOptions(symbol="ACME")
    assert not import_files([good, bad], home, options).imported
    assert not home.exists()
    bad.write_text("Date,Close\n2024-02-01,1\n")
    assert import_files([good, bad], home, options).imported
    assert len(closes(home)) == 3


def test_a_file_that_is_no_store_of_ours_is_left_alone(load: Load, home: Path) -> None:
    home.mkdir()
    (home / "market.db").write_text("my notes, at least sixteen bytes of them")
    report = load(GOOD)
    assert "cannot use" in report.problems[0]
    assert (home / "market.db").read_text().startswith("my notes")


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_directory_in_the_store_s_place_is_named(load: Load, home: Path, dry_run: bool) -> None:
    (home / "market.db").mkdir(parents=True)
    assert "market.db is a directory, not a price store" in load(GOOD, dry_run=dry_run).problems[0]


def test_a_store_of_a_newer_version_is_left_alone(load: Load, home: Path) -> None:
    load(GOOD)
    with sqlite3.connect(home / "market.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "newer" in load(GOOD).problems[0]


def test_events_are_kept_with_their_bars(load: Load, home: Path) -> None:
    load("Date,Close,Adj Close,Dividends,Stock Splits\n2024-01-02,10,5,0,0\n2024-01-03,5,5,0.25,2\n")
    with reading(home) as connection:
        assert connection is not None
        first, second = bars_between(connection, "ACME", date.min, date.max)
    assert (first.adj_close, first.dividend, first.split) == (5, 0, 1)
    assert (second.dividend, second.split, second.line) == (Decimal("0.25"), 2, 3)
