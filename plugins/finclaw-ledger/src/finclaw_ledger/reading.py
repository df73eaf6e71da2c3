"""How the cells of one CSV file are read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from finclaw_cli.sdk.tabular import BadCell, Mark, parse_amount
from finclaw_ledger.dates import parse_day
from finclaw_ledger.debit_credit import DebitCredit
from finclaw_ledger.header import Layout
from finclaw_ledger.signs import Direction

NUMBERS = ("amount", "debit", "credit", "balance", "quantity", "price", "fee")
"""The roles whose cells are numbers."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How each cell of one file is read."""

    layout: Layout
    mark: Mark
    order: str
    account: str | None
    currency: str | None
    debit_credit: DebitCredit
    direction: Direction

    @cached_property
    def money(self) -> tuple[str, ...]:
        """The roles of amounts that the file has columns for."""
        return tuple(role for role in NUMBERS if role != "quantity" and role in self.layout.at)

    @cached_property
    def days(self) -> dict[str, date]:
        """The dates that have been read, by their cells: many bookings are of one day."""
        return {}

    def day(self, cells: list[str]) -> date:
        """The date of a row.

        Raises:
            BadCell: it is none.
        """
        return self.day_of(self.layout.cell(cells, "date"))

    def day_of(self, cell: str) -> date:
        """The date that a cell has.

        Raises:
            BadCell: it is none.
        """
        found = self.days.get(cell)
        if found is None:
            found = self.days[cell] = parse_day(cell, self.order)
        return found

    def number(self, cells: list[str], role: str) -> Decimal | None:
        """The number of a role.

        Raises:
            BadCell: it is none.
        """
        try:
            return parse_amount(self.layout.cell(cells, role), self.mark)
        except BadCell as error:
            raise BadCell(f"{role}: {error}") from None
