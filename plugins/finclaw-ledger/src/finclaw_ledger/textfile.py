"""From the bytes of a statement to its text and cells, bounded."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finclaw_ledger.problems import FileProblem
from finclaw_ledger.wording import echoed, one_line

MAX_BYTES = 10_000_000
MAX_ROWS = 200_000
_MAX_CELLS = 200
_CHUNK = 1024 * 1024
DELIMITERS = (";", ",", "\t", "|")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A file's name and bytes, and what they hash to."""

    name: str
    content: bytes
    sha256: str


def read_raw(path: Path) -> RawFile:
    """Read a whole file.

    Raises:
        FileProblem: it is no regular file, empty, too large, not text, or cannot be read.
    """
    try:
        # A pipe would wait for ever when it is opened to be read; so not before it is known to be a file.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise FileProblem("not a regular file")
            content = stream.read(MAX_BYTES + 1)
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


def decoded(content: bytes, encodings: Sequence[str]) -> tuple[str, str]:
    """The text, and the first of the encodings that fits; a byte order mark decides before them.

    Raises:
        FileProblem: none fits, or it holds NUL bytes.
    """
    marked = next((name for mark, name in _BOMS if content.startswith(mark)), None)
    for encoding in [marked] if marked else encodings:
        try:
            name = codecs.lookup(encoding).name
            text = content.decode(name)
        except (LookupError, UnicodeError, ValueError):
            continue
        if "\0" in text:
            raise FileProblem("not a text file: it holds NUL bytes")
        return text, name
    raise FileProblem(f"not text in {' or '.join(map(echoed, encodings))}; say --encoding, e.g. cp1252 or cp949")


def split_rows(text: str, delimiter: str, most: int | None = None) -> list[Row]:
    """Rows of cells with the line each begins in, the first `most` of them; blank rows are left out.

    Raises:
        FileProblem: a quotation mark never ends, or there are too many rows or cells.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    rows: list[Row] = []
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((begins, cells))
            _check_size(rows, cells)
            if len(rows) == most:
                break
            begins = reader.line_num + 1
    except csv.Error as error:
        raise FileProblem(f"line {begins}: {error} (a quotation mark that never ends?)") from None
    return rows


def _check_size(rows: list[Row], cells: list[str]) -> None:
    if len(rows) > MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} rows; split it")
    if len(cells) > _MAX_CELLS:
        raise FileProblem(f"a row has more than {_MAX_CELLS} cells")
