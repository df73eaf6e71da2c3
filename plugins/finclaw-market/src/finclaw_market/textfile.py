"""From a file of unknown making to rows of cells, one at a time."""

from __future__ import annotations

import codecs
import csv
import hashlib
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from finclaw_market.problems import FileProblem
from finclaw_market.wording import echoed, file_name

Row = tuple[int, list[str]]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DELIMITERS = (",", ";", "\t", "|")
_HEAD = 64 * 1024
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A file that has been looked at: how to read it, and which bytes it was."""

    path: Path
    sha256: str
    encoding: str
    delimiter: str
    header_line: int
    header: tuple[str, ...]
    stamp: tuple[int, int]

    @property
    def name(self) -> str:
        return file_name(self.path)

    def rows(self) -> Iterator[Row]:
        """The rows after the header with the number of their (last) line; blank ones are left out.

        Raises:
            FileProblem: it cannot be read as text and cells, or it changed since it was looked at.
        """
        for line, cells in _cells(self.path, self.encoding, self.delimiter):
            if line > self.header_line:
                yield line, cells
        if regular_stamp(self.path) != self.stamp:
            raise FileProblem("the file changed while it was read; import it again")


def look_at(path: Path, encoding: str | None = None) -> TextFile:
    """Find out how a file must be read.

    Raises:
        FileProblem: not a regular file, empty, not text, or without columns.
        OSError: it cannot be read.
    """
    stamp = regular_stamp(path)
    digest, head = _digest(path)
    if not head.strip():
        raise FileProblem("the file is empty")
    chosen = text_encoding(encoding) if encoding else _encoding_of(head)
    delimiter, line, header = _header(path, chosen)
    return TextFile(
        path=path,
        sha256=digest,
        encoding=chosen,
        delimiter=delimiter,
        header_line=line,
        header=tuple(cell.strip() for cell in header),
        stamp=stamp,
    )


def regular_stamp(path: Path) -> tuple[int, int]:
    """Size and time of a regular file, by which a change is noticed.

    Raises:
        FileProblem: it is no regular file.
        OSError: it is not there.
    """
    status = path.stat()
    # Opening a pipe would wait for ever, and a second reading of it would find nothing.
    if not stat.S_ISREG(status.st_mode):
        raise FileProblem("not a regular file")
    return status.st_size, status.st_mtime_ns


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    return _digest(path)[0]


def _digest(path: Path) -> tuple[str, bytes]:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
        digest.update(head)
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest(), head


def text_encoding(encoding: str) -> str:
    """The proper name of a text encoding.

    Raises:
        FileProblem: there is none of that name; rot13 or zip, which Python knows too, give no text.
    """
    try:
        name = codecs.lookup(encoding).name
        with suppress(UnicodeDecodeError):
            b"ab".decode(name)
    except (LookupError, ValueError):
        raise FileProblem(f"unknown encoding {echoed(encoding)}; say e.g. cp1252 or cp949") from None
    return name


def _encoding_of(head: bytes) -> str:
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding
    # ASCII text in UTF-16 has a zero in every other byte.
    if head[1:2] == b"\0" and head[0:1] != b"\0":
        return "utf-16-le"
    if head[0:1] == b"\0" and head[1:2] != b"\0":
        return "utf-16-be"
    if b"\0" in head:
        raise FileProblem("not a text file")
    return "utf-8"


def _cells(path: Path, encoding: str, delimiter: str) -> Iterator[Row]:
    with path.open(encoding=encoding, newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter, strict=True, skipinitialspace=True)
        try:
            for cells in reader:
                if cells and (cells[0] or any(map(str.strip, cells))):
                    yield reader.line_num, cells
        except csv.Error as error:
            raise FileProblem(f"line {reader.line_num}: {error} (an open quotation mark?)") from None
        except UnicodeError:
            where = _first_wrong_byte(path, encoding)
            raise FileProblem(f"not {encoding} text{where}; say --encoding, e.g. cp1252 or cp949") from None


def _first_wrong_byte(path: Path, encoding: str) -> str:
    """Where a file stops being text of that encoding, in words."""
    decoder = codecs.getincrementaldecoder(encoding)()
    read, line = 0, 1
    with path.open("rb") as stream:
        while True:
            chunk = stream.read(_CHUNK)
            read += len(chunk)
            try:
                line += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as error:
                line += error.object[: error.start].decode(encoding, "replace").count("\n")
                at = read - len(error.object) + error.start
                return f": line {line}, byte 0x{error.object[error.start]:02x} at offset {at}"
            except UnicodeError:
                return ""
            if not chunk:
                return ""


def _header(path: Path, encoding: str) -> tuple[str, int, list[str]]:
    """The delimiter that splits the header into most columns, and that header."""
    found: list[tuple[str, int, list[str]]] = []
    problems: list[FileProblem] = []
    for delimiter in _DELIMITERS:
        # Where a cell is quoted, its quotation marks are in the wrong place for every other delimiter.
        try:
            found.append((delimiter, *_first_row(path, encoding, delimiter)))
        except FileProblem as problem:
            problems.append(problem)
    best = max(found, key=lambda candidate: len(candidate[2]), default=None)
    if best is not None and len(best[2]) > 1:
        return best
    if problems:
        raise problems[0]
    raise FileProblem("no columns found: not separated by comma, semicolon, tab or bar")


def _first_row(path: Path, encoding: str, delimiter: str) -> tuple[int, list[str]]:
    for line, cells in _cells(path, encoding, delimiter):
        if not cells[0].lstrip().startswith(("#", "sep=")):
            return line, cells
    raise FileProblem("the file holds only comments")
