"""How the cells of a file with dates and numbers are read, decided once for all of its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.tabular import (
    DateStyle,
    Mark,
    MarkVotes,
    OrderVotes,
    Row,
    latest_date,
    parse_number,
    plausible_date,
)
from finclaw_market.options import ImportOptions
from finclaw_market.signs import SignWatch

# The oldest exchange opened after this; an earlier year is a slip or a placeholder.
_FIRST_YEAR = 1600
# A missing value in files of FRED.
_HOLE = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """How the dates and numbers of one file are read."""

    width: int
    rows: int
    """How many rows the file has."""
    mark: Mark
    style: DateStyle
    latest: date
    signs: SignWatch

    def day(self, cell: str) -> date:
        """A date that is neither in the future nor before there were markets.

        Raises:
            BadCell: it is no such date.
        """
        return plausible_date(cell, self.style, first_year=_FIRST_YEAR, latest=self.latest)

    def number(self, cell: str, parse: Callable[[str, Mark], Decimal | None] = parse_number) -> Decimal | None:
        """An exact number; None for an empty cell, `.`, `NA` and the like.

        Raises:
            BadCell: it is no number, or has another currency sign than the others.
        """
        found = None if cell.strip() == _HOLE else parse(cell, self.mark)
        self.signs.check(cell)
        return found


def cells_of(
    rows: Iterable[Row], delimiter: str, width: int, at: tuple[Sequence[int], Sequence[int]], options: ImportOptions
) -> Cells:
    """Look through a file for what decides how its dates and numbers are read.

    Args:
        rows: of the file.
        delimiter: of its columns.
        width: the number of its columns.
        at: the positions of dates, and of numbers.
        options: of the user, which have precedence.

    Raises:
        FileProblem: nothing decides, or rows contradict each other.
    """
    style = options.style
    dates, numbers = at
    marks, orders, signs = MarkVotes(), OrderVotes(), SignWatch(currency=options.facts.currency)
    count = 0
    for line, cells in rows:
        count += 1
        if len(cells) != width:
            continue
        for index in dates:
            orders.look(cells[index], line)
        for index in numbers:
            if cells[index].strip() != _HOLE:
                marks.look(cells[index], line)
                signs.look(cells[index], line)
    return Cells(
        width=width,
        rows=count,
        mark=options.decimal or marks.decide(delimiter)[0],
        style=style or DateStyle(order=orders.decide()[0]),
        latest=latest_date(),
        signs=signs,
    )
