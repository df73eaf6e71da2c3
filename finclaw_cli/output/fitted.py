"""Tables of text as wide as the terminal they are shown on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from finclaw_cli.output.cells import wrapped
from finclaw_cli.output.table import Column, draw

_LEAST_COLUMNS = 20


def line_room(fd: int | None = None) -> int:
    """How many cells a line may take: one less than there are, for terminals that go on to the next line at once."""
    given = os.environ.get("COLUMNS", "")
    if fd is not None and not given.isdecimal():
        try:
            columns = os.get_terminal_size(fd).columns
        except OSError:  # not a terminal
            columns = 80
    else:
        columns = shutil.get_terminal_size().columns
    return max(columns, _LEAST_COLUMNS) - 1


def fitted_table(header: Sequence[str], rows: Sequence[Sequence[str]], drop: Sequence[str]) -> str:
    """The lines of a table on stdout, and a note on the columns that are left out, the first of `drop` first."""
    room = line_room()
    ranks = {title: len(drop) - place for place, title in enumerate(drop)}
    columns = [
        Column(title=title, cells=[row[place] for row in rows], wraps=True, rank=ranks.get(title, 0))
        for place, title in enumerate(header)
    ]
    drawn = draw(columns, room)
    return "\n".join([*drawn.lines, *left_out_note(drawn.left_out, room)])


def fitted_text(text: str, room: int) -> str:
    """Sentences in lines that fit; those that are indented stay as they are."""
    return "\n".join(
        piece for line in text.split("\n") for piece in (wrapped(line, room) if line[:1] != " " else [line])
    )


def left_out_note(titles: Sequence[str], room: int) -> list[str]:
    """Which columns are not shown, and where they are; no lines where all are."""
    named = ", ".join(title.lower() for title in titles if title)
    if not named:
        return []
    return ["", *wrapped(f"Not shown for want of room: {named}. A wider terminal and a pipe have all columns.", room)]
