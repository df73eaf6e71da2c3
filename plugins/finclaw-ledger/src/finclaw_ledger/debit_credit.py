"""Amounts in two columns, money out and money in, with and without a minus."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from finclaw_cli.sdk.tabular import BadCell

Pair = tuple[Decimal | None, Decimal | None]
"""Money out and money in of a row; None where the cell is empty."""


class DebitCredit:
    """How the two columns of one file are read.

    Some banks write money out with a minus throughout, others without: then the column alone decides the direction. In
    a column that has both, a minus is a reversal: it gives back what another row has taken, or takes back what it has
    given.
    """

    def __init__(self, pairs: Iterable[Pair]) -> None:
        signs: tuple[set[bool], set[bool]] = (set(), set())
        for pair in pairs:
            for number, seen in zip(pair, signs, strict=True):
                if number:
                    seen.add(number > 0)
        debit, credit = signs
        self._has_reversals = {"debit": len(debit) > 1, "credit": len(credit) > 1}
        self._has_unsigned_credit = credit != {False}

    @property
    def notes(self) -> list[str]:
        """What a reader of the dry run should know."""
        columns = [name for name, has in self._has_reversals.items() if has]
        return [f"{' and '.join(columns)}: amounts with a minus are reversals"] if columns else []

    def amount(self, debit: Decimal | None, credit: Decimal | None) -> Decimal:
        """The amount as the account sees it: negative is money out.

        Raises:
            BadCell: there is none, or both, or it is money in with a minus throughout, which can be either.
        """
        if debit and credit:
            raise BadCell("both money out and money in")
        if debit is None and credit is None:
            raise BadCell("no amount")
        if debit:
            return (debit if self._has_reversals["debit"] else abs(debit)).copy_negate()
        if credit and not self._has_unsigned_credit:
            raise BadCell("money in has a minus in all rows: is it money out, or a reversal?")
        return credit or Decimal(0)
