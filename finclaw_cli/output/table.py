"""A table fitted to its terminal: less important columns left out, sentences wrapped, long names shortened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from finclaw_cli.core.record import record
from finclaw_cli.output.cells import ELLIPSIS, cell, padded, shortened, width, wrapped

_GAP = "  "
# Names are shortened to this before a column is left out, and to the minimum only after that.
_FAIR_CELLS = 20
LEAST_CELLS = 6
# The least width of a column of sentences, which longer words do not increase.
_SENTENCE_CELLS = 16
_WORD_CELLS = 30


@record(kw_only=True)
class Column:
    """A title and the cells below it."""

    title: str
    cells: Sequence[str]
    is_name: bool = False
    """Whether the cells are text, which may be shortened, and not figures."""
    wraps: bool = False
    """Whether the cells are sentences, which are wrapped and never shortened."""
    rank: int = 0
    """The rank for leaving it out: a higher one goes first, 0 never."""
    least: int = LEAST_CELLS
    """The width to which names are shortened at first."""


@record
class Drawn:
    """A table's lines, and the columns left out."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


def draw(columns: Sequence[Column], room: int | None, mark: str = ELLIPSIS) -> Drawn:
    """Draw a table; names and sentences are aligned left, figures right.

    Args:
        columns: the columns in order.
        room: the most cells of a line, or None for no limit.
        mark: the end of a shortened name.
    """
    cleaned = [[cell(each) for each in (column.title, *column.cells)] for column in columns]
    widths = [max(map(width, cells)) for cells in cleaned]
    kept = list(range(len(columns)))
    if room is not None:
        floors = [_floor(column, cells) for column, cells in zip(columns, cleaned, strict=True)]
        kept = _kept(columns, floors, room)
        widths = [min(cells, room) if columns[place].wraps else cells for place, cells in enumerate(widths)]
        _shrink(columns, widths, floors, kept, room)
    shown = [(columns[place], cleaned[place], widths[place]) for place in kept]
    lines = [line for row in range(len(cleaned[0])) for line in _row(shown, row, mark)]
    return Drawn(tuple(lines), tuple(columns[place].title for place in range(len(columns)) if place not in kept))


def aligned(figures: Sequence[str]) -> list[str]:
    """Figures aligned at their decimal points; other text is unchanged."""
    most = max((_decimals(figure) for figure in figures), default=0)
    return [figure + " " * (most - _decimals(figure)) if figure[-1:].isdigit() else figure for figure in figures]


def _decimals(figure: str) -> int:
    """The number of cells from the decimal point on."""
    return len(figure) - figure.index(".") if "." in figure else 0


def _row(shown: Sequence[tuple[Column, Sequence[str], int]], row: int, mark: str) -> Iterator[str]:
    """The lines of one row: as many as its longest cell needs."""
    parts = [
        wrapped(cells[row], room) if column.wraps else [shortened(cells[row], room, mark)]
        for column, cells, room in shown
    ]
    for pieces in zip_longest(*parts, fillvalue=""):
        line = (
            padded(piece, room, right=not (column.is_name or column.wraps))
            for piece, (column, _, room) in zip(pieces, shown, strict=True)
        )
        yield _GAP.join(line).rstrip()


def _floor(column: Column, cells: Sequence[str]) -> int:
    """The least width of a column before others are left out."""
    widest = max(map(width, cells))
    if column.wraps:
        word = max((width(word) for text in cells for word in text.split()), default=0)
        return min(widest, max(min(word, _WORD_CELLS), _SENTENCE_CELLS))
    return min(widest, _FAIR_CELLS) if column.is_name else widest


def _kept(columns: Sequence[Column], floors: Sequence[int], room: int) -> list[int]:
    """The indices of the columns for which there is room."""
    kept = list(range(len(columns)))
    for rank in sorted({column.rank for column in columns} - {0}, reverse=True):
        if _line(floors, kept) <= room:
            break
        kept = [place for place in kept if columns[place].rank != rank]
    return kept


def _shrink(
    columns: Sequence[Column], widths: list[int], floors: Sequence[int], kept: Sequence[int], room: int
) -> None:
    """Reduce the widths by the excess of a line: first of the widest sentences, then of the widest names."""
    words = {place: floors[place] for place in kept if columns[place].wraps}
    names = {place: columns[place].least for place in kept if columns[place].is_name}
    all_but_the_first = dict.fromkeys([place for place in (*words, *names) if place != kept[0]], LEAST_CELLS)
    for least in (words, names, all_but_the_first, dict.fromkeys([*words, *names], 1)):
        while _line(widths, kept) > room:
            wide = [place for place in least if widths[place] > least[place]]
            if not wide:
                break
            widths[max(wide, key=lambda place: widths[place])] -= 1


def _line(widths: Sequence[int], kept: Sequence[int]) -> int:
    return sum(widths[place] for place in kept) + len(_GAP) * (len(kept) - 1)
