"""What an account held at the end of a day: stated by a file, or not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby

from finclaw_ledger.books import Booking, Books, Held
from finclaw_ledger.numbers import EXACT, plus, total

STATED = "stated by the file"
ROLLED = "stated by the file, plus later bookings"
SUMMED = "sum of all bookings of double-entry books"
CHANGE = "opening balance not in the books"
UNORDERED = "files state several balances of a day, and nothing shows which is the last"


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
    notes: list[str] = []
    own = books.by_account()
    for name in accounts:
        first, last = books.covered(name)
        if day is not None and not first <= day <= last:
            notes.append(f"{name} is unavailable on {day}: the books cover {first} to {last}")
            continue
        found += _of_account(books, name, own[name], day or last)
    return found, notes


def _of_account(books: Books, name: str, bookings: list[Booking], until: date) -> Iterator[Standing]:
    mine = [item for item in bookings if item.day <= until]
    held = [item for item in books.held if item.account == name and item.day <= until]
    for currency in sorted({item.currency for item in mine} | {item.currency for item in held}):
        of_it = [item for item in mine if item.currency == currency]
        yield _standing(books, name, of_it, [item for item in held if item.currency == currency], until)


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
        basis=SUMMED if books.complete else UNORDERED if any(item.balance is not None for item in mine) else CHANGE,
        items=tuple(mine),
    )


def _stated(mine: list[Booking], held: list[Held]) -> tuple[tuple[Decimal, Booking | Held] | None, list[Booking]]:
    """The newest balance that files state, and the bookings after it."""
    end = held[-1] if held else None
    found: tuple[Decimal, Booking | Held] | None = (end.amount, end) if end else None
    balance, later = end.amount if end else None, list[Booking]()
    for day, group in groupby(mine, key=lambda item: item.day):
        items = list(group)
        if end is not None and day <= end.day:
            continue
        at = _last_stated(items, balance)
        if at is None:
            later += items
        else:
            row, later = items[at], items[at + 1 :] if _is_of_one_file(items) else []
            found = (row.balance or Decimal(0), row)
            balance, items = found[0], later
        balance = None if balance is None else plus(balance, total([item.amount for item in items]))
    return found, later if found else []


def _is_of_one_file(items: list[Booking]) -> bool:
    return len({item.file for item in items}) == 1


def _last_stated(items: list[Booking], opening: Decimal | None) -> int | None:
    """The place of the booking with the last balance of a day; None where the files do not show it.

    A file's own order counts. Of several files only the balances show which rows of a day came last: each follows from
    one before it, and the last one is the one from which nothing follows.
    """
    if _is_of_one_file(items):
        return next((at for at in range(len(items) - 1, -1, -1) if items[at].balance is not None), None)
    steps: Counter[Decimal] = Counter()
    for item in items:
        if item.balance is None:
            return None
        steps[item.balance] += 1
        steps[EXACT.subtract(item.balance, item.amount)] -= 1
    last = {number: count for number, count in steps.items() if count > 0}
    if not last and opening is not None:
        last = {opening: 1}  # the day ends where it began
    if list(last.values()) != [1]:
        return None
    return next((at for at in range(len(items) - 1, -1, -1) if items[at].balance in last), None)
