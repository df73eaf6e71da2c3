"""The user's books as the tools see them: bookings up to a day, where each stands, and what is covered."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Literal

from finclaw_cli.sdk import ToolContext, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_ledger.dates import today
from finclaw_ledger.file_order import ranks
from finclaw_ledger.names import shown_name
from finclaw_ledger.problems import MEND, StoreProblem
from finclaw_ledger.store import FILE_NAME, reading, stored_files

NOTHING_YET = "no books have been imported yet; the user can run: finclaw ledger import FILE --guess"
Side = Literal["own", "expense", "income", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """One booking. `amount` is as the account sees it: negative for money that left."""

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
    """Everything up to and with `cap`."""

    cap: date
    bookings: list[Booking]
    """By day; those of one day by file, as `file_order` has it, and then as they stand in the file."""
    spans: dict[str, list[tuple[date, date]]]
    """By account, the days that files cover, up to the cap; in order."""
    files: dict[int, BookFile]
    held: list[Held] = field(default_factory=list)
    complete: bool = False
    """Whether a sum of bookings is a balance, as in double-entry books."""
    warnings: list[str] = field(default_factory=list)

    def own(self) -> list[Booking]:
        """The bookings of the user's own accounts."""
        return [item for item in self.bookings if item.side == "own"]

    def by_account(self) -> dict[str, list[Booking]]:
        """The bookings of each of the user's own accounts."""
        found: dict[str, list[Booking]] = {name: [] for name in self.spans}
        for item in self.own():
            found.setdefault(item.account, []).append(item)
        return found

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
        return f"{self.files[item.file].ref}:{item.line}"


def cap_of(ctx: ToolContext) -> date:
    """The last day that may be seen: the run's or today."""
    return min(ctx.as_of or date.max, today())


def stored_books(home: Path, cap: date) -> Books:
    """What was imported.

    Raises:
        ToolError: NO_DATA: nothing was; NOT_CONFIGURED: the store cannot be read.
    """
    try:
        with reading(home) as connection:
            if connection is None:
                raise no_data(NOTHING_YET)
            return _stored(connection, cap)
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None
    except (ValueError, ArithmeticError, TypeError, LookupError):
        raise no_data(f"{home / FILE_NAME} holds something that is no booking; {MEND}", code="NOT_CONFIGURED") from None


def _stored(connection: sqlite3.Connection, cap: date) -> Books:
    until = (cap.isoformat(),)
    names: dict[str, str] = dict(connection.execute("SELECT key, name FROM accounts").fetchall())
    rows = connection.execute(
        "SELECT day, account, amount, currency, payee, memo, category, kind, source_id, line, balance, symbol, "
        "quantity, price, fee, seq FROM entries WHERE day <= ?",
        until,
    ).fetchall()
    place = ranks(connection)
    rows.sort(key=lambda row: (row[0], place[row[1], row[8]], row[1], row[-1]))
    bookings = [_booking(row[:-1], names) for row in rows]
    held = connection.execute(
        "SELECT account, currency, day, amount, source_id, line FROM balances WHERE day <= ? ORDER BY day", until
    )
    spans = connection.execute("SELECT account, first, last FROM spans WHERE first <= ? ORDER BY first", until)
    files = stored_files(connection)
    if not {item.file for item in bookings} <= {number for number, *_ in files}:
        raise LookupError("a booking of no file")
    return Books(
        cap=cap,
        bookings=bookings,
        spans=_spans([(names[key], _day(first), _day(last)) for key, first, last in spans], cap),
        files={
            number: BookFile(ref=shown_name(ref), sha256=sha, retrieved_at=at, left_out=int(out))
            for number, ref, sha, at, out in files
        },
        held=[
            Held(account=names[key], currency=ccy, day=_day(day), amount=Decimal(amount), file=source, line=line)
            for key, ccy, day, amount, source, line in held
        ],
    )  # fmt: skip


def _booking(row: Sequence[object], names: dict[str, str]) -> Booking:
    day, key, amount, currency, payee, memo, category, kind, source, line, *rest = row
    balance, symbol, quantity, price, fee = rest
    return Booking(
        day=_day(day),
        account=names[str(key)],
        amount=Decimal(str(amount)),
        currency=str(currency),
        payee=str(payee),
        memo=str(memo),
        category=None if category is None else str(category),
        kind=str(kind),
        file=int(str(source)),
        line=int(str(line)),
        balance=_maybe(balance),
        symbol=None if symbol is None else str(symbol),
        quantity=_maybe(quantity),
        price=_maybe(price),
        fee=_maybe(fee),
    )


# Years of bookings fall on few days, and reading a date costs more than finding it.
@lru_cache(maxsize=4_096)
def _day(value: object) -> date:
    return date.fromisoformat(str(value))


def _maybe(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _spans(found: Iterable[tuple[str, date, date]], cap: date) -> dict[str, list[tuple[date, date]]]:
    spans: dict[str, list[tuple[date, date]]] = {}
    for account, first, last in found:
        spans.setdefault(account, []).append((first, min(last, cap)))
    return spans
