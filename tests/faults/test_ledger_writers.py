"""Many processes write one ledger: no row is lost, none is told that it is locked, and the dead lose nothing they said."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from finclaw_cli.core.budget import Reservation
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.report import request_report
from finclaw_cli.usage.reserve import Limit, reserve
from finclaw_cli.usage.spending import spent
from finclaw_cli.usage.store import Ledger
from tests.faults.ledger_writer import AT, COST, ONCE, request

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
PROCESSES, ROWS = (32, 500) if LONG else (8, 100)
KILLED = 60 if LONG else 10
PROMPTLY_S = 90


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "ledger.sqlite"


def writer(path: Path, what: str, run: object, rows: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.ledger_writer", str(path), what, str(run), str(rows)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def crowd(path: Path, what: str, processes: int, rows: int) -> list[str]:
    """Let writers go at the same moment; what each of them said last."""
    started = [writer(path, what, run, rows) for run in range(processes)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=PROMPTLY_S)[0].split() for process in started]
    assert [process.returncode for process in started] == [0] * processes
    return [words[-1] for words in said]


def check_integrity(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_many_writers_of_one_fresh_ledger_lose_no_row(path: Path):
    crowd(path, "rows", PROCESSES, ROWS)
    with reading(path) as connection:
        report = request_report(connection, ("run",))
    assert {row.key[0]: row.sums.requests for row in report.rows} == {f"run_{run}": ROWS for run in range(PROCESSES)}
    assert report.total.cost_usd == COST * PROCESSES * ROWS
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    check_integrity(path)


def test_killed_writers_lose_no_row_that_they_have_acknowledged(path: Path):
    chance = random.Random(7)
    acknowledged: dict[str, int] = {}
    for first in range(0, KILLED, 5):
        running = {f"{run}": writer(path, "rows", run, 10**6) for run in range(first, first + 5)}
        for process in running.values():
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for run, process in running.items():
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.2))
            process.kill()
            words = process.communicate(timeout=PROMPTLY_S)[0].splitlines(keepends=True)
            whole = [int(word) for word in words if word.endswith("\n")]
            acknowledged[f"run_{run}"] = max(whole, default=0)
    with reading(path) as connection:
        found = {row.key[0]: row.sums.requests for row in request_report(connection, ("run",)).rows}
    assert {run: rows for run, rows in acknowledged.items() if found[run] < rows + 1} == {}
    assert sum(acknowledged.values()) > KILLED
    check_integrity(path)


def test_processes_that_ask_at_once_never_spend_more_than_the_limit(path: Path):
    granted = sum(int(words) for words in crowd(path, "reserve", PROCESSES // 2, ROWS // 4))
    limit = Limit(scope="daily", amount=COST * 40, since=AT)
    ledger = Ledger(path)
    with reading(path) as connection:
        assert spent(connection, AT) == COST * granted == limit.amount
    assert not isinstance(reserve(ledger, ONCE, (limit,), AT), Reservation)
    ledger.close()


def test_rows_written_again_from_elsewhere_give_the_same_report(path: Path, tmp_path: Path):
    crowd(path, "rows", 4, 50)
    again = Ledger(tmp_path / "rebuilt.sqlite")
    again.record_all(request(f"run_{run}", turn) for run in range(4) for turn in range(50))
    again.record_all(request(f"run_{run}", turn) for run in range(4) for turn in range(50))
    again.close()
    reports = []
    for each in (path, again.path):
        with reading(each) as connection:
            reports.append(request_report(connection, ("model", "day", "run")))
    assert reports[0] == reports[1]


# A file may not grow beyond this; SQLite is told so by a write that fails, as on a disk that is full.
CRAMPED = """
import resource, signal, sys
from pathlib import Path
from finclaw_cli.usage.failures import LedgerFailed
from finclaw_cli.usage.store import Ledger
from tests.faults.ledger_writer import request
ledger = Ledger(Path(sys.argv[1]))
ledger.record(request("run_x", 0))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
written = 1
try:
    while True:
        ledger.record(request("run_x", written))
        written += 1
except LedgerFailed as error:
    print(written, error.code)
"""


def test_a_disk_that_fills_up_loses_no_row_that_was_written(path: Path):
    done = subprocess.run(
        [sys.executable, "-c", CRAMPED, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    written, code = done.stdout.split()
    assert code in {"ledger_full", "ledger_io"}
    with reading(path) as connection:
        assert request_report(connection).total.requests == int(written) > 1
    check_integrity(path)
