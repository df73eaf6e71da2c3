"""The token buckets in the tables of a queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from finclaw_cli.batch.buckets import CAPACITY_MS, LONGEST_LOOK_MS, PROBE_MS, Need, Taken, Taker, Wait
from finclaw_cli.batch.limits import KINDS, Kind, Reported
from finclaw_cli.batch.sql import Connection
from finclaw_cli.batch.sql_thread import SqlThread

STALE_MS: Final = 3_600_000
"""Limits are forgotten where no request was made for so long."""
_ADD = """
WITH need (kind, amount) AS (VALUES ('requests', :requests), ('tokens', :input + :output + :cached), ('input', :input),
    ('output', :output))
UPDATE levels SET full_at = CASE WHEN amount > 0 THEN max(full_at, :now) ELSE full_at END + amount * 60000.0 / most
FROM need
WHERE bucket = :bucket AND levels.kind = need.kind
"""
_TAKE = """
WITH need (kind, amount) AS (VALUES ('requests', :requests), ('tokens', :input + :output + :cached), ('input', :input),
    ('output', :output))
UPDATE levels SET full_at = max(full_at, :now) + amount * 60000.0 / most FROM need
WHERE bucket = :bucket AND levels.kind = need.kind
AND NOT EXISTS (SELECT 1 FROM buckets WHERE id = :bucket AND blocked > :now)
AND NOT EXISTS (SELECT 1 FROM levels low JOIN need wanted USING (kind) WHERE low.bucket = :bucket
    AND max(low.full_at, :now) + min(wanted.amount * 60000.0 / low.most, :capacity) > :now + :capacity)
AND NOT EXISTS (SELECT 1 FROM takers WHERE bucket = :bucket AND id != :taker AND until > :now AND (rank, turn) <
    (:rank, coalesce((SELECT turn FROM takers WHERE bucket = :bucket AND id = :taker), 0)))
RETURNING full_at
"""
"""Not while a server has to be left alone, not with too little, and not before those whose turn it is."""
_WAIT = """
WITH need (kind, amount) AS (VALUES ('requests', :requests), ('tokens', :input + :output + :cached), ('input', :input),
    ('output', :output))
SELECT blocked - :now,
    max(max(full_at, :now) + min(amount * 60000.0 / most, :capacity)) - :now - :capacity,
    max(amount * 60000.0 / most),
    (SELECT count(*) FROM takers WHERE bucket = :bucket AND id != :taker AND until > :now AND (rank, turn) <
        (:rank, coalesce((SELECT turn FROM takers WHERE bucket = :bucket AND id = :taker), 0)))
FROM levels JOIN need USING (kind) JOIN buckets ON buckets.id = bucket WHERE bucket = :bucket
GROUP BY buckets.id, blocked
"""
"""How many milliseconds are left of each reason, what a request takes of them, and how many others come first."""
_TOOK = """
INSERT INTO takers (bucket, id, rank, turn, until)
SELECT :bucket, :taker, :rank, 1 + coalesce(max(turn), 0), 0 FROM takers WHERE bucket = :bucket
ON CONFLICT (bucket, id) DO UPDATE SET turn = max(takers.turn, excluded.turn), until = excluded.until
"""
"""Who has taken something comes after all others."""
_WAITS = (
    "INSERT INTO takers (bucket, id, rank, turn, until) VALUES (:bucket, :taker, :rank, 0, :until) "
    "ON CONFLICT (bucket, id) DO UPDATE SET until = excluded.until"
)
_LEVEL = "INSERT INTO levels (bucket, kind) VALUES (?, ?) ON CONFLICT (bucket, kind) DO NOTHING"
_LIMIT = """
WITH given (kind, most, spare) AS (VALUES {rows})
UPDATE levels SET {column} = given.most, full_at = max(
    CASE WHEN chosen IS NULL AND reported IS NULL THEN :full_at ELSE full_at END,
    coalesce(:full_at - spare * 60000.0 / min(coalesce({other}, 1e12), given.most), 0))
