"""How the cells of a file with dates and numbers are read: looked through once, then decided for all rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_market.dates import DateStyle, OrderVotes, parse_session, style_from
from finclaw_market.importer import ImportOptions
from finclaw_market.numbers import Mark, MarkVotes, parse_number
from finclaw_market.problems import BadCell, FileProblem
from finclaw_market.rowfile import RowFile
from finclaw_market.sessions import latest_possible_date
from finclaw_market.signs import SignWatch
from finclaw_market.wording import bounded

_NOISE = re.compile(r"[\W_]+")
_MAX_SHOWN = 200
_FIRST_YEAR = 1600
# How FRED writes that there is no value.
_HOLE = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The reading of one file's dates and numbers."""

    width: int
    mark: Mark
    style: DateStyle
    latest: date
    signs: SignWatch

    def check_width(self, cells: list[str]) -> None:
        """See that a row has as many cells as the header.

        Raises:
            BadCell: it has not.
        """
        if len(cells) != self.width:
            raise BadCell(f"{len(cells)} cells where the header has {self.width}")

    def day(self, cell: str) -> date:
        """A date that is neither in the future nor before there were markets.

        Raises:
            BadCell: it is no such date.
        """
        day = parse_session(cell, self.style)
        if day.year < _FIRST_YEAR:
            raise BadCell(f"{day} is implausible: before {_FIRST_YEAR}")
        if day > self.latest:
            raise BadCell(f"{day} is in the future")
        return day

    def number(self, cell: str) -> Decimal | None:
        """An exact number; None for an empty cell, `.`, `NA` and the like.

        Raises:
            BadCell: it is no number, or one with another currency sign than the others.
        """
        self.signs.check(cell)
        return None if cell.strip() == _HOLE else parse_number(cell, self.mark)


def cells_of(file: RowFile, dates: Sequence[int], numbers: Sequence[int], options: ImportOptions) -> Cells:
    """Look through a file for what decides how its dates and numbers are read.

    Raises:
        FileProblem: nothing decides, or rows contradict each other.
    """
    style = style_from(options.date_format)
    width = len(file.header)
    marks, orders, signs = MarkVotes(), OrderVotes(), SignWatch()
    for line, cells in file.rows():
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
        mark=options.decimal or marks.decide(file.delimiter),
        style=style or DateStyle(order=orders.decide()),
        latest=latest_possible_date(),
        signs=signs,
    )


def keys_of(header: Sequence[str]) -> list[str]:
    """The names of the columns as they are compared: lower case, letters and digits only."""
    return [_NOISE.sub("", cell.casefold()) for cell in header]


def position(header: Sequence[str], names: Sequence[str]) -> int | None:
    """Where the column of one of these names stands, the first name first.

    Raises:
        FileProblem: two columns have that name.
    """
    keys = keys_of(header)
    key = next((name for name in names if name in keys), None)
    if key is None:
        return None
    if keys.count(key) > 1:
        raise FileProblem(f"two columns are called {bounded(header[keys.index(key)], _MAX_SHOWN)!r}")
    return keys.index(key)


def missing_column(what: str, header: Sequence[str]) -> FileProblem:
    """The complaint about a column that a file must have."""
    return FileProblem(f"no {what} column among: {bounded(', '.join(header), _MAX_SHOWN)}")
