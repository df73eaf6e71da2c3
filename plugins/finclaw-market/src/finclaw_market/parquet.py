"""Parquet files as rows of cells, read by pyarrow: the extra `parquet`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from finclaw_cli.sdk.render import bounded, one_line
from finclaw_cli.sdk.tabular import FileProblem, Row, digest_of

MAGIC = b"PAR1"
_MAX_ROWS = 5_000_000
_MAX_COLUMNS = 200
_MAX_CELL = 200
_BATCH = 10_000


class _Batch(Protocol):
    """The part of pyarrow's record batch that is used; the library has no types of its own."""

    def to_pydict(self) -> dict[str, list[object]]: ...


class _File(Protocol):
    """The part of pyarrow's Parquet file that is used."""

    def iter_batches(self, batch_size: int) -> Iterator[_Batch]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetFile:
    """A Parquet file that has been looked at; rows are numbered from 2, as if the header were a line."""

    path: Path
    sha256: str
    header: tuple[str, ...]
    delimiter: str = ","

    @property
    def name(self) -> str:
        return one_line(self.path.name)

    def rows(self) -> Iterator[Row]:
        """The rows as text; a cell without a value is empty.

        Raises:
            FileProblem: the file is damaged.
        """
        line = 1
        try:
            for batch in _opened(self.path)[0].iter_batches(batch_size=_BATCH):
                columns = batch.to_pydict()
                for cells in zip(*columns.values(), strict=True):
                    line += 1
                    yield line, [_text(cell) for cell in cells]
        except (ValueError, OSError, ArithmeticError, NotImplementedError) as error:
            raise FileProblem(f"cannot be read as Parquet: {bounded(str(error), _MAX_CELL)}") from None


def look_at_parquet(path: Path) -> ParquetFile:
    """Read the header of a Parquet file.

    Raises:
        FileProblem: pyarrow is not installed, or the file is damaged or too large.
    """
    if find_spec("pyarrow") is None:
        raise FileProblem('a Parquet file needs a further package: pip install "finclaw-market[parquet]"')
    _, names, count = _opened(path)
    if count > _MAX_ROWS or len(names) > _MAX_COLUMNS:
        raise FileProblem(f"more than {_MAX_ROWS:,} rows or {_MAX_COLUMNS} columns")
    if count == 0:
        raise FileProblem("no rows below the header")
    if len(set(names)) < len(names):
        raise FileProblem("two columns have the same name")
    return ParquetFile(path=path, sha256=digest_of(path), header=names)


def _opened(path: Path) -> tuple[_File, tuple[str, ...], int]:
    try:
        file = import_module("pyarrow.parquet").ParquetFile(str(path))
        names = tuple(str(name) for name in file.schema_arrow.names)
        return cast("_File", file), names, int(file.metadata.num_rows)
    except (ValueError, OSError, ArithmeticError, NotImplementedError) as error:
        raise FileProblem(f"cannot be read as Parquet: {bounded(str(error), _MAX_CELL)}") from None


def _text(cell: object) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, datetime):
        # To the second: what a date is read from knows no nanoseconds.
        return cell.isoformat(sep=" ", timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return repr(cell) if isinstance(cell, float) else str(cell)[:_MAX_CELL]
