"""A table of figures that fits its terminal: what matters less is left out, and long names are shortened."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.core.record import record
from finclaw_cli.output.cells import ELLIPSIS, padded, shortened, width
from finclaw_cli.output.console import cell

_GAP = "  "
# Names are shortened to this before anything is left out, and to the least only when nothing else can give way.
_FAIR_CELLS = 20
LEAST_CELLS = 6


@record(kw_only=True)
class Column:
    """A title and what stands below it."""

    title: str
    cells: Sequence[str]
    is_name: bool = False
    """Text, which may be shortened; else a figure, which may not."""
    rank: int = 0
    """The higher, the sooner it is left out; 0 stays."""
    least: int = LEAST_CELLS
    """A name is shortened to less than this only where nothing else can give way."""


@record
class Drawn:
    """A table's lines, and which of its columns are not in it."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


def draw(columns: Sequence[Column], room: int | None, mark: str = ELLIPSIS) -> Drawn:
    """Draw a table; names are on the left of their columns, figures on the right.

    Args:
        columns: in their order.
        room: how many cells a line may take, or None for as many as it needs.
        mark: what ends a name that was shortened.
    """
    cleaned = [[cell(each) for each in (column.title, *column.cells)] for column in columns]
    widths = [max(map(width, cells)) for cells in cleaned]
    kept = list(range(len(columns)))
    if room is not None:
        kept = _kept(columns, widths, room)
        _shorten(columns, widths, kept, room)
    lines = [
        _GAP.join(
            padded(
                shortened(cleaned[place][line], widths[place], mark), widths[place], right=not columns[place].is_name
            )
            for place in kept
        ).rstrip()
        for line in range(len(cleaned[0]))
    ]
    return Drawn(tuple(lines), tuple(columns[place].title for place in range(len(columns)) if place not in kept))


def aligned(figures: Sequence[str]) -> list[str]:
    """Figures whose points stand below each other in a column; words are left as they are."""
    most = max((_decimals(figure) for figure in figures), default=0)
    return [figure + " " * (most - _decimals(figure)) if figure[-1:].isdigit() else figure for figure in figures]


def _decimals(figure: str) -> int:
    """How many cells the point and what follows it take."""
    return len(figure) - figure.index(".") if "." in figure else 0


def _kept(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int]:
    """The places of the columns for which there is room, if names take no more than is fair."""
    fair = [min(cells, _FAIR_CELLS) if columns[place].is_name else cells for place, cells in enumerate(widths)]
    kept = list(range(len(columns)))
    for rank in sorted({column.rank for column in columns} - {0}, reverse=True):
        if _line(fair, kept) <= room:
            break
        kept = [place for place in kept if columns[place].rank != rank]
    return kept


def _shorten(columns: Sequence[Column], widths: list[int], kept: Sequence[int], room: int) -> None:
    """Take from the widest names what a line has too much."""
    for may_be_less in (False, True):
        while _line(widths, kept) > room:
            least = {place: 1 if may_be_less else columns[place].least for place in kept}
            names = [place for place in kept if columns[place].is_name and widths[place] > least[place]]
            if not names:
                break
            widths[max(names, key=lambda place: widths[place])] -= 1


def _line(widths: Sequence[int], kept: Sequence[int]) -> int:
    return sum(widths[place] for place in kept) + len(_GAP) * (len(kept) - 1)
