"""Printing of text and tables, cleaned for terminals."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from finclaw_cli.core.clean import clean
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.output.cells import cell, encodable, padded, width


def echo(text: str, *, err: bool = False) -> None:
    """Print text and a newline to stdout or stderr, cleaned for a terminal and fit for the stream's encoding.

    Raises:
        BrokenPipeError: the reader of stdout has closed it.
        OSError: stdout cannot be written.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write(encodable(clean(PROCESS.mask(text)) + "\n", stream))
    stream.flush()


def echo_prose(text: str) -> None:
    """Print sentences on stdout, on a terminal wrapped between words."""
    if sys.stdout.isatty():
        from finclaw_cli.output.fitted import fitted_text, line_room

        text = fitted_text(text, line_room())
    echo(text)


def can_show(text: str) -> bool:
    """Whether stdout's encoding has all these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def echo_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, drop: Sequence[str] = ()) -> None:
    """Print columns as wide as their cells, also where characters are two cells wide.

    On a terminal the table is fitted: text is wrapped, and of the columns in `drop` (by default all after the second,
    the last one first) as many are left out as there is no room for.
    """
    if sys.stdout.isatty():
        from finclaw_cli.output.fitted import fitted_table

        echo(fitted_table(header, rows, drop or [title for title in header[:1:-1] if title]))
        return
    cells = [[cell(each) for each in row] for row in (header, *rows)]
    widths = [max(width(row[column]) for row in cells) for column in range(len(header) - 1)]
    for row in cells:
        whole = [padded(each, room) for each, room in zip(row, widths, strict=False)]
        echo("  ".join((*whole, row[-1])).rstrip())


def counted(number: int, what: str) -> str:
    """`1 run`, `1,200 runs`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
