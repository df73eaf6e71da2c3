"""Text as it lies in files: which encoding it has, and its lines."""

from __future__ import annotations

import codecs
import io
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from finclaw_cli.sdk.files import Refused

_SNIFFED = 8192
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end, and how many characters of it were left out."""

    text: str
    left_out: int


class Timed(io.RawIOBase):
    """A file that ends when time is up, so that a line without an end does not block."""

    def __init__(self, fd: int, until: float) -> None:
        super().__init__()
        self._fd = fd
        self.until = until
        """When to end, by `time.monotonic`."""
        self.cut = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if time.monotonic() > self.until:
            self.cut = True
            return 0
        return os.readv(self._fd, [buffer])


@dataclass(frozen=True, slots=True)
class Decoded:
    """A whole text, and how to write it back as it was."""

    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        return text.encode(self.encoding)


def encoding_of(start: bytes) -> str | None:
    """The encoding that the first bytes of a file show; None for bytes that are no text."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    return None if b"\0" in start else "utf-8"


def decoded(data: bytes, shown: str) -> Decoded:
    """The text in a file's bytes.

    Raises:
        Refused: it is no text.
    """
    encoding = encoding_of(data[:_SNIFFED])
    if encoding is None:
        raise binary(shown, len(data))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise undecodable(shown, error) from error
    if encoding == "utf-16":  # Python's own `utf-16` would write this machine's byte order
        encoding = "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        text = "\ufeff" + text
    return Decoded(text, encoding)


def binary(shown: str, size: int) -> Refused:
    """The refusal of a file that is no text."""
    return Refused("NOT_TEXT", f"{shown} is binary ({size:,} bytes). Only text files can be read.")


def undecodable(shown: str, error: UnicodeDecodeError) -> Refused:
    """The refusal of a file that looked like text and is none that is known."""
    return Refused(
        "NOT_TEXT", f"{shown} is neither UTF-8 nor UTF-16 with a mark ({error.reason}). Ask the user to convert it."
    )


def lines(source: Timed, shown: str, size: int, widest: int) -> Iterator[Line]:
    """The lines of a file, one at a time, so that no size of file or line fills the memory.

    Args:
        source: open at its start.
        shown: its name for messages.
        size: its size, for messages.
        widest: how many characters of a line are kept.

    Raises:
        Refused: it is no text.
    """
    file = io.BufferedReader(source, _PIECE)
    encoding = encoding_of(file.peek(_SNIFFED)[:_SNIFFED])
    if encoding is None:
        raise binary(shown, size)
    text = io.TextIOWrapper(file, encoding=encoding, newline=None)
    try:
        while piece := text.readline(widest + 1):
            yield _rest(text, piece, widest)
    except UnicodeDecodeError as error:
        if not source.cut:  # else it was cut within a character
            raise undecodable(shown, error) from error


def _rest(text: io.TextIOWrapper, piece: str, widest: int) -> Line:
    if piece.endswith("\n") or len(piece) <= widest:
        return Line(piece.removesuffix("\n"), 0)
    length = len(piece)
    while more := text.readline(_PIECE):
        length += len(more.removesuffix("\n"))
        if more.endswith("\n"):
            break
    return Line(piece[:widest], length - widest)
