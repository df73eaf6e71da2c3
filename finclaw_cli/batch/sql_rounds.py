"""The rounds in the tables of a queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from finclaw_cli.batch.rounds_port import Ended, NewRound, Question, Round
from finclaw_cli.batch.sql import Connection, Result, Work

ROUNDS: Final = """
CREATE TABLE rounds (
    id TEXT PRIMARY KEY, batch TEXT NOT NULL, model TEXT NOT NULL, requests INTEGER NOT NULL, since INTEGER NOT NULL,
    remote TEXT, ended INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX round_batch ON rounds (batch, ended);
CREATE TABLE questions (
    key TEXT PRIMARY KEY, batch TEXT NOT NULL, line INTEGER NOT NULL, round TEXT, answer TEXT,
    expired INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX question_item ON questions (batch, line);
CREATE INDEX question_round ON questions (round) WHERE round IS NOT NULL;
CREATE TRIGGER item_answered AFTER UPDATE OF place ON items WHEN new.place IS NOT NULL BEGIN
    DELETE FROM questions WHERE batch = new.batch AND line = new.line;
END;
CREATE TRIGGER item_removed AFTER DELETE ON items BEGIN
    DELETE FROM questions WHERE batch = old.batch AND line = old.line;
END;
CREATE TRIGGER batch_removed AFTER DELETE ON batches BEGIN
    DELETE FROM rounds WHERE batch = old.id;
END;
"""
"""`since` is in milliseconds since the epoch."""
_ROUND = "rounds.id, model, requests, since, remote"
_ASKED = f"""
SELECT answer, expired, {_ROUND} FROM questions LEFT JOIN rounds ON rounds.id = round WHERE key = ?
"""  # noqa: S608 - names of ours
_NEW = "INSERT INTO questions (key, batch, line) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"
_NOT_ITS_FAULT = "UPDATE items SET has_begun = 0 WHERE batch = ? AND line = ?"
_ITS_FAULT = """
UPDATE items SET has_begun = 1 WHERE worker IS NOT NULL
AND (batch, line) = (SELECT batch, line FROM questions WHERE key = ?)
"""
_END = """
UPDATE questions SET answer = :answer, round = NULL, expired = expired + :expired WHERE key = :key AND round = :round
"""


class Change(Protocol):
    """Makes changes of a queue, each with its faults for tests."""

    async def __call__(self, name: str, work: Work[Result], *, is_synced: bool = False) -> Result: ...


class SqlRounds:
    """`Rounds` in the database of a queue.

    Args:
        change: makes a change, under its name.
        now_ms: the time, in milliseconds since the epoch.
    """

    def __init__(self, change: Change, now_ms: Callable[[], int]) -> None:
        self._change = change
        self._now_ms = now_ms

    async def ask(self, batch: str, line: int, key: str) -> Question:
        def work(made: Connection) -> Question:
            made.execute(_NOT_ITS_FAULT, (batch, line))
            made.execute(_NEW, (key, batch, line))
            answer, expired, *row = made.execute(_ASKED, (key,)).fetchone()
            return Question(round=_round(row), answer=answer, expired=expired)

        return await self._change("ask", work)

    async def begin(self, new: NewRound) -> Round:
        now = self._now_ms()

        def work(made: Connection) -> None:
            row = new.id, new.batch, new.model, len(new.keys), now
            made.execute("INSERT INTO rounds (id, batch, model, requests, since) VALUES (?, ?, ?, ?, ?)", row)
            made.executemany("UPDATE questions SET round = ? WHERE key = ?", ((new.id, key) for key in new.keys))

        await self._change("begin_round", work, is_synced=True)
        return Round(id=new.id, model=new.model, requests=len(new.keys), since=_moment(now), remote=None)

    async def sent(self, round_id: str, remote: str) -> None:
        await self._do("UPDATE rounds SET remote = ? WHERE id = ?", remote, round_id)

    async def drop(self, round_id: str) -> None:
        def work(made: Connection) -> None:
            made.execute("UPDATE questions SET round = NULL WHERE round = ?", (round_id,))
            made.execute("DELETE FROM rounds WHERE id = ?", (round_id,))

        await self._change("drop_round", work)

    async def end_questions(self, round_id: str, ended: Sequence[Ended]) -> None:
        def work(made: Connection) -> None:
            for each in ended:
                values = {"answer": each.answer, "expired": int(each.is_expired), "key": each.key, "round": round_id}
                if made.execute(_END, values).rowcount:
                    made.execute(_ITS_FAULT, (each.key,))

        await self._change("end_questions", work)

    async def end(self, round_id: str) -> Sequence[str]:
        def work(made: Connection) -> list[str]:
            made.execute("UPDATE rounds SET ended = 1 WHERE id = ?", (round_id,))
            rows = made.execute("UPDATE questions SET round = NULL WHERE round = ? RETURNING key", (round_id,))
            return [key for (key,) in rows.fetchall()]

        return await self._change("end_round", work)

    async def forget(self, key: str) -> None:
        await self._do("UPDATE questions SET answer = NULL WHERE key = ?", key)

    async def under_way(self, batch: str) -> Sequence[Round]:
        query = f"SELECT {_ROUND} FROM rounds WHERE batch = ? AND ended = 0 ORDER BY since"  # noqa: S608 - ours
        rows = await self._change("read", lambda made: made.execute(query, (batch,)).fetchall())
        return [found for row in rows if (found := _round(row)) is not None]

    async def made(self) -> frozenset[str]:
        query = "SELECT remote FROM rounds WHERE remote IS NOT NULL"
        rows = await self._change("read", lambda made: made.execute(query).fetchall())
        return frozenset(remote for (remote,) in rows)

    async def expired(self, batch: str, line: int) -> int:
        query = "SELECT coalesce(max(expired), 0) FROM questions WHERE batch = ? AND line = ?"
        (count,) = await self._change("read", lambda made: made.execute(query, (batch, line)).fetchone())
        return int(count)

    async def _do(self, statement: str, *values: object) -> None:
        await self._change("change_round", lambda made: made.execute(statement, values))


def _round(row: Sequence[Any]) -> Round | None:
    found, model, requests, since, remote = row
    if found is None:
        return None
    return Round(id=found, model=model, requests=requests, since=_moment(since), remote=remote)


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
