"""Printing for people: everything goes through the cleaning function, nothing is ever half a traceback."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.masking.secrets import PROCESS


def echo(text: str, *, err: bool = False) -> None:
    """Print text and a newline to stdout or stderr, cleaned for a terminal and fit for the stream's encoding.

    Raises:
        BrokenPipeError: the reader of stdout is gone.
        OSError: stdout cannot be written.
    """
    stream = sys.stderr if err else sys.stdout
    line = clean(PROCESS.mask(text)) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(line.encode(encoding, "replace").decode(encoding))
    stream.flush()


def echo_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their cells, also where characters are two cells wide; the last one is left as it is."""
    cells = [[clean_line(cell) for cell in row] for row in (header, *rows)]
    widths = [max(_width(row[column]) for row in cells) for column in range(len(header) - 1)]
    for row in cells:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)]
        echo("  ".join((*padded, row[-1])).rstrip())


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
