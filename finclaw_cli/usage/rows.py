"""Entries as rows: what is written, and what is done with a row that is there already."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, fields
from datetime import UTC, datetime, timedelta

from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.entries import Entry, RequestEntry, ToolEntry
from finclaw_cli.usage.money import difference, split

Value = int | str | None
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
# A count beyond this is no count: no window is as large, and sums of such could not be stored.
MAX_TOKENS = 10**12

_REQUEST_KEY = ("run_id", "turn", "attempt", "purpose", "number")
_TOOL_KEY = ("run_id", "turn", "call_id")


def milliseconds(moment: datetime) -> int:
    """A moment as the ledger keeps it: as exact as in a transcript."""
    return (moment - _EPOCH) // _MILLISECOND


def write(connection: sqlite3.Connection, entry: Entry) -> None:
    """Put a row in; one with the same key becomes this one, unless it is of a later moment.

    A rebuild may have read that a request was under way which has ended since.

    Raises:
        sqlite3.Error: that cannot be done.
    """
    table, key, row = _row(entry)
    connection.execute(_upsert(table, key, tuple(row)), row)


def _upsert(table: str, key: tuple[str, ...], columns: tuple[str, ...]) -> str:
    values = ", ".join(f":{column}" for column in columns)
    changed = ", ".join(f"{column} = excluded.{column}" for column in columns if column not in key)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}) "  # noqa: S608 - names of ours
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed} WHERE excluded.at >= {table}.at"
    )


def _row(entry: Entry) -> tuple[str, tuple[str, ...], dict[str, Value]]:
    if isinstance(entry, ToolEntry):
        return "tool_calls", _TOOL_KEY, _tool_row(entry)
    return "requests", _REQUEST_KEY, _request_row(entry)


def _request_row(entry: RequestEntry) -> dict[str, Value]:
    cost, cost_text = split(entry.cost_usd)
    usage = _believable(entry.usage)
    is_plain = entry.status == "complete" and entry.attempt <= 1 and not entry.is_estimated
    return {
        "at": milliseconds(entry.at),
        "run_id": _text(entry.run_id),
        "turn": entry.turn,
        "attempt": entry.attempt,
        "purpose": entry.purpose,
        "number": entry.number,
        "session_id": _text(entry.session_id),
        "agent_id": _text(entry.agent_id),
        "provider": _text(entry.provider),
        "model": _text(entry.model),
        **_counts(usage),
        "cost": cost,
        "cost_text": cost_text,
        "saved": difference(entry.uncached_usd, entry.cost_usd),
        "price_source": _text(entry.price_source),
        "status": entry.status,
        "estimated": int(entry.is_estimated),
        "odd": int(not is_plain or cost is None or usage is None),
    }


def _tool_row(entry: ToolEntry) -> dict[str, Value]:
    return {
        "at": milliseconds(entry.at),
        "run_id": _text(entry.run_id),
        "turn": entry.turn,
        "call_id": _text(entry.call_id),
        "session_id": _text(entry.session_id),
        "agent_id": _text(entry.agent_id),
        "tool": _text(entry.tool),
        "status": entry.status,
        "duration_ms": entry.duration_ms,
    }


def _counts(usage: Usage | None) -> dict[str, Value]:
    names = [item.name for item in fields(Usage)]
    return dict(zip(names, astuple(usage) if usage else (None,) * len(names), strict=True))


def _believable(usage: Usage | None) -> Usage | None:
    """The counts, unless a server has sent what cannot be true: those would spoil the sums of all the others."""
    if usage is None or not all(0 <= count <= MAX_TOKENS for count in astuple(usage)):
        return None
    return usage


def _text(words: str) -> str:
    """Words that can be encoded: what others send may hold half of a character."""
    return words.encode("utf-8", "replace").decode("utf-8")
