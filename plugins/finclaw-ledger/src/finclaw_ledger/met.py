"""Which bookings of a file are in the books already, found while its bookings pass by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from finclaw_ledger.identity import Stored
from finclaw_ledger.store import has_bookings

_AT_ONCE = 500
_OWNERS = "SELECT identity, source_id, category, category_source FROM entries WHERE identity IN ({marks})"
Owner = tuple[int, str | None, int | None]
"""The file that a stored booking is of, its category, and the file that has that."""
Known = tuple[Stored, Owner]
"""A booking of a file, and the one of the books that it is."""


@dataclass(slots=True)
class Met:
    """How many bookings of a file are new, are in the books, and give those a category that they have not."""

    new: int = 0
    duplicate: int = 0
    categorised: int = 0

    def met(self, connection: sqlite3.Connection, rows: Iterator[Stored]) -> Iterator[tuple[list[Stored], list[Known]]]:
        """Some bookings at a time: those that the books do not have, and the others; they are counted."""
        is_filled = has_bookings(connection)
        while batch := list(islice(rows, _AT_ONCE)):
            owners = _owners(connection, batch) if is_filled else {}
            known = [(row, owners[row[0]]) for row in batch if row[0] in owners] if owners else []
            new = [row for row in batch if row[0] not in owners] if known else batch
            self.new += len(new)
            self.duplicate += len(known)
            self.categorised += sum(bool(row[-1]) and category is None for row, (_, category, _) in known)
            yield new, known


def _owners(connection: sqlite3.Connection, rows: list[Stored]) -> dict[str, Owner]:
    identities = [identity for identity, *_ in rows]
    found = connection.execute(_OWNERS.format(marks=", ".join("?" * len(identities))), identities)
    return {identity: (*owner,) for identity, *owner in found}
