"""Finding messages and sessions by the index."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.record import record
from finclaw_cli.search.query import Query
from finclaw_cli.search.records import REQUEST, text_of
from finclaw_cli.search.words import normal
from finclaw_cli.transcript.lines import MAX_LINE_BYTES, Damaged, decode
from finclaw_cli.transcript.store import SUFFIX

AROUND = 60
"""How many characters of context a hit has before its first word."""
LINE = 200
SPARE = 100
"""How many more messages are found than shown: the text of some may be gone meanwhile."""


@record(kw_only=True)
class Filters:
    """Which sessions count; None and False are no condition."""

    since: datetime | None = None
    """The earliest moment of a message, or of a session's last record, UTC."""
    model: str | None = None
    """A part of the name of a model that was asked for."""
    tool: str | None = None
    symbol: str | None = None
    failed: bool = False
    """Sessions in which a run did not complete."""
    cost_over: Decimal | None = None
    """USD."""
    names: frozenset[str] | None = None
    """Only these sessions."""

    def lets_through(self, name: str, cost_usd: str) -> bool:
        """Whether a session meets the conditions that the index does not check."""
        if self.names is not None and name not in self.names:
            return False
        return self.cost_over is None or Decimal(cost_usd) > self.cost_over


@record(kw_only=True)
class Hit:
    """One message that was found."""

    session: str
    turn: int
    """The turn in its run, from 1; 0 for a question."""
    at: str
    """When it was recorded, UTC, ISO 8601."""
    role: str
    context: str
    """A line of its text around the first word."""


def sessions_with(connection: sqlite3.Connection, filters: Filters) -> list[str]:
    """The names of the sessions that the filters let through."""
    condition, values = _condition(filters)
    rows = connection.execute(
        f"SELECT name, cost_usd, modified FROM sessions AS s WHERE {condition}",  # noqa: S608 - written below
        values,
    )
    return [
        name
        for name, cost, modified in rows
        if filters.lets_through(name, cost) and (filters.since is None or modified >= filters.since.timestamp() * 1e9)
    ]


@record
class RecordedRequest:
    """A request of a client, with digests of its idempotency key and its body, and the run that it has started."""

    run_id: str
    key: str
    body: str
    session: str


def requests(connection: sqlite3.Connection, most: int) -> Iterator[RecordedRequest]:
    """The latest requests with an idempotency key, so many of them, the oldest first."""
    rows = connection.execute(
        "SELECT f.value, s.name FROM facts AS f JOIN sessions AS s ON s.id = f.session WHERE f.kind = ?"
        " ORDER BY f.value DESC LIMIT ?",  # ids of runs are in the order of their times
        (REQUEST, most),
    ).fetchall()
    for value, session in reversed(rows):
        run_id, key, body = value.split(" ")
        yield RecordedRequest(run_id, key, body, session)


def counts(connection: sqlite3.Connection, query: Query, filters: Filters) -> dict[str, int]:
    """How many messages have what is searched for, by session; sessions without any are left out.

    Raises:
        sqlite3.Error: the index is damaged.
    """
    source, values = _matching(query, filters)
    rows = connection.execute(f"SELECT s.name, s.cost_usd, count(*) {source} GROUP BY s.id", values)
    return {name: count for name, cost, count in rows if filters.lets_through(name, cost)}


def find(
    connection: sqlite3.Connection,
    folder: Path,
    query: Query,
    filters: Filters,
    *,
    ranked: bool = False,
    limit: int | None = None,
    of_each: int | None = None,
) -> Iterator[Hit]:
    """The messages that have what is searched for, the newest or the best first; their text is read back.

    Args:
        connection: to the index.
        folder: of the sessions.
        query: what is searched for.
        filters: which sessions count.
        ranked: whether the best come first.
        limit: how many there are at most.
        of_each: how many there are at most of one session.

    Raises:
        sqlite3.Error: the index is damaged.
    """
    source, values = _matching(query, filters)
    order = "bm25(words), m.at DESC" if ranked else "m.at DESC, m.id DESC"
    is_last_choice = limit is not None and of_each is None and filters.cost_over is None and filters.names is None
    rows = connection.execute(
        f"SELECT s.name, s.cost_usd, m.turn, m.at, m.role, m.place {source} ORDER BY {order} LIMIT ?",
        [*values, limit + SPARE if limit is not None and is_last_choice else -1],  # few of them are sorted faster
    )
    shown = Counter[str]()
    for name, cost, turn, at, role, place in rows:
        if limit is not None and shown.total() >= limit:
            return
        if not filters.lets_through(name, cost) or (of_each is not None and shown[name] >= of_each):
            continue
        text = _read(folder / f"{name}{SUFFIX}", place)
        if text is not None:
            shown[name] += 1
            yield Hit(session=name, turn=turn, at=at, role=role, context=_context(text, query))


def _matching(query: Query, filters: Filters) -> tuple[str, list[object]]:
    """The tables and conditions of a search, and its values."""
    condition, values = _condition(filters)
    if filters.since is not None:
        condition += " AND m.at >= ?"
        values.append(timestamp(filters.since))
    source = (
        "FROM words JOIN messages AS m ON m.id = words.rowid JOIN sessions AS s ON s.id = m.session"
        f" WHERE words MATCH ? AND {condition}"
    )
    return source, [query.match, *values]


def _condition(filters: Filters) -> tuple[str, list[object]]:
    """The condition on a session `s`, and its values."""
    conditions, values = ["1"], list[object]()
    has = "s.id IN (SELECT session FROM facts WHERE kind = ? AND {})"
    for kind, value in (("tool", filters.tool), ("symbol", filters.symbol)):
        if value is not None:
            conditions.append(has.format("value = ? COLLATE NOCASE"))
            values += [kind, value]
    if filters.model is not None:
        conditions.append(has.format("instr(lower(value), lower(?)) > 0"))
        values += ["model", filters.model]
    if filters.failed:
        conditions.append("(s.failed > 0 OR s.started > s.ended)")
    return " AND ".join(conditions), values


def _read(path: Path, place: int) -> str | None:
    """The text of the message at a place of a transcript; None where there is none any more."""
    try:
        with path.open("rb") as file:
            file.seek(place)
            return text_of(decode(file.readline(MAX_LINE_BYTES)).data)
    except (OSError, Damaged):
        return None


def _context(text: str, query: Query) -> str:
    """The part of a text around the first word that was searched for, in one line."""
    composed = " ".join(text.split())
    first = query.terms[0].words
    at = max(0, normal(composed).find(first[0]))
    start = max(0, at - AROUND)
    return ("…" if start else "") + composed[start : start + LINE] + ("…" if len(composed) > start + LINE else "")
