"""Large plain files: read by block and written directly, with the same store and report as row by row."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.staging import Facts

File = Callable[..., Path]
HEADER = "symbol,date,open,high,low,close,adj close,volume,dividends,splits,remark\n"
LEAST_BYTES = 1 << 20
BARS = "SELECT symbol, date, open, high, low, close, adj_close, volume, dividend, split, line FROM bars"


REMARK = "x" * 220


def lines(count: int = 4_800) -> list[str]:
    """Rows of several symbols, above a megabyte, with numbers in various forms."""
    found: list[str] = []
    for number in range(count):
        symbol, at = number // 1_200, number % 1_200
        day = date(1990, 1, 1) + timedelta(days=at)
        close = 50 + (number * 7 % 100) / 10
        found.append(
            f"S{symbol},{day},{close:.2f},{close + 1:.4f},{close - 1:.3f},{close:.2f},{close * 0.9:.10f},{number}00.0,"
            f"{'0.50' if at % 500 == 7 else '0.0'},{'' if at % 2 else '1.0'},{REMARK}\n"
        )
    return found


def text(rows: list[str]) -> str:
    written = HEADER + "".join(rows)
    assert len(written) > LEAST_BYTES
    return written


def stored(home: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(home / "market.db") as store:
        return store.execute(BARS).fetchall()


def both(file: File, tmp_path: Path, rows: list[str]) -> Iterator[tuple[ImportReport, Path]]:
    """The import as it is, and row by row, which is how rows in any order are read."""
    path = file(text(rows))
    for name, sort in (("direct", False), ("staged", True)):
        home = tmp_path / name
        yield import_files([path], home, ImportOptions(adjustment="split", sort=sort, skip_bad_rows=True)), home


def changed(at: int, line: str) -> list[str]:
    rows = lines()
    rows[at] = line
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        lines(),
        lines()[::-1],
        [line.replace("\n", "\r\n") for line in lines()],
        [*lines()[:-1], lines()[-1].removesuffix("\n")],
        changed(1_000, f"S0,1992-09-27, 50,51,49,50,45,100,0,1,{REMARK}\n"),
        changed(1_000, "S0,1992-09-27,50,51,49,50,45,100,0,1\n"),
        changed(1_000, "S0,1992-09-27,1,2,3,2.5,2,100,0,1,\n"),
        changed(1_000, "S0,1992-09-27,,,,2.5,2,100,0,1,\n"),
        changed(1_000, "S0,1992-09-27,null,null,null,null,null,null,0,0,\n"),
        changed(1_000, "S0,1992-09-27,1,1,1,-1,1,100,0,1,\n"),
        changed(1_000, "S0,1992-02-30,1,1,1,1,1,100,0,1,\n"),
        changed(1_000, 'S0,1992-09-27,"50.10","50.20",50,50.10,45,100,0,1,\n'),
        changed(1_000, "S0,1992-09-27,.5,.6,0.50,0.5,0.45,100,0,1,\n"),
        changed(1_000, "s0,1992-09-27,50,51,49,50,45,100,0,1,\n"),
        changed(1_000, "S0,1992-09-27 00:00:00-05:00,50,51,49,50,45,100,0,1,\n"),
        changed(1_000, lines()[999]),
        changed(1_000, "S0,1992-09-27,5000,5100,4900,5000,4500,100,0,1,\n"),
    ],
    ids=[
        "all good", "newest first", "line ends of Windows", "no line end at last", "space", "too few cells", "impossible range", "no range", "null", "negative close", "no such day", "quoted",
        "without leading zero", "small letters", "with time", "repeated", "pence",
    ],
)  # fmt: skip
def test_the_store_and_the_report_are_the_same_as_row_by_row(file: File, tmp_path: Path, rows: list[str]) -> None:
    (direct, home), (staged, other) = both(file, tmp_path, rows)
    assert stored(home) == stored(other)
    assert direct.symbols == staged.symbols
    assert direct.rejected == staged.rejected
    assert direct.findings == staged.findings
    assert [line for line in staged.warnings if "out of order" not in line] == direct.warnings


FAULTS = (
    *(
        "",
        "0",
        "0.0",
        "00.5",
        ".5",
        "5.",
        ".",
        "1.2.3",
        "-1",
        "1e3",
        "nan",
        "null",
        "007.10",
        '"12,5"',
        " 55 ",
        "9" * 25,
    ),
    *("1990-01-05", "1990-01-05T00:00:00", "1990-02-30", "1500-01-01", "2999-01-01", "s0", "S 0", "S1", "1,1", "x\ny"),
)


@settings(max_examples=20)
@given(st.data())
def test_random_files_with_faults_are_read_alike_at_each_size(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    rows = [line.split(",") for line in lines(2_600)[:: data.draw(st.sampled_from((8, -8)))]]
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(rows) - 1))
        rows[at][data.draw(st.integers(0, 9))] = data.draw(st.sampled_from(FAULTS))
    if data.draw(st.booleans()):
        at, other = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows) - 1))
        rows[at], rows[other] = rows[other], rows[at]
    folder, found = tmp_path_factory.mktemp("read"), []
    for name, remark in (("small", ""), ("large", "x" * 4_000)):
        path, home = folder / name / "prices.csv", folder / name / "home"
        path.parent.mkdir()
        path.write_text(HEADER + "".join(f"{','.join(cells[:-1])},{remark}\n" for cells in rows))
        report = import_files([path], home, ImportOptions(adjustment="split", skip_bad_rows=True))
        rejected = [(row.line, row.reason) for row in report.rejected]
        bars = stored(home) if report.imported else []
        found.append((bars, rejected, report.problems, report.symbols, report.findings, report.warnings))
    assert found[0] == found[1]


def test_a_large_file_with_a_bad_row_imports_nothing(file: File, home: Path) -> None:
    path = file(text(changed(4_000, "S3,2024-01-02,1,1,1,x,1,1,0,1,\n")))
    report = import_files([path], home, ImportOptions())
    assert (report.imported, [row.line for row in report.rejected]) == (False, [4_002])
    with sqlite3.connect(home / "market.db") as store:
        assert store.execute("SELECT (SELECT count(*) FROM bars) + (SELECT count(*) FROM sources)").fetchone() == (0,)


def test_a_large_file_of_a_symbol_that_is_stored_is_compared(file: File, home: Path) -> None:
    import_files([file(HEADER + lines()[0], "first.csv")], home, ImportOptions())
    report = import_files([file(text(lines()))], home, ImportOptions())
    first = report.symbols[0]
    assert (first.symbol, first.new, first.unchanged) == ("S0", 1_199, 1)


def test_a_large_file_of_one_symbol_gets_the_given_facts(file: File, home: Path) -> None:
    rows = [
        f"{date(1990, 1, 1) + timedelta(days=number)},50,51,49,50.{number % 9 + 1},45,100,0,1,{REMARK}\n"
        for number in range(4_500)
    ]
    path = file(HEADER.split(",", 1)[1] + "".join(rows))
    report = import_files([path], home, ImportOptions(symbol="ONE", facts=Facts(name="One", currency="EUR")))
    assert [(count.symbol, count.rows) for count in report.symbols] == [("ONE", 4_500)]
    with sqlite3.connect(home / "market.db") as store:
        assert store.execute("SELECT * FROM instruments").fetchall() == [("ONE", "One", None, "EUR", None)]
        assert store.execute("SELECT rows FROM sources").fetchall() == [("2..4501",)]
