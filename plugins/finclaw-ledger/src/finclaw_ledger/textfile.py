"""The bytes of a statement, and its rows, bounded."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TextIO

from finclaw_cli.sdk.files import read_regular
from finclaw_cli.sdk.render import one_line
from finclaw_cli.sdk.tabular import FileProblem, Row, decode, split_rows

MAX_BYTES = 50_000_000
MAX_ROWS = 200_000
"""Bookings of a file, but for CSV."""
MAX_CSV_ROWS = 500_000
MAX_CELLS = 200


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


def first_rows(lines: Iterable[str], delimiter: str, most: int) -> list[Row]:
    """The first rows of cells in lines with their ends, each with the line it begins in.

    Raises:
        FileProblem: a quotation mark is not closed, or there are too many cells.
    """
    rows = list(islice(split_rows(lines, delimiter), most))
    if any(len(cells) > MAX_CELLS for _, cells in rows):
        raise FileProblem(f"a row has more than {MAX_CELLS} cells")
    return rows
