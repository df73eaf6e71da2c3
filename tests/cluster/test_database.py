"""Transactions survive restarts of the server, each is made once, and roles may do what they are for."""

from __future__ import annotations

import asyncio
from contextlib import closing

import psycopg
import pytest

from finclaw_cli.batch.queue import QueueFailed
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import QueueDatabase
from finclaw_cli.cluster.migration import migrate, require_version
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.schema import VERSION
from finclaw_cli.core.errors import UsageError
from tests.batch.queues import OK, new_items, one, states
from tests.cluster.postgres import OWNER, WORKER, PostgresServer


async def test_a_restart_of_the_server_is_no_error(postgres: PostgresServer, address: DatabaseAddress) -> None:
    lines: list[str] = []
    queue = PostgresQueue(address, notice=lines.append)
    await queue.submit("b", new_items(2), None)
    claim = await one(queue)
    postgres.restart()
    await queue.finish(claim, OK)
    postgres.stop()
    claiming = asyncio.create_task(queue.claim("b", 1))
    await asyncio.sleep(0)
    postgres.start()
    assert [each.line for each in await claiming] == [2]
    assert await states(queue) == {"running": 1, "ok": 1}
    await queue.aclose()
    assert lines


def test_a_transaction_whose_commit_was_not_answered_is_made_once(address: DatabaseAddress, database: str) -> None:
    made = QueueDatabase(address, "w", patience_s=30)

    class Losing:
        """The connection, which ends after a commit before that is answered."""

        def __init__(self, inner: psycopg.Connection[tuple[object, ...]]) -> None:
            self._inner = inner
            self.closed = False

        def execute(self, query: object, *values: object) -> object:
            cursor = self._inner.execute(query, *values)  # type: ignore[arg-type]
            if "COMMIT" in str(query):
                self._inner.close()
                raise psycopg.OperationalError("the connection is lost")
            return cursor

        def close(self) -> None:
            self.closed = True

    made.transact([lambda change: change.execute("SELECT 1")], is_synced=True)
    made._made = Losing(made._made)  # type: ignore[assignment, arg-type]
    insert = "INSERT INTO batches (id, created) VALUES ('b', 1) RETURNING created"
    assert made.transact([lambda change: change.execute(insert).fetchall()], is_synced=True) == [[(1,)]]
    made.close()


async def test_a_server_that_does_not_answer_for_long_fails_the_worker(
    postgres: PostgresServer, address: DatabaseAddress
) -> None:
    queue = PostgresQueue(address, patience_s=0)
    await queue.submit("b", new_items(1), None)
    postgres.stop()
    try:
        with pytest.raises(QueueFailed, match="cannot use the database"):
            await queue.claim("b", 1)
    finally:
        postgres.start()
    assert len(await queue.claim("b", 1)) == 1
    await queue.aclose()


async def test_the_role_of_workers_changes_no_tables(postgres: PostgresServer, database: str) -> None:
    with closing(postgres.connected(database, WORKER)) as made:
        for statement in ("CREATE TABLE finclaw.mine ()", "DROP TABLE finclaw.items", "ALTER TABLE finclaw.items ADD x int",
                          "UPDATE finclaw.version SET number = 0"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                made.execute(statement)


async def test_without_tables_the_error_says_how_they_are_made(postgres: PostgresServer) -> None:
    address = DatabaseAddress(conninfo=postgres.url("postgres"), name="postgres")
    with pytest.raises(QueueFailed) as raised:
        require_version(address)
    assert "finclaw worker --migrate" in str(raised.value.hint)


def test_a_server_without_tls_is_refused_where_a_certificate_is_checked(postgres: PostgresServer) -> None:
    url = f"{postgres.url('postgres')}?sslmode=verify-full"
    with pytest.raises(QueueFailed, match=r"certificate|SSL"):
        require_version(DatabaseAddress(conninfo=url, name="postgres"))


def test_tables_of_a_newer_version_are_left_alone(postgres: PostgresServer, database: str) -> None:
    owner = DatabaseAddress(conninfo=postgres.url(database, OWNER), name=database)
    assert migrate(owner) == VERSION
    with closing(postgres.connected(database)) as made:
        made.execute("UPDATE finclaw.version SET number = %s", (VERSION + 1,))
    for use in (migrate, require_version):
        with pytest.raises(UsageError, match=f"version {VERSION + 1}"):
            use(owner)
