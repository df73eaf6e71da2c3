"""What is odd in the books: rows left out, days no file covers, balances that do not agree, unknown purchases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.books import Books
from finclaw_ledger.continuity import breaks
from finclaw_ledger.lots import positions
from finclaw_ledger.selection import own_bookings

_GAP = timedelta(days=31)


def findings(books: Books) -> list[str]:
    """One line for each."""
    return [*_omitted(books), *_gaps(books), *_breaks(books), *_unknown(books)]


def _omitted(books: Books) -> list[str]:
    """Each file once, however often it was imported."""
    files = {(file.sha256, file.ref): file for file in books.files.values() if file.left_out}
    return [file.omission() for file in files.values()]


def _gaps(books: Books) -> Iterator[str]:
    for name in books.accounts():
        reached = books.spans[name][0][1]
        for opens, closes in books.spans[name]:
            if opens - reached > _GAP:
                yield f"{name}: no file covers the days between {reached} and {opens}"
            reached = max(reached, closes)


def _breaks(books: Books) -> Iterator[str]:
    """Within each file, whose own order is kept; two files may order a day differently."""
    bookings = own_bookings(books).bookings()
    for item, balance, before in breaks(bookings, lambda item: (item.account, item.currency, item.file)):
        expected = f"{plain_number(before)} before plus {plain_number(item.amount)}"
        yield f"{books.place(item)}: balance {plain_number(balance)} of {item.account} is not {expected}"


def _unknown(books: Books) -> Iterator[str]:
    for one in positions(own_bookings(books).where("kind <> 'payment'").bookings()):
        if one.unknown:
            units = float(one.unknown)
            place = books.place(one.items[-1])
            yield f"{one.symbol}: {units:g} more sold than bought in the books (last trade {place})"
