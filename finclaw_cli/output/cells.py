"""The width of text on a terminal, where some characters take two cells and some none."""

from __future__ import annotations

import sys
import unicodedata
from typing import TextIO

from finclaw_cli.core.clean import clean_line

ELLIPSIS = "…"
_PUNCTUATION = ",;:/._-=&?"
_NO_ROOM = frozenset({"Mn", "Me", "Cf"})


def cell(text: str) -> str:
    """Text as stdout shows it on one line, so that its width can be computed."""
    return encodable(clean_line(text), sys.stdout)


def encodable(text: str, stream: TextIO) -> str:
    """Text with a replacement for each character that the stream's encoding lacks."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def width(text: str) -> int:
    """The number of cells of a text."""
    return sum(_cells(char) for char in text)


def padded(text: str, cells: int, *, right: bool = False) -> str:
    """Text padded with spaces after it, or before it, to a number of cells."""
    space = " " * (cells - width(text))
    return space + text if right else text + space


def shortened(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Text in at most so many cells, with a mark where it is truncated."""
    if width(text) <= cells:
        return text
    room = max(cells - width(mark), 0)
    kept = ""
    for char in text:
        room -= _cells(char)
        if room < 0:
            break
        kept += char
    return kept + mark


def wrapped(text: str, cells: int) -> list[str]:
    """Text in lines of at most so many cells, broken between words; a word that is longer is broken itself."""
    lines: list[str] = []
    line, taken = "", 0
    for word in text.split(" "):
        room = width(word)
        if line and taken + 1 + room <= cells:
            line, taken = f"{line} {word}", taken + 1 + room
            continue
        if line:
            lines.append(line)
        *whole, line = _pieces(word, max(cells, 2))
        lines += whole
        taken = width(line)
    return [*lines, line]


def _pieces(word: str, cells: int) -> list[str]:
    """A long word in pieces, each ending after a punctuation mark where there is one."""
    pieces: list[str] = []
    while width(word) > cells:
        fits = shortened(word, cells, "")
        marks = max(fits.rfind(mark) for mark in _PUNCTUATION) + 1
        end = marks if marks > (len(fits) - 1) // 2 else len(fits)
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _NO_ROOM or unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
