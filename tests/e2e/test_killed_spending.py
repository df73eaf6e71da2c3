"""What a run has spent counts after `kill -9`, also where it could not write its own rows: in reports and budgets."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from decimal import Decimal

import pytest

from tests.e2e.harness import Finclaw, wait_until
from tests.e2e.spending import EACH_USD, WIRE, ask, asking, price, rows
from tests.wire.server import threaded

ENV = {WIRE.key: "sk-test-0123456789abcdef"}


@pytest.fixture
def killed(own: Finclaw) -> Finclaw:
    """A home with a run that was answered and one that was killed while another process kept the ledger."""
    price(own.home, "claude-test")
    with threaded(WIRE.text("fine"), WIRE.calls(("c1", "sleepy", {"seconds": 60}))) as server:
        assert ask(own, server.url, "--session", "first").code == 0
        with closing(sqlite3.connect(own.home / "ledger.db", isolation_level=None)) as ledger:
            ledger.execute("BEGIN IMMEDIATE")
            process = own.start(*asking(server.url, "--session", "killed"), env=ENV)
            transcript = own.home / "sessions" / "killed.jsonl"
            wait_until(lambda: transcript.exists() and b'"budget.spent"' in transcript.read_bytes())
            process.kill()
            process.communicate()
            ledger.execute("ROLLBACK")
    assert [row["session_id"] for row in rows(own.home)] == ["first"]
    return own


def spent(own: Finclaw) -> dict[str, Decimal]:
    found = json.loads(own("cost", "--by", "session", "--json").stdout)["rows"]
    return {row["session"]: Decimal(row["cost_usd"]) for row in found}


def test_a_report_counts_what_a_killed_run_has_spent(killed: Finclaw):
    assert spent(killed) == {"first": EACH_USD, "killed": EACH_USD}
    assert json.loads(killed("cost", "rebuild", "--json").stdout)["requests"] == len(rows(killed.home)) == 2


def test_a_budget_counts_what_a_killed_run_has_spent(killed: Finclaw):
    price(killed.home, "claude-test", more='budget.daily = "0.022"')
    with threaded(WIRE.text("never")) as server:
        ran = ask(killed, server.url, "--session", "other", "--events", "all")
        assert server.requests == []
    (exceeded,) = ran.of("budget.exceeded")
    assert (ran.code, Decimal(exceeded["spent_usd"])) == (7, EACH_USD * 2)


def test_a_killed_run_is_read_once(killed: Finclaw):
    spent(killed)
    with closing(sqlite3.connect(killed.home / "ledger.db")) as ledger, ledger:
        ledger.execute("DELETE FROM requests WHERE session_id = 'killed'")
    assert spent(killed) == {"first": EACH_USD}


def test_whoever_goes_on_with_it_hears_that_its_writer_died(killed: Finclaw):
    spent(killed)
    with threaded(WIRE.text("fine")) as server:
        ran = ask(killed, server.url, "--session", "killed", "--events", "all")
    stale, acquired = ran.of("session.lock")
    assert [stale["step"], acquired["step"]] == ["stale", "acquired"]
    assert acquired["died"] == f"process {stale['pid']} on {stale['host']!r} since {stale['since']}"
    assert stale["started"] < stale["since"] < acquired["since"]
    assert acquired["pid"] != stale["pid"]


def test_a_report_without_a_ledger_makes_none(killed: Finclaw):
    for path in killed.home.glob("ledger.db*"):
        path.unlink()
    assert "there is no ledger" in killed("cost").stderr
    assert not (killed.home / "ledger.db").exists()
