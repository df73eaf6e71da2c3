"""What was spent and what was earned, by category, payee or month."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Books
from finclaw_ledger.conditions import Value
from finclaw_ledger.coverage import Covered
from finclaw_ledger.entries import TRADES
from finclaw_ledger.numbers import EXACT, total
from finclaw_ledger.selection import OUT, Extent, Selection, Sum, Summary, own_bookings
from finclaw_ledger.transfer_list import transfer_notes
from finclaw_ledger.transfers import CONVENTION, MOVES, is_no_transfer
from finclaw_ledger.wording import private

By = Literal["category", "payee", "month"]
UNCATEGORISED = "(uncategorised)"
UNNAMED = "(no payee)"
SINGLE = (
    "booking dates; a category counts as spent where more goes out than comes in, over all days, and money back is "
    "taken off; without a category spent = money out and refunds that are named so, earned = other money in; "
    f"trades are left out; {CONVENTION}"
)
DOUBLE = "booking dates; spent = postings to Expenses, refunds taken off; earned = postings to Income"
MOST = 60
_REFUNDS = ("refund", "reversal", "chargeback", "erstattung", "rückerstattung", "remboursement", "환불", "취소")
_IS_REFUND = " OR ".join(f"payee LIKE '%{word}%' OR memo LIKE '%{word}%'" for word in _REFUNDS)
# Trades change what is held, and moves have their other side elsewhere.
NOT_COUNTED = f"({', '.join(repr(kind) for kind in sorted(TRADES | MOVES))})"
_IS_SPENT = f"""
CASE WHEN category IS NULL THEN {OUT} OR {_IS_REFUND}
ELSE (currency, category) IN (SELECT currency, category FROM outlays) END
"""  # noqa: S608 - constants
# The categories of which more goes out than comes in.
_OUTLAYS = f"""
INSERT INTO outlays SELECT currency, category FROM entries
WHERE category IS NOT NULL AND kind NOT IN {NOT_COUNTED}
GROUP BY currency, category HAVING sum(CAST(amount AS REAL)) < 0
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlays:
    """What was spent and what was earned; `sign` makes of an amount what it did to the user's purse."""

    bookings: Selection
    """All that is either."""
    is_spent: str
    """The condition that a booking is spent."""
    sign: Literal[1, -1]
    convention: str
    warnings: tuple[str, ...]

    @property
    def spent(self) -> Selection:
        """What was spent."""
        return self.bookings.where(self.is_spent)

    @property
    def earned(self) -> Selection:
        """What was earned."""
        return self.bookings.where(f"NOT ({self.is_spent})")


def find_outlays(connection: sqlite3.Connection) -> None:
    """Find the categories of which more goes out than comes in anew; the caller holds the transaction."""
    connection.execute("DELETE FROM outlays")
    connection.execute(_OUTLAYS)


def _neither_traded_nor_moved(books: Books, days: Covered) -> Selection:
    return (
        days.of(own_bookings(books).of(days.accounts))
        .where(f"(kind = 'payment' OR kind NOT IN {NOT_COUNTED})")
        .where("units IS NOT 0")
        .fitting(is_no_transfer(books.cap))
    )


def outlays(books: Books, days: Covered) -> Outlays:
    """What was spent and earned in a period."""
    return _double(books, days) if books.complete else _single(books, days)


def _double(books: Books, days: Covered) -> Outlays:
    return Outlays(
        bookings=days.of(Selection(books)).where("side IN ('expense', 'income')"),
        is_spent="side = 'expense'",
        sign=-1,
        convention=DOUBLE,
        warnings=days.warnings,
    )


def _single(books: Books, days: Covered) -> Outlays:
    return Outlays(
        bookings=_neither_traded_nor_moved(books, days),
        is_spent=_IS_SPENT,
        sign=1,
        convention=SINGLE,
        warnings=(*days.warnings, *transfer_notes(books, days)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """Sums by currency and group, as results show them."""

    shown: dict[str, dict[str, object]]
    is_cut: bool
    """Whether there are more groups than are shown."""
    extents: list[Extent]
    warnings: tuple[str, ...]

    @property
    def count(self) -> int:
        """Of how many bookings."""
        return sum(one.count for one in self.extents)


def spent_by(found: Outlays, by: By) -> Grouped:
    """What was spent, by category, payee or month."""
    return _grouped(found.spent, found.spent.summary(_KEYS[by][0]), by, -found.sign)


def earned_and_spent(found: Outlays) -> tuple[Grouped, Grouped]:
    """What was earned and what was spent, by category."""
    key, _ = _KEYS["category"]
    spent, earned = found.bookings.summaries(key, found.is_spent)
    return (
        _grouped(found.earned, earned, "category", found.sign),
        _grouped(found.spent, spent, "category", -found.sign),
    )


def _grouped(items: Selection, summary: Summary, by: By, sign: int) -> Grouped:
    """Bookings by currency and group, the greatest first (months in order).

    Each group has its sum in the sign asked for, how many bookings it is of, and where the largest of them stands.
    """
    _, name_of = _KEYS[by]
    # What has the same name as it is shown is one group.
    named = Summary()
    for (currency, value), one in summary.sums.items():
        named.add((currency, name_of(value)), one)
    by_currency: dict[str, list[tuple[str, Sum]]] = {}
    for (currency, name), one in named.sums.items():
        by_currency.setdefault(currency, []).append((str(name), one))
    for groups in by_currency.values():
        groups.sort(key=lambda row: (Decimal(0) if by == "month" else -sign * row[1].amount, row[0]))
    at = _largest(items, by, by_currency)
    bare = sum(one.count for (_, value), one in summary.sums.items() if by == "category" and value is None)
    return Grouped(
        shown={
            currency: {
                "total": plain_number(_signed(total(one.amount for _, one in groups), sign)),
                "groups": [_row(by, name, one, sign, at[currency, name]) for name, one in groups[:MOST]],
            }
            for currency, groups in sorted(by_currency.items())
        },
        is_cut=any(len(groups) > MOST for groups in by_currency.values()),
        extents=summary.extents,
        warnings=(f"{bare} bookings have no category; [[category]] rules of a profile give them one",) if bare else (),
    )


def _largest(items: Selection, by: By, groups: dict[str, list[tuple[str, Sum]]]) -> dict[tuple[str, str], str]:
    """Where the largest booking of each group that is shown stands, the earliest of several."""
    key, name_of = _KEYS[by]
    sizes = {(currency, name): one.largest for currency, mine in groups.items() for name, one in mine[:MOST]}
    found: dict[tuple[str, str], str] = {}
    for currency, value, size, place in items.places(key, set(sizes.values())):
        group = currency, name_of(value)
        if sizes.get(group) == size:
            found.setdefault(group, place)
    return found


def _row(by: By, name: str, group: Sum, sign: int, at: str) -> dict[str, object]:
    return {by: name, "amount": plain_number(_signed(group.amount, sign)), "n": group.count, "largest_at": [at]}


def _signed(amount: Decimal, sign: int) -> Decimal:
    return amount if sign > 0 else EXACT.minus(amount)


_KEYS: dict[By, tuple[str, Callable[[Value], str]]] = {
    "category": ("category", lambda value: str(value or UNCATEGORISED)),
    "payee": ("CASE WHEN payee = '' THEN memo ELSE payee END", lambda value: private(str(value or "")) or UNNAMED),
    "month": ("substr(day, 1, 7)", str),
}
