"""What was spent and what was earned, by category, payee or month."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Booking, Books
from finclaw_ledger.numbers import EXACT, total
from finclaw_ledger.period import Period
from finclaw_ledger.results import places
from finclaw_ledger.transfers import CONVENTION, without_transfers
from finclaw_ledger.wording import private

By = Literal["category", "payee", "month"]
UNCATEGORISED = "(uncategorised)"
UNNAMED = "(no payee)"
SINGLE = f"booking dates; spent = money out, earned = money in, refunds too; trades are left out; {CONVENTION}"
DOUBLE = "booking dates; spent = postings to Expenses, refunds taken off; earned = postings to Income"
MOST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlays:
    """Bookings as the user's purse sees them: `spent` negative amounts, `earned` positive ones, as a rule."""

    spent: list[Booking]
    earned: list[Booking]
    convention: str
    warnings: tuple[str, ...]

    @property
    def all(self) -> list[Booking]:
        """Both."""
        return [*self.spent, *self.earned]


def outlays(books: Books, period: Period) -> Outlays:
    """What was spent and earned in a period."""
    return _double(books, period) if books.complete else _single(books, period)


def _double(books: Books, period: Period) -> Outlays:
    inside = [replace(item, amount=EXACT.minus(item.amount)) for item in books.bookings if period.holds(item)]
    return Outlays(
        spent=[item for item in inside if item.side == "expense"],
        earned=[item for item in inside if item.side == "income"],
        convention=DOUBLE,
        warnings=period.warnings,
    )


def _single(books: Books, period: Period) -> Outlays:
    # Matched over all days, so that the other side of a transfer may lie just outside the period.
    rest, pairs, moves = without_transfers(books.own())
    inside = [item for item in rest if period.holds(item) and item.account in period.accounts]
    notes = [*period.warnings]
    if pairs:
        notes.append(f"{pairs} pairs of bookings in the books were taken as transfers between own accounts")
    if moves:
        notes.append(f"{moves} transfers, deposits or withdrawals have no other side in the books; left out too")
    if bare := sum(item.category is None for item in inside):
        notes.append(
            f"{bare} of {len(inside)} bookings have no category; [[category]] rules of a profile give them one"
        )
    return Outlays(
        spent=[item for item in inside if item.amount < 0],
        earned=[item for item in inside if item.amount > 0],
        convention=SINGLE,
        warnings=tuple(notes),
    )


def grouped(books: Books, items: list[Booking], by: By, sign: int) -> dict[str, dict[str, object]]:
    """Sums by currency and group, the greatest first (months in order), in the sign asked for.

    Each group has its sum, how many bookings it is of, and where the largest of them stand.
    """
    found: dict[str, dict[str, object]] = {}
    for currency in sorted({item.currency for item in items}):
        mine = [item for item in items if item.currency == currency]
        groups: dict[str, list[Booking]] = {}
        for item in mine:
            groups.setdefault(_KEYS[by](item), []).append(item)
        rows = [(name, _signed(group, sign), group) for name, group in groups.items()]
        rows.sort(key=(lambda row: row[0]) if by == "month" else (lambda row: (-row[1], row[0])))
        found[currency] = {
            "total": plain_number(_signed(mine, sign)),
            "groups": [
                {by: name, "amount": plain_number(amount), "n": len(group), "largest_at": places(books, group)}
                for name, amount, group in rows[:MOST]
            ],
        }
    return found


def is_cut(items: list[Booking], by: By) -> bool:
    """Whether there are more groups than are shown."""
    return len({_KEYS[by](item) for item in items}) > MOST


def _signed(items: list[Booking], sign: int) -> Decimal:
    return total([item.amount if sign > 0 else EXACT.minus(item.amount) for item in items])


_KEYS: dict[By, Callable[[Booking], str]] = {
    "category": lambda item: item.category or UNCATEGORISED,
    "payee": lambda item: private(item.payee or item.memo) or UNNAMED,
    "month": lambda item: item.day.strftime("%Y-%m"),
}
