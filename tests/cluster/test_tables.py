"""The tables in PostgreSQL have the columns of those in SQLite, whose statements are the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from finclaw_cli.batch.schema import FILE
from tests.cluster.postgres import PostgresServer

TABLES = ("batches", "items", "buckets", "levels", "takers", "counts", "rounds", "questions")
OF_A_CLUSTER = {"batches": {"version", "setup", "stopped"}}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_the_columns_of_that_of_one_machine(table: str, postgres: PostgresServer, database: str) -> None:
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript("".join(FILE.migrations))
        local = {name for (name,) in made.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))}
    with closing(postgres.connected(database)) as there:
        found = there.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'finclaw' AND table_name = %s",
            (table,),
        )
        assert {name for (name,) in found} == local | OF_A_CLUSTER.get(table, set())
    assert local
