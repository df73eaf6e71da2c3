"""The ledger is written beside runs: in order, at once where that can be, and without costing them their result."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from finclaw_cli.app.budget_store import user_ledger
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.failures import LedgerFailed
from finclaw_cli.usage.report import request_report
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.turns import Turns
from finclaw_cli.usage.writing import LedgerWriter
from tests.unit.test_ledger import ONE


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "ledger.db")
    yield opened
    opened.close()


def turns(path: Path) -> list[str]:
    with reading(path) as connection:
        return [row.key[0] for row in request_report(connection, ("run",)).rows]


async def test_what_was_put_is_done_in_its_order_before_it_is_caught_up(ledger: Ledger):
    writer, done = LedgerWriter(ledger, pytest.fail), list[int]()
    for number in range(20):
        writer.put(lambda _, number=number: done.append(number))
    await writer.caught_up()
    assert done == list(range(20))


async def test_a_row_is_there_at_once_when_the_ledger_is_open(ledger: Ledger):
    ledger.record(ONE)
    writer = LedgerWriter(ledger, pytest.fail)
    writer.record(replace(ONE, run_id="run_2"))
    assert turns(ledger.path) == [ONE.run_id, "run_2"]


async def test_the_first_row_waits_for_nobody_and_nobody_for_it(ledger: Ledger):
    writer = LedgerWriter(ledger, pytest.fail)
    writer.record(ONE)
    assert not ledger.path.exists()
    await writer.caught_up()
    assert turns(ledger.path) == [ONE.run_id]


async def test_a_row_that_others_keep_waiting_comes_when_they_are_done(ledger: Ledger):
    ledger.record(ONE)
    writer = LedgerWriter(ledger, pytest.fail)
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer.record(replace(ONE, run_id="run_2"))
        other.execute("COMMIT")
    await writer.caught_up()
    assert turns(ledger.path) == [ONE.run_id, "run_2"]


async def test_a_bug_in_what_was_put_is_told_once_and_costs_nobody_anything(ledger: Ledger):
    told: list[LedgerFailed] = []
    writer = LedgerWriter(ledger, told.append)
    for _ in range(3):
        writer.put(lambda _: 1 / 0)
    await writer.caught_up()
    assert [failure.message for failure in told] == [
        "the ledger is not written: unexpected ZeroDivisionError: division by zero"
    ]


async def test_a_ledger_that_is_kept_from_us_says_how_it_gets_what_it_misses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("FINCLAW_HOME", str(tmp_path))
    writer = user_ledger(limit_s=0.05)
    writer.record(ONE)
    await writer.caught_up()
    with closing(sqlite3.connect(writer.ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for run in range(2, 5):
            writer.record(replace(ONE, run_id=f"run_{run}"))
        await writer.caught_up()
    writer.ledger.close()
    told = capsys.readouterr().err
    assert told.count("finclaw: warning: the ledger") == 1
    assert "`finclaw cost rebuild` adds it" in told


def test_a_thread_that_is_ended_while_it_forks_keeps_nobody_from_the_ledger(ledger: Ledger):
    """As the thread of a tool is that ran out of time: between closing the ledger and opening it again."""
    ledger.record(ONE)
    thread = threading.Thread(target=ledger.halt)
    thread.start()
    thread.join()
    ledger.record(replace(ONE, run_id="run_2"))
    assert turns(ledger.path) == [ONE.run_id, "run_2"]


def test_nobody_gets_a_turn_while_a_process_is_forked():
    order, waiting = list[str](), Turns()
    with waiting.the_last():
        order.append("fork")

    def other() -> None:
        with waiting.mine():
            order.append("write")

    thread = threading.Thread(target=other)
    thread.start()
    with waiting.mine_at_once() as is_mine:
        order.append(f"at once: {is_mine}")
    waiting.begin_again()
    thread.join()
    assert order == ["fork", "at once: False", "write"]


def test_a_forked_process_has_no_turn_of_a_thread_that_it_has_not_got():
    turns = Turns()
    with turns.mine():
        child = os.fork()
        if child == 0:
            turns.begin_anew()
            with turns.mine_at_once() as is_mine:
                os._exit(0 if is_mine else 1)
    assert os.waitpid(child, 0)[1] == 0
