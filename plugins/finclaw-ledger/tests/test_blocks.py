"""The rows of a file in blocks, against the same rows one by one."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.sdk.tabular import split_rows
from finclaw_ledger.blocks import row_blocks

PLAIN = ["2024-01-02,Café,-3.50\n"] * 3_000
ODD = st.sampled_from(["\n", ",,\n", "1,2\n", "1,2,3,4\n", '"a","b ""c""","1"\n', '1,"two\nlines",3\n', " 1, 2,3\n"])


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 9_000), ODD), max_size=6), st.booleans())
def test_blocks_have_each_row_with_its_line(changes: list[tuple[int, str]], has_line_ends_of_windows: bool) -> None:
    lines = PLAIN * 3
    for at, line in changes:
        lines.insert(at, line)
    text = "".join(lines).replace("\n", "\r\n" if has_line_ends_of_windows else "\n")
    found = [row for block in row_blocks(io.StringIO(text, newline=""), ",") for row in block.rows()]
    assert found == list(split_rows(io.StringIO(text, newline=""), ","))


def test_a_column_has_an_empty_cell_where_a_row_has_none() -> None:
    (block,) = row_blocks(["1,2\n", "3\n"], ",")
    assert (block.column(1), block.column(2), block.column(None)) == (["2", ""], ["", ""], ["", ""])
