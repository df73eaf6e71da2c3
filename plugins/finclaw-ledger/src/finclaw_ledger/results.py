"""What all answers share: rows with their place, the files they are from, the sign convention."""

from __future__ import annotations

from collections.abc import Iterable

from finclaw_cli.sdk import Need, Source
from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import BookFile, Booking, Books
from finclaw_ledger.selection import Extent, merged
from finclaw_ledger.store import FILE_NAME
from finclaw_ledger.wording import private

SIGNS = "amounts as the account sees them: negative is money out, positive money in"
PLACES = 5
# With books in beancount the tools need no store, whatever state a list shows.
BOOKS_NEEDED = (Need(file=FILE_NAME, how="finclaw ledger import FILE --write"),)
_MAX_FILES = 50
_MAX_OMISSIONS = 20


def cite(books: Books, extents: Iterable[Extent]) -> tuple[Source, ...]:
    """The files of bookings, with how many rows of each and the lines between which they stand."""
    ordered = sorted(merged(extents), key=lambda one: _named(books.files[one.file]))
    return tuple(
        Source(
            id=f"s{number}",
            kind="file",
            ref=books.files[one.file].ref,
            sha256=books.files[one.file].sha256,
            rows=f"{one.count} of lines {one.first}..{one.last}",
            retrieved_at=books.files[one.file].retrieved_at,
            licence="user",
        )
        for number, one in enumerate(ordered[:_MAX_FILES], 1)
    )


def _named(file: BookFile) -> tuple[str, str]:
    return file.ref, file.sha256 or ""


def omissions(books: Books, extents: Iterable[Extent]) -> tuple[str, ...]:
    """A warning for each file of bookings of which rows were left out at its import."""
    files = sorted({one.file for one in extents}, key=lambda file: _named(books.files[file]))
    return tuple(books.files[file].omission() for file in files if books.files[file].left_out)[:_MAX_OMISSIONS]


def row_of(books: Books, item: Booking) -> dict[str, object]:
    """A booking as results show it; what it does not say is left out."""
    numbers = {"balance": item.balance, "quantity": item.quantity, "price": item.price, "fee": item.fee}
    row: dict[str, object] = {
        "date": item.day,
        "account": item.account,
        "amount": plain_number(item.amount),
        "currency": item.currency,
        "payee": private(item.payee),
        "memo": private(item.memo),
        "category": item.category,
        "kind": None if item.kind == "payment" else item.kind,
        "symbol": item.symbol,
        **{name: None if value is None else plain_number(value) for name, value in numbers.items()},
        "source": books.place(item),
    }
    return {name: value for name, value in row.items() if value not in (None, "")}


def places(books: Books, items: list[Booking]) -> list[str]:
    """Where the largest of several bookings stand."""
    largest = sorted(items, key=lambda item: (-abs(item.amount), item.day, item.line))
    return [books.place(item) for item in largest[:PLACES]]
