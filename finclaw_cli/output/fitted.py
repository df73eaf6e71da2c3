"""Tables of text fitted to the width of the terminal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from finclaw_cli.output.cells import wrapped
from finclaw_cli.output.table import Column, draw

_LEAST_COLUMNS = 20
_USUAL_COLUMNS = 80


def line_room(fd: int | None = None) -> int:
    """The most cells of a line: one less than the terminal has, as some wrap after the last cell."""
    given = os.environ.get("COLUMNS", "")
    if fd is not None and not given.isdecimal():
        try:
            columns = os.get_terminal_size(fd).columns or _USUAL_COLUMNS  # some terminals have no size
        except OSError:  # not a terminal
            columns = _USUAL_COLUMNS
    else:
        columns = shutil.get_terminal_size().columns
    return max(columns, _LEAST_COLUMNS) - 1


def fitted_table(header: Sequence[str], rows: Sequence[Sequence[str]], drop: Sequence[str]) -> str:
    """The lines of a table on stdout, with a note on the columns left out, the first of `drop` first."""
    room = line_room()
    ranks = {title: len(drop) - place for place, title in enumerate(drop)}
    columns = [
        Column(title=title, cells=[row[place] for row in rows], wraps=True, rank=ranks.get(title, 0))
        for place, title in enumerate(header)
    ]
    drawn = draw(columns, room)
    return "\n".join([*drawn.lines, *left_out_note(drawn.left_out, room)])


def fitted_text(text: str, room: int) -> str:
    """Sentences wrapped to the room; indented lines are unchanged."""
    return "\n".join(
        piece for line in text.split("\n") for piece in (wrapped(line, room) if line[:1] != " " else [line])
    )


def left_out_note(titles: Sequence[str], room: int) -> list[str]:
    """The note on columns that are not shown; no lines where there are none."""
    named = ", ".join(title.lower() for title in titles if title)
    if not named:
        return []
    return ["", *wrapped(f"Not shown for want of room: {named}. A wider terminal and a pipe have all columns.", room)]
