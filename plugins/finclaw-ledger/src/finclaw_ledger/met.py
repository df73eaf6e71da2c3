"""Which bookings of a file are in the books already, found while its bookings pass by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from finclaw_ledger.identity import Stored

Owner = tuple[int, str | None, int | None]
"""The file that a stored booking is of, its category, and the file that has that."""


@dataclass(slots=True, kw_only=True)
class Met:
    """The bookings of the books by their identity, and those of a file that are among them."""

    owners: dict[str, Owner] = field(default_factory=dict)
    again: list[Stored] = field(default_factory=list)
    new: int = 0

    def new_among(self, rows: Iterable[Stored]) -> Iterator[Stored]:
        """The bookings that the books do not have; the others are kept in `again`."""
        for row in rows:
            if row[0] in self.owners:
                self.again.append(row)
            else:
                self.new += 1
                yield row

    @property
    def categorised(self) -> int:
        """How many known bookings get a category in addition."""
        return sum(bool(row[-1]) and self.owners[row[0]][1] is None for row in self.again)


def met(connection: sqlite3.Connection) -> Met:
    """The bookings of the books, before those of a file are compared with them."""
    query = "SELECT identity, source_id, category, category_source FROM entries"
    return Met(owners={identity: (*owner,) for identity, *owner in connection.execute(query)})
