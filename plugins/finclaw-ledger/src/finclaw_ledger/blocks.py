"""The rows of a CSV file in blocks, which take hardly more memory than their text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat, zip_longest
from typing import Self

from finclaw_cli.sdk.tabular import FileProblem, Row, plain_columns, split_rows
from finclaw_ledger.textfile import MAX_CELLS, MAX_CSV_ROWS

_ROWS = 5_000
_BETWEEN = "\0"  # which no file has: see `RawFile.encoding`


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a file."""

    lines: Sequence[int]
    """The line that each row begins in."""
    _columns: tuple[str, ...]
    _widths: Sequence[int] | None = None
    """How many cells each row has, where some have fewer than there are columns."""

    @classmethod
    def of_columns(cls, first: int, columns: Sequence[Sequence[str]]) -> Self:
        """Rows that begin in one line after the other."""
        return cls(range(first, first + len(columns[0])), tuple(map(_BETWEEN.join, columns)))

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Self:
        """Rows of any number of cells."""
        lines, cells = array("q", (line for line, _ in rows)), [cells for _, cells in rows]
        widths = array("H", map(len, cells))
        columns = tuple(map(_BETWEEN.join, zip_longest(*cells, fillvalue="")))
        return cls(lines, columns, None if min(widths) == len(columns) else widths)

    @property
    def width(self) -> int | None:
        """How many cells each row has; None where not all have as many."""
        return len(self._columns) if self._widths is None else None

    def column(self, index: int | None) -> list[str]:
        """The cells of a column, "" where there is none."""
        if index is None or index >= len(self._columns):
            return [""] * len(self.lines)
        return self._columns[index].split(_BETWEEN)

    def rows(self) -> Iterator[Row]:
        """Each row."""
        widths = repeat(len(self._columns)) if self._widths is None else self._widths
        columns = (column.split(_BETWEEN) for column in self._columns)
        for line, width, *cells in zip(self.lines, widths, *columns, strict=False):
            yield line, cells[:width]


def row_blocks(lines: Iterable[str], delimiter: str) -> Iterator[Block]:
    """The rows in lines with their ends, without blank ones.

    Raises:
        FileProblem: a quotation mark is not closed, or there are too many rows or cells.
    """
    stream, number, count = iter(lines), 1, 0
    while batch := list(islice(stream, _ROWS)):
        columns = plain_columns(batch, delimiter)
        if columns is None:
            block, read = _quoted(batch, stream, delimiter, number)
        else:
            _check_count(len(columns))
            block, read = Block.of_columns(number, columns), len(batch)
        number += read
        if block is None:
            continue
        count += len(block.lines)
        if count > MAX_CSV_ROWS:
            raise FileProblem(f"it has more than {MAX_CSV_ROWS:,} rows; split it")
        yield block


def _quoted(batch: list[str], stream: Iterator[str], delimiter: str, number: int) -> tuple[Block | None, int]:
    """The rows that begin in some lines, and how many lines they take: the last one may go on in the stream."""
    read = 0

    def counted() -> Iterator[str]:
        nonlocal read
        for line in chain(batch, stream):
            read += 1
            yield line

    rows: list[Row] = []
    for row in split_rows(counted(), delimiter, number):
        rows.append(row)
        if read >= len(batch):
            break
    _check_count(max((len(cells) for _, cells in rows), default=0))
    return Block.of_rows(rows) if rows else None, read


def _check_count(cells: int) -> None:
    if cells > MAX_CELLS:
        raise FileProblem(f"a row has more than {MAX_CELLS} cells")
