"""Currency signs before numbers: one for a whole file, and none that contradicts the given currency."""

from __future__ import annotations

from dataclasses import dataclass, field

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, sign_fits, sign_of


@dataclass(slots=True, kw_only=True)
class SignWatch:
    """Follows the signs of one file's numbers."""

    currency: str | None = None
    """The given currency of the prices."""
    first: str | None = None
    line: int = 0
    _seen: set[str] = field(default_factory=set)

    def look(self, cell: str, line: int) -> None:
        """Take note of one cell."""
        sign = sign_of(cell)
        if sign is None:
            return
        self._seen.add(sign)
        if self.first is None:
            self.first, self.line = sign, line

    def check(self, cell: str) -> None:
        """See that the sign of a cell is the file's; `look` must have seen all cells.

        Raises:
            BadCell: it is of another currency.
        """
        if self.first is None:
            return
        if self.currency is not None:
            check_sign(cell, self.currency)
        sign = sign_of(cell)
        if sign is not None and sign != self.first:
            raise BadCell(f"{quoted(cell.strip())} has another currency sign than {self.first} in line {self.line}")

    def unsaid(self) -> str | None:
        """What to warn of where the numbers have a sign and their owner names no currency."""
        if self.first is None or self.currency is not None or len(self._seen) > 1:
            return None
        return f"prices are written with {self.first}, and no currency is given; give --currency"


def check_sign(cell: str, currency: str) -> None:
    """See that a number's sign does not contradict its currency.

    Raises:
        BadCell: it does.
    """
    sign = sign_of(cell)
    if sign is not None and not sign_fits(sign, currency):
        raise BadCell(f"{quoted(cell.strip())} is not in {currency}")
