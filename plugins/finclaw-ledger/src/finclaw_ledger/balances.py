"""What an account held at the end of a day: stated by a file, or not known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from finclaw_ledger.books import Booking, Books, Held
from finclaw_ledger.numbers import plus, total

STATED = "stated by the file"
ROLLED = "stated by the file, plus later bookings"
SUMMED = "sum of all bookings of double-entry books"
CHANGE = "opening balance not in the books"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The balance of an account in one currency; None where only its change is known."""

    account: str
    currency: str
    day: date
    balance: Decimal | None
    change: Decimal
    basis: str
    items: tuple[Booking | Held, ...]

    @property
    def last(self) -> Booking | Held:
        """The newest row that went into it."""
        return self.items[-1]


def standings(books: Books, accounts: list[str], day: date | None) -> tuple[list[Standing], list[str]]:
    """The standing of each account and currency, and which accounts are not covered on that day."""
    found: list[Standing] = []
    said: list[str] = []
    own = books.by_account()
    for name in accounts:
        first, last = books.covered(name)
        if day is not None and not first <= day <= last:
            said.append(f"{name} is unavailable on {day}: the books cover {first} to {last}")
            continue
        until = day or last
        mine = [item for item in own[name] if item.day <= until]
        held = [item for item in books.held if item.account == name and item.day <= until]
        for currency in sorted({item.currency for item in mine} | {item.currency for item in held}):
            of_it = [item for item in mine if item.currency == currency]
            found.append(_standing(books, name, of_it, [item for item in held if item.currency == currency], until))
    return found, said


def _standing(books: Books, account: str, mine: list[Booking], held: list[Held], until: date) -> Standing:
    newest: Booking | Held = mine[-1] if mine else held[-1]
    change = total([item.amount for item in mine])
    base, later = _stated(mine, held)
    if base is not None:
        return Standing(
            account=account,
            currency=newest.currency,
            day=until,
            balance=plus(base[0], total([item.amount for item in later])),
            change=change,
            basis=ROLLED if later else STATED,
            items=(base[1], *later),
        )
    return Standing(
        account=account,
        currency=newest.currency,
        day=until,
        balance=change if books.complete else None,
        change=change,
        basis=SUMMED if books.complete else CHANGE,
        items=tuple(mine),
    )


def _stated(mine: list[Booking], held: list[Held]) -> tuple[tuple[Decimal, Booking | Held] | None, list[Booking]]:
    """The newest balance that a file states, and the bookings after it."""
    at = next((index for index in range(len(mine) - 1, -1, -1) if mine[index].balance is not None), None)
    row = mine[at] if at is not None else None
    end = held[-1] if held else None
    if end is not None and (row is None or end.day >= row.day):
        return (end.amount, end), [item for item in mine if item.day > end.day]
    if row is None or at is None or row.balance is None:
        return None, []
    return (row.balance, row), mine[at + 1 :]
