"""Rows that are read at once, by column, against the same rows read cell by cell."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sqlite3
from datetime import date
from decimal import Decimal
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.tabular import FileProblem, Mark
from finclaw_ledger.csvreader import Given
from finclaw_ledger.formats import read_statement
from finclaw_ledger.identity import stored
from finclaw_ledger.importer import Plan, import_raw
from finclaw_ledger.statement import Statement
from finclaw_ledger.store import writing
from finclaw_ledger.textfile import raw_file

HOME = Path("/nowhere")
AMOUNTS = st.one_of(
    st.decimals(-(10**12), 10**12, places=2, allow_nan=False).map(str),
    st.decimals(-(10**9), 10**9, places=2, allow_nan=False).map("{:,}".format),
    st.integers(-(10**6), 10**6).map("{:,}".format),
    st.sampled_from(["-0.00", "0", "-1,234,567.00", "00012.50", " 7.00 ", "1.000000000001", "-5"]),
)
TEXTS = st.one_of(
    st.text("aZé한 ,;\"'=7-", max_size=8), st.sampled_from(["Café", "=cmd()", " two  spaces ", "market\nstall"])
)
ROW = st.fixed_dictionaries(
    {
        "Date": st.dates(date(2000, 1, 1), date(2024, 1, 1)).map(str),
        "Amount": AMOUNTS,
        "Payee": TEXTS,
        "Memo": TEXTS,
        "Category": st.sampled_from(["", "Food", "Rent"]),
        "Currency": st.sampled_from(["EUR", "KRW", "eur", "€"]),
        "Account": st.sampled_from(["Giro", "Card"]),
        "Balance": st.one_of(st.just(""), AMOUNTS),
    }
)
ODD = {
    "Date": ("2024-02-30", "2024-1-5", "", "2024-01-05 12:00", "05/01/2024", "pending", "9999-01-01"),
    "Amount": ("", "-", "x", "(5.00)", "€5.00", "$5.00", "1.5-", "1,23.4", "1234567890123456", "1\n2", "٣", "+4.00"),
    "Currency": ("", "GBp", "euros"),
    "Account": ("",),
    "Balance": ("x", "1,2,3"),
}
"""Cells that are not plain, most of them of bad rows."""
CHANGES = st.sampled_from([(name, cell) for name, cells in ODD.items() for cell in cells])
Rows = list[dict[str, str]]
COLUMNS = ("Date", "Amount", "Payee", "Memo", "Category", "Currency", "Account", "Balance")
_BAD = dict.fromkeys(COLUMNS, "") | {"Date": "2024-01-01", "Amount": "none", "Account": "Giro", "Currency": "EUR"}
"""With it, all rows before it are read cell by cell."""


def _read(rows: Rows, decimal: Mark = ".") -> Statement | str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([list(COLUMNS), *([row[name] for name in COLUMNS] for row in rows)])
    given = Given(decimal=decimal, date_format="DMY", sign="money-out-negative")
    try:
        return read_statement(raw_file("giro.csv", text.getvalue().encode()), HOME, "generic-amount", given)
    except FileProblem as problem:
        return str(problem)


@given(st.lists(ROW, min_size=1, max_size=8), st.booleans())
def test_rows_read_by_column_are_the_bookings_of_their_cells(rows: Rows, has_comma: bool) -> None:
    if has_comma:
        marks = str.maketrans(",.", ".,")
        rows = [row | {name: row[name].translate(marks) for name in ("Amount", "Balance")} for row in rows]
    mark: Mark = "," if has_comma else "."
    by_column, by_cell = _read(rows, mark), _read([*rows, _BAD], mark)
    assert isinstance(by_column, Statement)
    assert isinstance(by_cell, Statement)
    assert by_column.rejected == []
    assert len(by_cell.rejected) == 1
    assert list(by_column.entries) == list(by_cell.entries)
    assert list(stored(by_column.entries)) == list(stored(by_cell.entries))


@given(st.lists(st.tuples(ROW, CHANGES), min_size=1, max_size=8), st.integers(0, 7))
def test_rows_with_odd_cells_are_the_same_among_plain_and_among_bad_ones(
    changed: list[tuple[dict[str, str], tuple[str, str]]], at: int
) -> None:
    rows = [row | dict([change]) if number == at else row for number, (row, change) in enumerate(changed)]
    alone, among = _read(rows), _read([*rows, _BAD])
    assert isinstance(alone, Statement)
    assert isinstance(among, Statement)
    assert list(alone.entries) == list(among.entries)
    assert alone.rejected == among.rejected[:-1]


@given(st.lists(ROW, min_size=1, max_size=4))
def test_an_identity_is_that_of_the_facts_as_json(rows: Rows) -> None:
    found = _read(rows)
    assert isinstance(found, Statement)
    for entry, (identity, *_) in islice(zip(found.entries, stored(found.entries), strict=True), 1):
        numbers = [
            None if n is None else f"{n.normalize() if n else Decimal(0):f}" for n in (entry.amount, entry.balance)
        ]
        facts = [
            "row", entry.account, str(entry.day), numbers[0], entry.currency, entry.payee, entry.memo, numbers[1],
            None, None, None, None,
        ]  # fmt: skip
        assert identity == hashlib.sha256(f"{json.dumps(facts)}#1".encode()).hexdigest()


def test_equal_bookings_are_counted_where_days_are_in_no_order() -> None:
    found = _read([_row("2024-01-01"), _row("2024-03-02"), _row("2024-01-01")])
    assert isinstance(found, Statement)
    assert [entry.line for entry in found.entries] == [2, 4, 3]
    assert len({identity for identity, *_ in stored(found.entries)}) == 3


def _row(day: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "") | {"Date": day, "Amount": "-5", "Account": "Giro", "Currency": "EUR"}


def test_the_first_import_leaves_all_indexes(tmp_path: Path) -> None:
    content = b"Date,Payee,Amount\n2024-01-02,Cafe,-3.50\n2024-01-31,Employer,2500.00\n"
    given = Given(account="Giro", currency="EUR")
    with writing(tmp_path) as empty:
        before = _indexes(empty)
    report = import_raw(raw_file("giro.csv", content), tmp_path, Plan(given=given, write=True))
    with writing(tmp_path) as filled:
        assert (report.new, _indexes(filled)) == (2, before)


def _indexes(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index'"))
