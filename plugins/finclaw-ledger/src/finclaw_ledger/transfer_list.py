"""The pairs of bookings that are, or may be, transfers between own accounts: listed, accepted, rejected."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from finclaw_cli.sdk.render import plain_number
from finclaw_cli.sdk.tabular import BadOption
from finclaw_ledger.books import Booking, Books
from finclaw_ledger.coverage import Covered
from finclaw_ledger.selection import OUT, Selection, own_bookings
from finclaw_ledger.transfers import MOVES, is_no_transfer, pair_amount

ID_LENGTH = 10
"""How many characters of the identity of what went out name a pair."""
_PAIRS = """
SELECT o.identity, o.id, i.id, t.grounds
FROM transfers t JOIN entries o ON o.id = t.id JOIN entries i ON i.id = t.other
WHERE substr(o.amount, 1, 1) = '-' AND t.later <= ? ORDER BY o.day DESC, o.identity
"""
_SIDES = """
SELECT o.identity, i.identity, o.currency, abs(CAST(o.amount AS REAL))
FROM transfers t JOIN entries o ON o.id = t.id JOIN entries i ON i.id = t.other
WHERE substr(o.amount, 1, 1) = '-' AND o.identity LIKE ? || '%'
UNION
SELECT v.outgoing, v.incoming, o.currency, abs(CAST(o.amount AS REAL))
FROM transfer_verdicts v JOIN entries o ON o.identity = v.outgoing WHERE v.outgoing LIKE ? || '%'
"""
_TAKEN = "SELECT count(*) / 2 FROM transfers WHERE grounds <> 'proposed' AND later <= ?"
_PROPOSED = "id IN (SELECT id FROM transfers WHERE grounds = 'proposed' AND later <= ?)"
_REJECTED = """
SELECT v.outgoing, o.id, i.id, 'rejected'
FROM transfer_verdicts v JOIN entries o ON o.identity = v.outgoing JOIN entries i ON i.identity = v.incoming
WHERE v.is_transfer = 0 ORDER BY o.day DESC, o.identity
"""

Verdict = Literal["accept", "reject", "reset"]


@dataclass(frozen=True, slots=True)
class Pair:
    """What went out of one account and came into another."""

    id: str
    outgoing: Booking
    incoming: Booking
    grounds: str
    """`named`, `same text` and `accepted` are transfers; `proposed` and `rejected` are not counted as such."""


def pairs(books: Books) -> Iterator[Pair]:
    """The pairs up to the cap, the newest first, and then those that the user has rejected."""
    connection = books.connection
    rows = connection.execute(_PAIRS, (books.cap.isoformat(),)).fetchall()
    for identity, out, into, grounds in (*rows, *connection.execute(_REJECTED).fetchall()):
        sides = [next(Selection(books).where("id = ?", number).bookings(1), None) for number in (out, into)]
        if sides[0] is not None and sides[1] is not None:
            yield Pair(identity[:ID_LENGTH], sides[0], sides[1], grounds)


def decide(connection: sqlite3.Connection, pair: str, verdict: Verdict) -> None:
    """Accept or reject a pair, or take such a verdict back; the caller holds the transaction.

    Raises:
        BadOption: there is no such pair, or there are several.
    """
    found = connection.execute(_SIDES, (pair, pair)).fetchall() if pair.isalnum() else []
    if len(found) != 1:
        what = "names several pairs; give more characters" if found else "is no pair; see finclaw ledger transfers"
        raise BadOption(f"{pair[:64]!r} {what}")
    out, into, currency, size = found[0]
    connection.execute("DELETE FROM transfer_verdicts WHERE outgoing = ? AND incoming = ?", (out, into))
    if verdict != "reset":
        connection.execute("INSERT INTO transfer_verdicts VALUES (?, ?, ?)", (out, into, verdict == "accept"))
    pair_amount(connection, currency, size)


def transfer_notes(books: Books, days: Covered) -> Iterator[str]:
    """What was left out as transfers, and what may be one and was not left out, in a period."""
    (taken,) = books.connection.execute(_TAKEN, (books.cap.isoformat(),)).fetchone()
    if taken:
        yield f"{taken} pairs of bookings in the books were taken as transfers between own accounts"
    kinds = ", ".join(f"'{kind}'" for kind in sorted(MOVES))
    own = own_bookings(books)
    moves = own.where(f"kind IN ({kinds}) AND kind <> 'payment'").fitting(is_no_transfer(books.cap)).count()
    if moves:
        yield f"{moves} transfers, deposits or withdrawals have no other side in the books; left out too"
    proposed = days.of(own).where(_PROPOSED, books.cap.isoformat()).where(OUT)
    for (currency, _), one in sorted(proposed.summary().sums.items()):
        yield (
            f"{one.count} pairs of the same size, {plain_number(abs(one.amount))} {currency} in all, may be transfers "
            "and are counted as spent and earned; the user can run: finclaw ledger transfers"
        )
