"""From many rows of a CSV file to bookings at once, column by column, where all of their cells are written plainly.

A batch with any other cell is read row by row instead (`csvrow`), which gives the same bookings, and reports bad rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import TypeVar

from finclaw_cli.sdk.tabular import BadCell, Mark
from finclaw_ledger.blocks import Block
from finclaw_ledger.csvrow import Labels, currency_named, kind_of, ruled
from finclaw_ledger.entries import Entry
from finclaw_ledger.numbers import plus
from finclaw_ledger.reading import Reading
from finclaw_ledger.wording import cleaned

# Groups of three digits, as the mark that is not the decimal one separates them, or none.
_NUMBER = r"(?:-?(?:[0-9]{1,15}|[0-9]{1,3}(?:%s[0-9]{3}){1,4})(?:%s[0-9]{1,12})?)?\n"
_compiled = cache(re.compile)
T = TypeVar("T")
Numbers = Sequence[Decimal | None]


class NotPlain(Exception):
    """The batch has to be read row by row."""


def plain_entries(reading: Reading, block: Block) -> list[Entry] | None:
    """The bookings of rows; None where one of them has to be read cell by cell."""
    # The numbers of a trade depend on each other, and a price on the currency that it is written with.
    if reading.layout.profile.has_trades() or "price" in reading.layout.at:
        return None
    try:
        return _Batch(reading, block).entries()
    except (NotPlain, BadCell, ValueError):
        return None


class _Batch:
    """The columns of some rows."""

    def __init__(self, reading: Reading, block: Block) -> None:
        self._reading = reading
        self._lines = block.lines
        if not max(reading.layout.at.values()) < (block.width or 0) <= len(reading.layout.header) + 1:
            raise NotPlain
        self._columns = {role: list(map(str.strip, block.column(at))) for role, at in reading.layout.at.items()}

    def entries(self) -> list[Entry]:
        """The bookings.

        Raises:
            NotPlain, BadCell: a cell has to be read, or rejected, by itself.
        """
        amounts, balances = self._amounts(), self._numbers("balance")
        payees, memos = self._payees(amounts), self._texts("memo")
        return [
            Entry(
                line=line, day=day, amount=amount, currency=currency, account=account, payee=payee, memo=memo,
                category=category, kind=kind, balance=balance,
            )
            for line, day, amount, currency, account, payee, memo, (category, kind), balance in zip(
                self._lines, self._days(), amounts, self._currencies(), self._accounts(), payees, memos,
                self._labels(payees, memos), balances, strict=True,
            )
        ]  # fmt: skip

    def _cells(self, role: str) -> Sequence[str]:
        return self._columns.get(role) or [""] * len(self._lines)

    def _texts(self, role: str) -> list[str]:
        return _each(cleaned, self._cells(role))

    def _days(self) -> list[date]:
        return _each(self._reading.day_of, self._cells("date"))

    def _currencies(self) -> list[str]:
        return _each(lambda cell: currency_named(self._reading, cell), self._cells("currency"))

    def _accounts(self) -> list[str]:
        found = [account or self._reading.account for account in self._texts("account")]
        if not all(found):
            raise NotPlain
        return [account or "" for account in found]

    def _payees(self, amounts: Sequence[Decimal]) -> list[str]:
        payees = self._texts("payee")
        if "payer" not in self._columns:
            return payees
        payers = self._texts("payer")
        return [
            (payer if amount > 0 else "") or payee for payer, payee, amount in zip(payers, payees, amounts, strict=True)
        ]

    def _labels(self, payees: Sequence[str], memos: Sequence[str]) -> list[Labels]:
        layout = self._reading.layout
        kinds = _each(lambda word: kind_of(layout, word), self._cells("kind"))
        own = [(category or None, kind) for category, kind in zip(self._texts("category"), kinds, strict=True)]
        if not layout.profile.category:
            return own
        return [
            ruled(layout, f"{payee} {memo}", labels) for payee, memo, labels in zip(payees, memos, own, strict=True)
        ]

    def _amounts(self) -> list[Decimal]:
        """What each row did to the cash of its account, fees included."""
        stated, fees = self._stated(), self._numbers("fee")
        if not any(fees):
            return stated
        return [
            plus(amount, abs(fee).copy_negate()) if fee else amount for amount, fee in zip(stated, fees, strict=True)
        ]

    def _stated(self) -> list[Decimal]:
        reading = self._reading
        if "amount" not in self._columns:
            pairs = zip(self._numbers("debit"), self._numbers("credit"), strict=True)
            return [reading.debit_credit.amount(debit, credit) for debit, credit in pairs]
        amounts = [number for number in self._numbers("amount") if number is not None]
        if len(amounts) < len(self._lines):
            raise NotPlain
        if reading.direction.is_as_written:
            return amounts
        profile, words = reading.layout.profile, self._cells("direction")
        return [reading.direction.signed(profile, word, amount) for word, amount in zip(words, amounts, strict=True)]

    def _numbers(self, role: str) -> Numbers:
        return _exact(self._columns[role], self._reading.mark) if role in self._columns else [None] * len(self._lines)


def _each(read: Callable[[str], T], cells: Sequence[str]) -> list[T]:
    """What is read of each cell; equal cells are read once."""
    found = {cell: read(cell) for cell in dict.fromkeys(cells)}
    return [found[cell] for cell in cells]


def _exact(cells: Sequence[str], mark: Mark) -> Numbers:
    """The numbers of a column, None for an empty cell; zero has no sign.

    Raises:
        NotPlain: a cell has more than digits, a minus before them, and regular marks.
    """
    grouper = "," if mark == "." else "."
    joined = "\n".join(cells) + "\n"
    if _compiled(f"(?:{_NUMBER % (re.escape(grouper), re.escape(mark))})++").fullmatch(joined) is None:
        raise NotPlain
    texts = joined.replace(grouper, "").replace(mark, ".").split("\n")[:-1]
    if len(texts) != len(cells):
        raise NotPlain  # a line break within a cell
    numbers = [Decimal(text) if text else None for text in texts]
    return [number if number or number is None else number.copy_abs() for number in numbers]
