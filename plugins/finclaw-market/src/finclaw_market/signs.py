"""Currency signs before numbers: one for a whole file, and none that contradicts the given currency."""

from __future__ import annotations

from dataclasses import dataclass, field

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell

# The currencies (ISO 4217) that are written with each sign. Pence are not: a £ before them would be a hundredfold.
_CURRENCIES = {
    "$": frozenset(
        {"USD", "ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "FJD", "GYD", "HKD", "JMD", "KYD"}
        | {"LRD", "MXN", "NAD", "NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "UYU", "XCD"}
    ),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP", "EGP", "FKP", "GIP", "LBP", "SHP", "SSP", "SYP"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₩": frozenset({"KRW", "KPW"}),
}


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


def sign_of(cell: str) -> str | None:
    """The currency sign before a number, if there is one."""
    sign = cell.lstrip(" \t+-")[:1]
    return sign if sign in _CURRENCIES else None


def check_sign(cell: str, currency: str) -> None:
    """See that a number's sign does not contradict its currency.

    Raises:
        BadCell: it does.
    """
    sign = sign_of(cell)
    if sign is not None and not fits(sign, currency):
        raise BadCell(f"{quoted(cell.strip())} is not in {currency}")


def fits(sign: str, currency: str) -> bool:
    """Whether amounts of a currency are written with that sign."""
    return currency in _CURRENCIES[sign]
