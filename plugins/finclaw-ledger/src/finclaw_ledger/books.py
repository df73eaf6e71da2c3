"""The user's books as the tools see them: bookings up to a day, where each stands, and what is covered."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_ledger.dates import today

Side = Literal["own", "expense", "income", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """One booking. `amount` is as the account sees it: negative for money that left."""

    id: int = 0
    """Its row in the books."""
    day: date
    account: str
    amount: Decimal
    currency: str
    payee: str
    memo: str
    category: str | None
    kind: str
    file: int
    line: int
    side: Side = "own"
    """`own` is an account of the user's; the other sides are those of double-entry books."""
    balance: Decimal | None = None
    symbol: str | None = None
    quantity: Decimal | None = None
    price: Decimal | None = None
    fee: Decimal | None = None
    lot: tuple[Decimal, str] | None = None
    """What one unit cost and in which currency, where double-entry books say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The balance of an account at the end of a day, from a statement."""

    account: str
    currency: str
    day: date
    amount: Decimal
    file: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFile:
    """A file that bookings are from; `ref` is its name as it is shown, without the number of an account."""

    ref: str
    sha256: str | None = None
    retrieved_at: str | None = None
    left_out: int = 0
    """How many of its rows could not be read and are not in the books."""

    def omission(self) -> str:
        """The warning that rows of it are missing."""
        rows = "1 row" if self.left_out == 1 else f"{self.left_out} rows"
        return f"{rows} of {self.ref} {'was' if self.left_out == 1 else 'were'} left out"


@dataclass(slots=True, kw_only=True)
class Books:
    """Everything up to and with `cap`; the bookings stay in SQLite, see `selection.Selection`."""

    cap: date
    connection: sqlite3.Connection
    """Its view `seen` has the bookings up to the cap, one row each; see `open_books`."""
    names: dict[str, str]
    """The name of each account by its key in the tables."""
    spans: dict[str, list[tuple[date, date]]]
    """By account, the days that files cover, up to the cap; in order."""
    files: dict[int, BookFile]
    held: list[Held] = field(default_factory=list)
    complete: bool = False
    """Whether a sum of bookings is a balance, as in double-entry books."""
    warnings: list[str] = field(default_factory=list)
    damaged: str = "the books hold something that is no booking"
    """The error for a row that cannot be read."""

    def accounts(self, named: str | None = None) -> list[str]:
        """The accounts, or those that a name means: the very one, or all below it, as `Assets:Bank` of beancount.

        Raises:
            ToolError: BAD_INPUT: there is none of that name; with those there are.
        """
        everything = sorted(self.spans)
        if named is None:
            return everything
        wanted = named.strip().casefold()
        for fits in (
            [one for one in everything if one.casefold() == wanted],
            [one for one in everything if one.casefold().startswith(f"{wanted}:")],
            [one for one in everything if wanted and wanted in one.casefold()],
        ):
            if fits:
                return fits
        shown = ", ".join(everything[:20])
        raise no_data(f"no account is called {quoted(named)}; there are: {shown}", code="BAD_INPUT")

    def covered(self, account: str) -> tuple[date, date]:
        """The first and the last day that files cover of an account."""
        spans = self.spans[account]
        return spans[0][0], max(last for _, last in spans)

    def place(self, item: Booking | Held) -> str:
        """Where something stands, as `file:line`."""
        return self.line_of(item.file, item.line)

    def known_file(self, number: int) -> int:
        """The number of a file.

        Raises:
            LookupError: there is no such file.
        """
        if number not in self.files:
            raise LookupError(f"a booking of file {number}")
        return number

    def line_of(self, file: int, line: int) -> str:
        """A line of a file, as `file:line`."""
        return f"{self.files[file].ref}:{line}"


def cap_of(ctx: ToolContext) -> date:
    """The last day that may be seen: the run's or today."""
    return min(ctx.as_of or date.max, today())
