"""The bytes of a statement, and its rows, bounded."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.files import read_regular
from finclaw_cli.sdk.render import one_line
from finclaw_cli.sdk.tabular import FileProblem, Row, split_rows

MAX_BYTES = 50_000_000
MAX_ROWS = 200_000
"""Bookings of a file, but for CSV."""
MAX_CSV_ROWS = 500_000
_MAX_CELLS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """The name, bytes and digest of a file."""

    name: str
    content: bytes
    sha256: str


def read_raw(path: Path) -> RawFile:
    """Read a whole file.

    Raises:
        FileProblem: it is no regular file, empty, too large, or cannot be read.
    """
    try:
        content = read_regular(path, MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise FileProblem(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return raw_file(path.name, content)


def raw_file(name: str, content: bytes) -> RawFile:
    """Check the bytes of a file.

    Raises:
        FileProblem: empty, or too large.
    """
    if len(content) > MAX_BYTES:
        raise FileProblem(f"it has more than {MAX_BYTES:,} bytes; split it")
    if not content.strip():
        raise FileProblem("the file is empty")
    return RawFile(name=one_line(name), content=content, sha256=hashlib.sha256(content).hexdigest())


def bounded_rows(text: str, delimiter: str, most: int = MAX_CSV_ROWS + 1) -> list[Row]:
    """The first `most` rows of cells, with the line each begins in.

    Raises:
        FileProblem: a quotation mark is not closed, or there are too many rows or cells.
    """
    rows: list[Row] = []
    for line, cells in split_rows(io.StringIO(text, newline=""), delimiter):
        rows.append((line, cells))
        if len(cells) > _MAX_CELLS:
            raise FileProblem(f"a row has more than {_MAX_CELLS} cells")
        if len(rows) == most:
            break
    if len(rows) > MAX_CSV_ROWS:
        raise FileProblem(f"it has more than {MAX_CSV_ROWS:,} rows; split it")
    return rows
