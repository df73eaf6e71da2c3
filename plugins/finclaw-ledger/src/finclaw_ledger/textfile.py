"""The bytes of a statement, and its rows, bounded."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from finclaw_cli.sdk.files import read_regular
from finclaw_cli.sdk.render import one_line
from finclaw_cli.sdk.tabular import FileProblem, Row, decode, split_rows

MAX_BYTES = 50_000_000
MAX_ROWS = 200_000
"""Bookings of a file, but for CSV."""
MAX_CSV_ROWS = 500_000
_MAX_CELLS = 200
_MOST_TEXTS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """The name, bytes and digest of a file."""

    name: str
    content: bytes
    sha256: str
    _fitting: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False, compare=False)

    def encoding(self, encodings: Sequence[str]) -> str:
        """The first of some encodings that the whole file is in; a byte order mark has precedence.

        Raises:
            FileProblem: it is in none, or has NUL characters.
        """
        among = tuple(encodings)
        if among not in self._fitting:
            self._fitting[among] = decode(self.content, among)[1]
        return self._fitting[among]

    def text(self, encoding: str) -> TextIO:
        """A stream of its text with line ends as they are; decoded as far as it is read."""
        return io.TextIOWrapper(io.BytesIO(self.content), encoding, newline="")


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


def bounded_rows(lines: Iterable[str], delimiter: str, most: int = MAX_CSV_ROWS + 1) -> list[Row]:
    """The first `most` rows of cells in lines with their ends, each with the line it begins in.

    Raises:
        FileProblem: a quotation mark is not closed, or there are too many rows or cells.
    """
    rows: list[Row] = []
    texts: dict[str, str] = {}
    for line, cells in split_rows(lines, delimiter):
        # Equal cells are one text: files repeat them, and so many rows are held in a third of the memory.
        rows.append((line, list(map(texts.setdefault, cells, cells))))
        if len(texts) > _MOST_TEXTS:
            texts.clear()
        if len(cells) > _MAX_CELLS:
            raise FileProblem(f"a row has more than {_MAX_CELLS} cells")
        if len(rows) == most:
            break
    if len(rows) > MAX_CSV_ROWS:
        raise FileProblem(f"it has more than {MAX_CSV_ROWS:,} rows; split it")
    return rows
