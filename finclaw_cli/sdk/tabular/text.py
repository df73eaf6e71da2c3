"""From a file with unknown encoding and delimiter to rows of cells, one at a time."""

from __future__ import annotations

import codecs
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.render import file_name, quoted
from finclaw_cli.sdk.tabular.problems import BadOption, FileProblem
from finclaw_cli.sdk.tabular.rows import Row

DELIMITERS = (",", ";", "\t", "|")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD_BYTES = 64 * 1024
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """How to read a file of rows, and which bytes it had."""

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
        """The rows after the header with the line that each begins in, without blank ones.

        Raises:
            FileProblem: it cannot be read as text and cells, or it changed since `open_text`.
        """
        for line, cells in _cells(self.path, self.encoding, self.delimiter):
            if line > self.header_line:
                yield line, cells
        if regular_stamp(self.path) != self.stamp:
            raise FileProblem("the file changed while it was read; import it again")


def open_text(path: Path, encoding: str | None = None) -> TextFile:
    """Find the encoding, the delimiter and the header of a file.

    Args:
        path: of the file; it is read as a stream, whatever its size.
        encoding: by default UTF-8, or UTF-16 where the first bytes show it.

    Raises:
        FileProblem: not a regular file, empty, not text, or without columns.
        OSError: it cannot be read.
    """
    stamp = regular_stamp(path)
    digest, head = _digest(path)
    if not head.strip():
        raise FileProblem("the file is empty")
    try:
        chosen = text_encoding(encoding) or _encoding_of(head)
    except BadOption as error:
        raise FileProblem(str(error)) from None
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
    """The size and time of a regular file, by which changes are detected.

    Raises:
        FileProblem: it is no regular file.
        OSError: it is not there.
    """
    status = path.stat()
    # Opening a pipe would block, and a second reading of it would be empty.
    if not stat.S_ISREG(status.st_mode):
        raise FileProblem("not a regular file")
    return status.st_size, status.st_mtime_ns


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    return _digest(path)[0]


def _digest(path: Path) -> tuple[str, bytes]:
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
        digest.update(head)
        while chunk := stream.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest(), head


def text_encoding(given: str | None) -> str | None:
    """The name of a text encoding from an option.

    Raises:
        BadOption: Python knows none of that name, or one that gives no text, such as rot13 and zip.
    """
    if given is None:
        return None
    try:
        name = codecs.lookup(given).name
        with suppress(UnicodeDecodeError):
            b"ab".decode(name)
    except (LookupError, ValueError):
        raise BadOption(f"--encoding: unknown encoding {quoted(given)}; say e.g. cp1252 or cp949") from None
    return name


def decode(content: bytes, encodings: Sequence[str]) -> tuple[str, str]:
    """The text of a whole file, and the first encoding that fits; a byte order mark has precedence.

    Raises:
        FileProblem: no encoding fits, or the text has NUL characters.
    """
    for encoding in [_marked(content)] if _marked(content) else encodings:
        try:
            name = codecs.lookup(encoding or "").name
            text = content.decode(name)
        except (LookupError, ValueError):
            continue
        if "\0" in text:
            raise FileProblem("not a text file: it has NUL bytes")
        return text, name
    raise FileProblem(f"not text in {' or '.join(map(quoted, encodings))}; say --encoding, e.g. cp1252 or cp949")


def _marked(content: bytes) -> str | None:
    return next((encoding for mark, encoding in _BOMS if content.startswith(mark)), None)


def _encoding_of(head: bytes) -> str:
    if marked := _marked(head):
        return marked
    # ASCII text in UTF-16 has a zero in every other byte.
    if head[1:2] == b"\0" and head[0:1] != b"\0":
        return "utf-16-le"
    if head[0:1] == b"\0" and head[1:2] != b"\0":
        return "utf-16-be"
    if b"\0" in head:
        raise FileProblem("not a text file")
    return "utf-8"


def split_rows(lines: Iterable[str], delimiter: str, first: int = 1) -> Iterator[Row]:
    """The rows in lines of text with the line that each begins in, without blank ones.

    Args:
        lines: with their ends, as from a file opened with `newline=""`.
        delimiter: between cells.
        first: the number of the first line.

    Raises:
        FileProblem: a quotation mark is not closed.
    """
    import csv

    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    begins = first
    try:
        for cells in reader:
            if cells and (cells[0].strip() or any(map(str.strip, cells))):
                yield begins, cells
            begins = reader.line_num + first
    except csv.Error as error:
        raise FileProblem(f"line {begins}: {error} (an open quotation mark?)") from None


def plain_columns(lines: Sequence[str], delimiter: str) -> list[list[str]] | None:
    """The cells of lines by column, several times as fast as `split_rows`.

    None where only that can read them: with quotation marks, spaces before cells, blank lines, or rows that have not
    all as many cells.

    Args:
        lines: with their ends; at least one.
        delimiter: between cells.
    """
    import csv

    text = "".join(lines).replace("\r\n", "\n").removesuffix("\n")
    if text[:1] == " " or any(mark in text for mark in ('"', "\r", f"{delimiter} ", "\n ")):
        return None
    width = lines[0].count(delimiter) + 1
    # With a cell more for each end of a line, every row has its own at the same place.
    cells = text.replace("\n", f"{delimiter}\n{delimiter}").split(delimiter)
    ends = cells[width :: width + 1]
    if len(cells) != len(lines) * (width + 1) - 1 or ends.count("\n") != len(ends):
        return None
    columns = [cells[place :: width + 1] for place in range(width)]
    has_all_begun = all(map(str.strip, columns[0]))
    return columns if has_all_begun and max(map(len, lines)) <= csv.field_size_limit() else None


def _cells(path: Path, encoding: str, delimiter: str) -> Iterator[Row]:
    with path.open(encoding=encoding, newline="") as stream:
        try:
            yield from split_rows(stream, delimiter)
        except UnicodeError:
            where = _first_wrong_byte(path, encoding)
            raise FileProblem(f"not {encoding} text{where}; say --encoding, e.g. cp1252 or cp949") from None


def _first_wrong_byte(path: Path, encoding: str) -> str:
    """The place of the first byte that is not in an encoding, as text; empty where it is not known."""
    decoder = codecs.getincrementaldecoder(encoding)()
    read, line = 0, 1
    with path.open("rb") as stream:
        while True:
            chunk = stream.read(_CHUNK_BYTES)
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
    for delimiter in DELIMITERS:
        # Where cells are quoted, their quotation marks are misplaced for every other delimiter.
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
