"""Searching the messages of all sessions."""

from __future__ import annotations

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.listings.sessions.filters import Wanted, index
from finclaw_cli.search.find import Hit, find
from finclaw_cli.search.query import read_query
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


def hit_facts(hit: Hit) -> JsonObject:
    """A message that was found, as JSON."""
    return {"session": hit.session, "turn": hit.turn, "at": hit.at, "role": hit.role, "text": hit.context}
