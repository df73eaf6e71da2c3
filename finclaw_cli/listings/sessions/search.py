"""Searching the messages of all sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.filters import Wanted, index
from finclaw_cli.search.find import Filters, Hit, counts, find
from finclaw_cli.search.query import Query, read_query
from finclaw_cli.settings.paths import sessions_folder

MOST = 1_000


def hits_of(words: str, wanted: Wanted, *, ranked: bool = False, limit: int = MOST) -> list[Hit]:
    """The messages with these words in the sessions that meet the conditions, the newest or the best first.

    Raises:
        UsageError: there is nothing to search for, or an option has no usable value.
        OutputFailed: the index cannot be used.
    """
    query, filters = read_query(words), wanted.filters()
    if not 1 <= limit <= MOST:
        raise UsageError(f"--limit is a number from 1 to {MOST}, not {limit}")
    with index() as connection:
        return list(find(connection, sessions_folder(), query, filters, ranked=ranked, limit=limit))


@record
class Search:
    """A search in the sessions that meet the conditions."""

    _connection: sqlite3.Connection
    _query: Query
    _filters: Filters

    def counts(self) -> dict[str, int]:
        """How many messages were found, by session."""
        return counts(self._connection, self._query, self._filters)

    def hits(self, names: frozenset[str], of_each: int) -> Iterator[Hit]:
        """The newest messages that were found in some of these sessions."""
        filters = replace(self._filters, names=names)
        return find(self._connection, sessions_folder(), self._query, filters, of_each=of_each)


@contextmanager
def searching(words: str, wanted: Wanted) -> Iterator[Search]:
    """A search for these words in the sessions that meet the conditions.

    Raises:
        UsageError: there is nothing to search for, or an option has no usable value.
        OutputFailed: the index cannot be used.
    """
    query, filters = read_query(words), wanted.filters()
    with index() as connection:
        yield Search(connection, query, filters)


def hit_facts(hit: Hit) -> JsonObject:
    """A message that was found, as JSON."""
    return {"session": hit.session, "turn": hit.turn, "at": hit.at, "role": hit.role, "text": hit.context}
