"""What an account held at the end of a day: stated by a file, or not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_ledger.books import Booking, Books, Held
from finclaw_ledger.numbers import EXACT, plus, total
from finclaw_ledger.selection import NOTHING, Extent, Selection, Summary, extents_of

STATED = "stated by the file"
ROLLED = "stated by the file, plus later bookings"
SUMMED = "sum of all bookings of double-entry books"
CHANGE = "opening balance not in the books"
UNORDERED = "files state several balances of a day, and nothing shows which is the last"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The balance of an account in one currency, or only its change where that is all that is known."""

    account: str
    currency: str
    day: date
    balance: Decimal | None
    change: Decimal | None
    basis: str
    last: Booking | Held
    """The newest row that went into it."""
    count: int
    extents: list[Extent]


@dataclass(frozen=True, slots=True)
class _Stated:
    """A balance that a file states, and the bookings of its day after it."""

    amount: Decimal
    row: Booking | Held
    rest: list[Booking] = field(default_factory=list)

    @property
    def closing(self) -> Decimal:
        """The balance at the end of its day."""
        return plus(self.amount, total(item.amount for item in self.rest))


def standings(books: Books, accounts: list[str], day: date | None) -> tuple[list[Standing], list[str]]:
    """The standing of each account and currency, and which accounts are not covered on that day."""
    found: list[Standing] = []
    notes: list[str] = []
    for name in accounts:
        first, last = books.covered(name)
        if day is not None and not first <= day <= last:
            notes.append(f"{name} is unavailable on {day}: the books cover {first} to {last}")
            continue
        found += _of_account(books, name, day or last)
    return found, notes


def _of_account(books: Books, name: str, until: date) -> Iterator[Standing]:
    mine = Selection(books).of([name]).where("day <= ?", until.isoformat())
    held = [item for item in books.held if item.account == name and item.day <= until]
    for currency in sorted({*mine.currencies(), *(item.currency for item in held)}):
        of_it = mine.where("currency = ?", currency)
        stated = _newest_stated(of_it, [item for item in held if item.currency == currency])
        if stated is None:
            yield _summed(name, currency, of_it, until)
        else:
            yield _rolled(name, currency, of_it.where("day > ?", stated.row.day.isoformat()), stated, until)


def _rolled(account: str, currency: str, later: Selection, stated: _Stated, until: date) -> Standing:
    since = later.summary()
    newest = next(later.bookings(1, newest_first=True), None)
    count = 1 + len(stated.rest) + since.count
    return Standing(
        account=account,
        currency=currency,
        day=until,
        balance=plus(stated.closing, _sum(since)),
        change=None,
        basis=STATED if count == 1 else ROLLED,
        last=newest or [stated.row, *stated.rest][-1],
        count=count,
        extents=[*extents_of([stated.row, *stated.rest]), *since.extents],
    )


def _summed(account: str, currency: str, mine: Selection, until: date) -> Standing:
    summary = mine.summary()
    change = _sum(summary)
    is_balance = mine.books.complete
    has_balances = next(mine.where("balance IS NOT NULL").bookings(1), None) is not None
    return Standing(
        account=account,
        currency=currency,
        day=until,
        balance=change if is_balance else None,
        change=change,
        basis=SUMMED if is_balance else UNORDERED if has_balances else CHANGE,
        last=next(mine.bookings(1, newest_first=True)),
        count=summary.count,
        extents=summary.extents,
    )


def _sum(summary: Summary) -> Decimal:
    """The sum of bookings of one currency."""
    return next(iter(summary.sums.values()), NOTHING).amount


def _newest_stated(mine: Selection, held: list[Held]) -> _Stated | None:
    """The newest balance that files state.

    Whether a day of several files has one can depend on the balance before that day. So the newest day that has one
    whatever came before is found first, going back, and then the days after it are looked at again, going forward.
    """
    found = _Stated(held[-1].amount, held[-1]) if held else None
    later = mine if found is None else mine.where("day > ?", found.row.day.isoformat())
    undecided: list[date] = []
    for day in later.where("balance IS NOT NULL").days_newest_first():
        stated = _stated_on(later, day, None)
        if stated is not None:
            found = stated
            break
        undecided.append(day)
    for day in reversed(undecided):
        if found is None:
            return None
        opening = plus(found.closing, _sum(mine.where("day > ? AND day < ?", *_open(found.row.day, day)).summary()))
        found = _stated_on(later, day, opening) or found
    return found


def _open(first: date, last: date) -> tuple[str, str]:
    return first.isoformat(), last.isoformat()


def _stated_on(bookings: Selection, day: date, opening: Decimal | None) -> _Stated | None:
    items = list(bookings.between(day, day).bookings())
    at = _last_stated(items, opening)
    if at is None:
        return None
    return _Stated(items[at].balance or Decimal(0), items[at], items[at + 1 :] if _is_of_one_file(items) else [])


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
