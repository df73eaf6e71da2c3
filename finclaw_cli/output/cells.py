"""How much room text takes on a terminal, where some characters are two cells wide and some none."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
_NO_ROOM = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """How many cells text takes."""
    return sum(_cells(char) for char in text)


def padded(text: str, cells: int, *, right: bool = False) -> str:
    """Text with spaces after it, or before it, up to so many cells."""
    space = " " * (cells - width(text))
    return space + text if right else text + space


def shortened(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Text in at most so many cells, marked where that is not all of it."""
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


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _NO_ROOM or unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
