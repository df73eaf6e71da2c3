"""The tables of the queue in SQLite, and what their columns mean.

Amounts are integers of 10⁻¹² USD, rounded up; times are milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal
from itertools import groupby
from typing import Any

from finclaw_cli.batch.queue import STATES, BatchItem, BatchStatus, QueueFailed, State
from finclaw_cli.batch.sql_rounds import ROUNDS
from finclaw_cli.core.json_text import parse_value
from finclaw_cli.core.money import EXACT, tidy
from finclaw_cli.core.store_file import StoreError, StoreFile

_UNIT = -12
_TABLES = """
CREATE TABLE batches (
    id TEXT PRIMARY KEY, created INTEGER NOT NULL, most INTEGER, spent INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0, ends INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE items (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, line INTEGER NOT NULL, item TEXT NOT NULL, name TEXT NOT NULL,
    input TEXT NOT NULL, own_session TEXT, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0, fence INTEGER NOT NULL DEFAULT 0, worker TEXT,
    has_begun INTEGER NOT NULL DEFAULT 0, is_retry INTEGER NOT NULL DEFAULT 0, session TEXT, run_id TEXT,
    cost INTEGER NOT NULL DEFAULT 0, unpriced INTEGER NOT NULL DEFAULT 0, held INTEGER NOT NULL DEFAULT 0,
    exit_code INTEGER, reason TEXT, result TEXT, place INTEGER
);
CREATE UNIQUE INDEX item_line ON items (batch, line);
CREATE INDEX item_state ON items (batch, state, line);
CREATE INDEX item_place ON items (batch, place) WHERE place IS NOT NULL;
CREATE INDEX item_session ON items (batch, own_session, line) WHERE own_session IS NOT NULL;
CREATE INDEX item_unpriced ON items (batch) WHERE unpriced = 1;
CREATE INDEX item_worker ON items (worker) WHERE worker IS NOT NULL;
CREATE TABLE workers (id TEXT PRIMARY KEY, machine TEXT NOT NULL, lease INTEGER NOT NULL) WITHOUT ROWID;
"""


_BUCKETS = """
CREATE TABLE buckets (id TEXT PRIMARY KEY, blocked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE levels (
    bucket TEXT NOT NULL, kind TEXT NOT NULL, chosen INTEGER, reported INTEGER, full_at REAL NOT NULL DEFAULT 0,
    most REAL AS (min(IFNULL(chosen, 1e12), IFNULL(reported, 1e12))), PRIMARY KEY (bucket, kind)
) WITHOUT ROWID;
CREATE TABLE takers (
    bucket TEXT NOT NULL, id TEXT NOT NULL, rank INTEGER NOT NULL, turn INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (bucket, id)
) WITHOUT ROWID;
"""
_LOST = """
ALTER TABLE items ADD COLUMN begun_at_cost INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
"""
"""What an item had cost when its last run began, and what was reserved when that run's process died."""
_COUNTS = """
CREATE TABLE counts (
    batch TEXT NOT NULL, state TEXT NOT NULL, items INTEGER NOT NULL, PRIMARY KEY (batch, state)
) WITHOUT ROWID;
INSERT INTO counts SELECT batch, state, count(*) FROM items GROUP BY batch, state;
CREATE TRIGGER item_submitted AFTER INSERT ON items BEGIN
    INSERT INTO counts VALUES (new.batch, new.state, 1) ON CONFLICT DO UPDATE SET items = items + 1;
END;
CREATE TRIGGER item_changed AFTER UPDATE OF state ON items WHEN old.state != new.state BEGIN
    UPDATE counts SET items = items - 1 WHERE batch = old.batch AND state = old.state;
    INSERT INTO counts VALUES (new.batch, new.state, 1) ON CONFLICT DO UPDATE SET items = items + 1;
END;
"""


def _failed(error: StoreError) -> QueueFailed:
    hints = {
        "denied": "See who owns the file and its folder, or set FINCLAW_HOME to a folder that you can write.",
        "newer": "Update finclaw, or set FINCLAW_HOME to another folder.",
        "failed": "Make room on that disk, and give the same command again: nothing is done twice.",
    }
    return QueueFailed(str(error), hint=hints.get(error.reason, "Give the same command again: nothing is done twice."))


FILE = StoreFile(
    name="batch.sqlite",
    content="queue of batches",
    distribution="finclaw-cli",
    table="batches",
    migrations=(_TABLES, _BUCKETS + _LOST + _COUNTS, ROUNDS),
    application_id=0x66636C62,
    repair="move it away; the transcripts of its runs stay",
    pragmas=("synchronous = NORMAL",),
    failure=_failed,
)
"""`batch.sqlite` in the data folder."""
ITEMS = """
SELECT name, line, state, attempts, session, cost, unpriced, exit_code, reason, result, place FROM items
WHERE batch = ? AND line > ? ORDER BY line LIMIT ?
"""
ENDED = """
SELECT name, line, state, attempts, session, cost, unpriced, exit_code, reason, result, place FROM items
WHERE batch = ? AND place > ? ORDER BY place LIMIT ?
"""
"""Both in the order of `item_of`."""
_STATUSES = """
SELECT id, created, most, spent, held, cancelled,
    (SELECT count(*) FROM items WHERE items.batch = batches.id AND unpriced = 1), state, items
FROM batches LEFT JOIN counts ON counts.batch = batches.id
"""
STATUS = f"{_STATUSES} WHERE id = ?"
ALL_STATUSES = f"{_STATUSES} ORDER BY created DESC, id"
"""Both have a row for each state, for `statuses_of`."""


def units(amount: Decimal) -> int:
    """An amount in USD as the tables have it, rounded up."""
    return int(amount.scaleb(-_UNIT, EXACT).to_integral_value(ROUND_CEILING, context=EXACT))


def amount(number: int) -> Decimal:
    """An amount of the tables in USD."""
    return tidy(Decimal(number).scaleb(_UNIT, EXACT))


def item_of(row: tuple[Any, ...]) -> BatchItem:
    """The item of a row of `ITEMS` or `ENDED`."""
    name, line, state, attempts, session, cost, unpriced, exit_code, reason, result, place = row
    parsed = parse_value(result) if result is not None else None
    return BatchItem(
        name=name,
        line=line,
        state=state,
        attempts=attempts,
        session=session,
        cost_usd=None if unpriced else amount(cost),
        exit_code=exit_code,
        reason=reason,
        result=parsed if isinstance(parsed, dict) else None,
        place=place,
    )


def statuses_of(rows: Iterable[tuple[Any, ...]]) -> list[BatchStatus]:
    """The states of batches, of the rows of `STATUS` or `ALL_STATUSES`."""
    of_batch = groupby(rows, key=lambda row: row[:-2])
    return [_status(batch, {row[-2]: row[-1] for row in group}) for batch, group in of_batch]


def _status(row: tuple[Any, ...], counts: Mapping[State, int]) -> BatchStatus:
    batch, created, most, spent, held, cancelled, unpriced = row
    states: dict[State, int] = {state: counts.get(state, 0) for state in STATES}
    return BatchStatus(
        id=batch,
        created=datetime.fromtimestamp(created / 1000, UTC),
        states=states,
        spent_usd=amount(spent),
        held_usd=amount(held),
        max_cost_usd=None if most is None else amount(most),
        unpriced=unpriced,
        is_cancelled=bool(cancelled),
    )
