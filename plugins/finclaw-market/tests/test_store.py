from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from permissions import needs_permissions

from finclaw_market.options import ImportReport
from finclaw_market.problems import StoreProblem
from finclaw_market.queries import last_bars, listed
from finclaw_market.store import STORE, reading

Load = Callable[..., ImportReport]
GOOD = "Date,Close\n2024-01-02,11\n2024-01-03,12\n"


def test_where_nothing_was_imported_there_is_nothing_to_read(home: Path) -> None:
    with reading(home) as connection:
        assert connection is None
    assert not home.exists()


def test_a_reader_sees_one_state_while_a_writer_works_and_waits_for_nobody(load: Load, home: Path) -> None:
    load(GOOD)
    writer = sqlite3.connect(home / "market.db", isolation_level=None)
    with reading(home) as connection:
        assert connection is not None
        before = last_bars(connection, "ACME", date.max, 5)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE bars SET close = '99'")
        with reading(home) as other:
            assert other is not None
            assert last_bars(other, "ACME", date.max, 5) == before
        writer.execute("COMMIT")
        assert last_bars(connection, "ACME", date.max, 5) == before
    with reading(home) as connection:
        assert connection is not None
        assert {bar.close for bar in last_bars(connection, "ACME", date.max, 5)} == {99}
    writer.close()


def test_a_reader_cannot_write(load: Load, home: Path) -> None:
    load(GOOD)
    with reading(home) as connection:
        assert connection is not None
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM bars")


def test_imports_at_the_same_time_all_arrive(load: Load, home: Path) -> None:
    reports: list[ImportReport] = []

    def run(number: int) -> None:
        reports.append(load(GOOD, name=f"{number}.csv", symbol=f"S{number}"))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.problems for report in reports] == [[]] * 6
    with reading(home) as connection:
        assert connection is not None
        assert [item.symbol for item in listed(connection, date.max)] == [f"S{number}" for number in range(6)]


def test_a_store_that_was_only_begun_is_empty_and_can_be_finished(load: Load, home: Path) -> None:
    home.mkdir()
    (home / "market.db").touch(0o600)
    with reading(home) as connection:
        assert connection is None
    assert load(GOOD).imported


def test_another_program_s_database_is_not_touched(home: Path) -> None:
    home.mkdir()
    with sqlite3.connect(home / "market.db") as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = (home / "market.db").read_bytes()
    with pytest.raises(StoreProblem, match="not a price store"):
        STORE.create(home)
    with pytest.raises(StoreProblem, match="not a price store"), reading(home):
        pass
    assert (home / "market.db").read_bytes() == before


def test_a_link_that_leads_nowhere_is_not_followed(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "market.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreProblem):
        STORE.create(home)
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(StoreProblem, match="leads nowhere"), reading(home):
        pass


@needs_permissions
def test_a_store_in_a_read_only_folder_can_be_read(load: Load, home: Path) -> None:
    load(GOOD)
    home.chmod(0o500)
    try:
        with reading(home) as connection:
            assert connection is not None
            assert len(last_bars(connection, "ACME", date.max, 5)) == 2
    finally:
        home.chmod(0o700)
