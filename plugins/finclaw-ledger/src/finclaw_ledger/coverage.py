"""The days a question is about, held against what the books cover: outside of it nothing is known, not zero."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from finclaw_cli.sdk import Period, no_data
from finclaw_cli.sdk.periods import AskedDays
from finclaw_ledger.books import Books
from finclaw_ledger.selection import Selection

# Longer than the longest quiet time between two monthly exports.
_GAP = timedelta(days=31)
_MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """First and last day of a question, the accounts that have something to say, and what of it is not covered."""

    start: date
    end: date
    accounts: tuple[str, ...]
    covered: dict[str, list[date]]
    reached: date
    """The last day of it that any account is covered on."""
    is_all: bool
    """Whether it has all bookings of the books."""
    warnings: tuple[str, ...]
    period: Period | None = None
    """What the words of a period were read as."""

    def of(self, bookings: Selection) -> Selection:
        """Those of some bookings that lie within."""
        # Without a condition all are read as they lie in the file, and not one by one as an index of days has them.
        return bookings if self.is_all else bookings.between(self.start, self.end)


def coverage(books: Books, accounts: list[str]) -> str:
    """What files cover of each account, in words."""
    notes = [f"{name}: {books.covered(name)[0]} to {books.covered(name)[1]}" for name in accounts[:_MOST]]
    return "; ".join(notes) + ("; …" if len(accounts) > _MOST else "")


def covered_days(books: Books, asked: AskedDays, account: str | None = None) -> Covered:
    """The days asked for; without a start or an end, as far as the books cover.

    Raises:
        ToolError: BAD_INPUT: it ends before it starts; NO_DATA: no account is covered in it.
    """
    start, end = asked.start, asked.end
    if start and end and start > end:
        raise no_data(f"start {start} is after the end {end}", code="BAD_INPUT")
    covered = {name: books.covered(name) for name in books.accounts(account)}
    begins = start or min(first for first, _ in covered.values())
    ends = min(end or max(last for _, last in covered.values()), books.cap)
    inside = {name: [first, last] for name, (first, last) in covered.items() if first <= ends and last >= begins}
    if not inside:
        known = coverage(books, list(covered))
        raise no_data(f"the books do not cover {begins} to {end or ends}; they cover {known}")
    return Covered(
        start=begins,
        end=ends,
        accounts=tuple(inside),
        covered=inside,
        reached=min(ends, max(last for _, last in inside.values())),
        is_all=all(begins <= first and last <= ends for first, last in map(books.covered, books.spans)),
        warnings=(*books.warnings, *_after_the_cap(books, end), *_all_missing(books, list(covered), begins, ends)),
        period=asked.period,
    )


def _after_the_cap(books: Books, end: date | None) -> list[str]:
    return [f"nothing after {books.cap} is known; the end is {books.cap}"] if end and end > books.cap else []


def _all_missing(books: Books, accounts: list[str], begins: date, ends: date) -> list[str]:
    return [note for name in accounts for note in _missing(books, name, begins, ends)][:_MOST]


def _missing(books: Books, name: str, begins: date, ends: date) -> list[str]:
    first, last = books.covered(name)
    if first > ends or last < begins:
        return [f"{name} is not covered at all: {first} to {last} only"]
    notes = [f"{name} is covered from {first} only"] if first > begins else []
    if last < ends:
        notes.append(f"{name} is covered to {last} only")
    reached = first
    for opens, closes in books.spans[name]:
        if opens - reached > _GAP and begins < opens and reached < ends:
            notes.append(f"no file of {name} covers the days between {reached} and {opens}")
        reached = max(reached, closes)
    return notes
