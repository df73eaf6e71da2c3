"""Files of rows: encoding, delimiter, header, columns, rejected rows and progress."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk import ToolContext
from finclaw_cli.sdk.tabular import (
    DELIMITERS,
    BadCell,
    BadOption,
    FileProblem,
    Rejection,
    check_width,
    counted_rows,
    decimal_mark,
    decode,
    match_columns,
    open_text,
    parse_amount,
    plain_columns,
    read_rows,
    split_rows,
    text_encoding,
    tool_progress,
)

Written = Callable[[bytes], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(content: bytes) -> Path:
        path = tmp_path / "rows.csv"
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_encoding_delimiter_and_header_are_found(written: Written, encoding: str, delimiter: str) -> None:
    text = f"# from a bank\nDate{delimiter}Amount\n2026-01-02{delimiter}1\n"
    file = open_text(written(text.encode(encoding)))
    assert (file.delimiter, file.header_line, file.header) == (delimiter, 2, ("Date", "Amount"))
    assert list(file.rows()) == [(3, ["2026-01-02", "1"])]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b" \n", "the file is empty"),
        (b"# a\n# b\n", "only comments"),
        (b"one column\n", "no columns found"),
        (b"a,b\0\n1,2\n", "not a text file"),
        (b'a,b\n1,"2\n', r"line 2: .*\(an open quotation mark\?\)"),
        ("a,b\n1,é\n".encode("latin-1"), "line 2, byte 0xe9 at offset 6; say --encoding"),
    ],
)
def test_what_is_no_file_of_rows_is_a_problem_with_a_remedy(written: Written, content: bytes, why: str) -> None:
    with pytest.raises(FileProblem, match=why):
        list(open_text(written(content)).rows())


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileProblem, match="not a regular file"):
        open_text(tmp_path / "pipe")


def test_a_file_that_changes_while_it_is_read_is_a_problem(written: Written) -> None:
    file = open_text(written(b"a,b\n1,2\n"))
    written(b"a,b\n1,2\n3,4\n")
    with pytest.raises(FileProblem, match="changed while it was read"):
        list(file.rows())


rows_of_cells = st.lists(
    st.lists(st.text(st.sampled_from('ab",;\n x'), max_size=5), min_size=2, max_size=4), min_size=1, max_size=6
)


@given(rows_of_cells, st.sampled_from(DELIMITERS))
def test_every_row_that_csv_writes_is_read_with_its_line(rows: list[list[str]], delimiter: str) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    begins = []
    for row in rows:
        begins.append(stream.getvalue().count("\n") + 1)
        writer.writerow(row)
    stream.seek(0)
    expected = [(line, row) for line, row in zip(begins, rows, strict=True) if any(map(str.strip, row))]
    assert list(split_rows(stream, delimiter)) == expected


@given(
    st.lists(st.lists(st.text('ab"; \r\u2028', max_size=2), max_size=3), min_size=1), st.sampled_from(("\n", "\r\n"))
)
def test_columns_of_plain_lines_are_those_of_their_rows(rows: list[list[str]], end: str) -> None:
    lines = list(io.StringIO("".join(",".join(row) + end for row in rows), newline=""))
    columns = plain_columns(lines, ",")
    if columns is not None:
        cells = list(zip(*columns, strict=True))
        assert [(line, tuple(row)) for line, row in split_rows(lines, ",")] == list(enumerate(cells, 1))


def test_plain_lines_are_read_by_column() -> None:
    assert plain_columns(["a,b\n", "1,\n", "2,x y"], ",") == [["a", "1", "2"], ["b", "", "x y"]]


@pytest.mark.parametrize("line", ['1,"2"\n', "1, 2\n", " 1,2\n", "1\n", "1,2,3\n", "\n", ",2\n", "1,2\r"])
def test_lines_that_are_not_plain_have_to_be_split(line: str) -> None:
    assert plain_columns(["a,b\n", line], ",") is None


@given(st.binary(max_size=60))
def test_any_bytes_are_rows_or_a_problem(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    with suppress(FileProblem):
        file = open_text(path)
        assert all(line > file.header_line for line, _ in file.rows())


@given(st.text(max_size=20).filter(lambda text: "\0" not in text and not text.startswith("\ufeff")))
def test_a_text_is_decoded_by_the_first_encoding_that_fits(text: str) -> None:
    with suppress(UnicodeEncodeError):
        assert decode(text.encode("utf-8"), ["ascii", "utf-8", "cp1252"])[0] == text


def test_a_byte_order_mark_has_precedence() -> None:
    assert decode("é".encode("utf-8-sig"), ["cp1252"]) == ("é", "utf-8-sig")


def test_columns_are_found_by_their_names_in_any_spelling() -> None:
    names = {"date": ["booking date", "date"], "amount": ["amount", "betrag"], "other": ["date"]}
    assert match_columns(["Date", " BETRAG (EUR) ", "Booking-Date"], names) == {"date": 2, "other": 0}
    assert match_columns(["Amount"], names) == {"amount": 0}


def test_of_two_roles_with_one_column_the_first_gets_it() -> None:
    assert match_columns(["date"], {"booked": ["date"], "valued": ["date"]}) == {"booked": 0}


def test_two_columns_of_one_name_are_a_problem() -> None:
    with pytest.raises(FileProblem, match="two columns are called 'Amount'"):
        match_columns(["Amount", "amount"], {"amount": ["amount"]})


def test_a_bad_row_is_rejected_with_its_line_and_reason_and_the_others_are_read() -> None:
    def read(cells: list[str], line: int) -> Decimal | None:
        check_width(cells, 2)
        return parse_amount(cells[1], ".")

    rejected: list[Rejection] = []
    rows = [(2, ["a", "1"]), (3, ["b", "x"]), (4, ["c"]), (5, ["d", "2"])]
    found = list(read_rows(rows, read, rejected, file="f.csv", shown=str.upper))
    assert found == [Decimal(1), Decimal(2)]
    assert rejected == [
        Rejection(file="f.csv", line=3, content="B, X", reason="'x' is not an amount"),
        Rejection(file="f.csv", line=4, content="C", reason="1 cells where the header has 2"),
    ]


def test_progress_is_reported_every_thousand_rows() -> None:
    steps: list[tuple[str, float | None, float | None]] = []

    def step(message: str, done: float | None = None, total: float | None = None) -> None:
        steps.append((message, done, total))

    assert sum(1 for _ in counted_rows(((line, []) for line in range(2_500)), "reading", step, 2_500)) == 2_500
    assert steps == [("reading", 0, 2_500), ("reading", 1_000, 2_500), ("reading", 2_000, 2_500)]


def test_the_progress_of_a_tool_is_a_fraction(ctx: ToolContext) -> None:
    from dataclasses import replace

    reports: list[tuple[str, float | None]] = []
    step = tool_progress(replace(ctx, progress=lambda message, fraction=None: reports.append((message, fraction))))
    step("reading", 1, 4)
    step("writing")
    assert reports == [("reading", 0.25), ("writing", None)]


@pytest.mark.parametrize("encoding", ["rot13", "zip", "no-such", "a\0b"])
def test_an_encoding_that_gives_no_text_is_a_bad_option(encoding: str) -> None:
    with pytest.raises(BadOption, match="unknown encoding"):
        text_encoding(encoding)


def test_options_that_are_not_given_stay_open() -> None:
    assert (text_encoding(None), decimal_mark(None), decimal_mark(",")) == (None, None, ",")
    with pytest.raises(BadOption, match="--decimal is"):
        decimal_mark(";")


def test_a_bad_cell_is_a_value_error() -> None:
    assert issubclass(BadCell, ValueError)
