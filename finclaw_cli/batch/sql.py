"""What the queue's statements need of a database: SQLite's own connections have it, others are adapted to it.

The statements of `sql_changes`, `sql_buckets` and `sql_rounds` are those of SQLite and PostgreSQL alike, with `?` and
`:name` for values. Of functions they use `coalesce`, and `max` and `min` of two numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Rows(Protocol):
    """What a statement came to."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """Executes statements within a transaction."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Rows: ...

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> object: ...


Work = Callable[[Connection], Result]
"""A change within a transaction, with no other effect: it may be done again."""


class Database(Protocol):
    """Makes transactions, in one thread."""

    def transact(self, work: Sequence[Work[Any]], *, is_synced: bool) -> list[Any]:
        """Do all of the work in one transaction, or none of it; the results."""
        ...

    def close(self) -> None: ...


def places(values: Sequence[object]) -> str:
    """The places of values in `IN (…)`."""
    return ", ".join("?" * len(values))
