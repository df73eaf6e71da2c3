from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from finclaw_cli.batch.queue import BatchQueue
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.member import LEASE_S
from finclaw_cli.cluster.migration import migrate
from finclaw_cli.cluster.queue import PostgresQueue
from tests.batch.conftest import no_fault, queue, server
from tests.batch.queues import MakeQueue
from tests.cluster.postgres import OWNER, WORKER, PostgresServer

__all__ = ["queue", "server"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """A database with new tables, made by their owner."""
    name = "finclaw"
    with closing(postgres.connected("postgres")) as made:
        if made.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            made.execute(f"CREATE DATABASE {name}")
    with closing(postgres.connected(name)) as made:
        made.execute("DROP SCHEMA IF EXISTS finclaw CASCADE")
    migrate(DatabaseAddress(conninfo=postgres.url(name, OWNER), name=name), [WORKER])
    return name


@pytest.fixture
def address(postgres: PostgresServer, database: str) -> DatabaseAddress:
    """For workers, whose role changes no tables."""
    return DatabaseAddress(conninfo=postgres.url(database), name=database)


class DatabaseClock:
    """The time of a database, which tests move."""

    def __init__(self, made: psycopg.Connection[tuple[object, ...]]) -> None:
        self._made = made
        made.execute("CREATE TABLE finclaw.test_clock (now_ms bigint)")
        made.execute("INSERT INTO finclaw.test_clock VALUES (1000000)")
        made.execute(f"GRANT SELECT ON finclaw.test_clock TO {WORKER}")
        made.execute(
            "CREATE OR REPLACE FUNCTION finclaw.now_ms() RETURNS bigint LANGUAGE sql VOLATILE "
            "AS 'SELECT now_ms FROM finclaw.test_clock'"
        )

    @property
    def now_ms(self) -> int:
        ((now,),) = self._made.execute("SELECT now_ms FROM finclaw.test_clock").fetchall()
        assert isinstance(now, int)
        return now

    @now_ms.setter
    def now_ms(self, value: int) -> None:
        self._made.execute("UPDATE finclaw.test_clock SET now_ms = %s", (value,))


@pytest.fixture
def clock(postgres: PostgresServer, database: str) -> Iterator[DatabaseClock]:
    with closing(postgres.connected(database)) as made:
        yield DatabaseClock(made)


@pytest.fixture
def lease_s() -> float:
    return LEASE_S


@pytest.fixture
async def make_queue(address: DatabaseAddress, clock: DatabaseClock) -> AsyncIterator[MakeQueue]:
    """Makes the queues of several workers over one database."""
    made: list[BatchQueue] = []

    def make(*, machine: str = "here", fault: Callable[[str], None] = no_fault) -> BatchQueue:
        made.append(PostgresQueue(address, host=machine, patience_s=0, fault=fault))
        return made[-1]

    yield make
    for each in made:
        await each.aclose()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir(mode=0o700)
    return made