FROM given WHERE bucket = :bucket AND levels.kind = given.kind
"""
"""A limit that was not known begins with an empty bucket: what was taken before is not known."""
_ROW = "('{0}', CAST(:most_{0} AS BIGINT), CAST(:left_{0} AS DOUBLE PRECISION))"


class SqlBuckets:
    """The `Buckets` of a database.

    Args:
        thread: makes the changes.
        now_ms: the time, in milliseconds since the epoch; read within each change.
    """

    def __init__(self, thread: SqlThread, now_ms: Callable[[], int]) -> None:
        self._thread = thread
        self._now_ms = now_ms

    async def choose(self, bucket: str, limits: Mapping[Kind, int]) -> bool:
        return await self._thread.change(lambda made: _choose(made, bucket, limits, self._now_ms()))

    async def take(self, bucket: str, taker: Taker, need: Need) -> Taken | Wait:
        return await self._thread.change(lambda made: _take(made, bucket, taker, need, self._now_ms()))

    async def settle(self, bucket: str, taken: Taken, used: Need) -> None:
        expected = taken.need
        values = {
            "bucket": bucket,
            "requests": used.requests - expected.requests,
            "input": used.input - expected.input,
            "output": used.output - expected.output,
            "cached": used.cached - expected.cached,
        }
        await self._thread.change(lambda made: made.execute(_ADD, {**values, "now": self._now_ms()}))

    async def correct(self, bucket: str, reports: Sequence[Reported]) -> None:
        await self._thread.change(lambda made: _correct(made, bucket, reports, self._now_ms()))

    async def block(self, bucket: str, seconds: float, probe: int) -> None:
        await self._thread.change(lambda made: _block(made, bucket, self._now_ms(), int(seconds * 1000), probe))

    async def reopen(self, bucket: str, probe: int, *, is_answered: bool) -> None:
        query = "UPDATE buckets SET blocked = ? WHERE id = ? AND blocked = ?"
        await self._thread.change(lambda made: made.execute(query, (0 if is_answered else 1, bucket, probe)))


def _choose(connection: Connection, bucket: str, limits: Mapping[Kind, int], now_ms: int) -> bool:
    stale = "UPDATE levels SET chosen = NULL, reported = NULL WHERE bucket = ? AND full_at < ?"
    connection.execute(stale, (bucket, now_ms - STALE_MS))
    if limits:
        _create(connection, bucket)
        _limit(connection, "chosen", bucket, [(kind, most, None) for kind, most in limits.items()], now_ms)
    known = "SELECT 1 FROM levels WHERE bucket = ? AND (chosen IS NOT NULL OR reported IS NOT NULL)"
    waits = "SELECT 1 FROM buckets WHERE id = ? AND blocked > ?"
    return bool(
        connection.execute(known, (bucket,)).fetchone() or connection.execute(waits, (bucket, now_ms)).fetchone()
    )


def _create(connection: Connection, bucket: str) -> None:
    """Make a bucket without limits."""
    connection.execute("INSERT INTO buckets (id) VALUES (?) ON CONFLICT (id) DO NOTHING", (bucket,))
    connection.executemany(_LEVEL, ((bucket, kind) for kind in KINDS))


def _take(connection: Connection, bucket: str, taker: Taker, need: Need, now_ms: int) -> Taken | Wait:
    values: dict[str, Any] = {
        "bucket": bucket, "taker": taker.id, "rank": taker.rank, "now": now_ms, "capacity": CAPACITY_MS,
        "requests": need.requests, "input": need.input, "output": need.output, "cached": need.cached,
    }  # fmt: skip
    if connection.execute(_TAKE, values).fetchall():
        lease = now_ms + PROBE_MS
        is_probe = connection.execute(
            "UPDATE buckets SET blocked = ? WHERE id = ? AND blocked != 0", (lease, bucket)
        ).rowcount
        connection.execute(_TOOK, values)
        return Taken(need=need, probe=lease if is_probe else 0)
    row = connection.execute(_WAIT, values).fetchone()
    if row is None:
        return Taken(need=need, is_limited=False)
    wait_ms = _wait_ms(*row)
    connection.execute(_WAITS, {**values, "until": now_ms + wait_ms + LONGEST_LOOK_MS})
    return Wait(look_again_s=wait_ms / 1000, blocked_s=row[0] / 1000)


def _wait_ms(blocked: float, lack: float, own: float, before: int) -> int:
    """How long to wait: until there is enough, and for those whose turn comes first."""
    wait = max(blocked, lack, 0.0) + min(before * own, LONGEST_LOOK_MS / 2)
    return int(min(max(wait, 1.0), LONGEST_LOOK_MS)) + 1


def _correct(connection: Connection, bucket: str, reports: Sequence[Reported], now_ms: int) -> None:
    limits = [(each.kind, each.most, each.left) for each in reports]
    if limits and not _limit(connection, "reported", bucket, limits, now_ms):
        _create(connection, bucket)
        _limit(connection, "reported", bucket, limits, now_ms)


def _limit(
    connection: Connection,
    column: Literal["chosen", "reported"],
    bucket: str,
    limits: Sequence[tuple[Kind, int, int | None]],
    now_ms: int,
) -> bool:
    """Set limits, each with how much is left of it, or None; return whether the bucket has been made."""
    rows = ", ".join(_ROW.format(kind) for kind, _, _ in limits)
    other = "reported" if column == "chosen" else "chosen"
    values: dict[str, Any] = {"bucket": bucket, "full_at": now_ms + CAPACITY_MS}
    for kind, most, left in limits:
        values |= {f"most_{kind}": most, f"left_{kind}": left}
    return connection.execute(_LIMIT.format(rows=rows, column=column, other=other), values).rowcount > 0


def _block(connection: Connection, bucket: str, now_ms: int, wait_ms: int, probe: int) -> None:
    _create(connection, bucket)
    connection.execute(
        "UPDATE buckets SET blocked = ? WHERE id = ? AND (blocked = ? OR blocked < ?)",
        (now_ms + wait_ms, bucket, probe, now_ms + wait_ms),
    )
