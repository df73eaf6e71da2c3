"""What a run asks of the ledger takes as many steps of SQLite's with many rows as with few."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.usage.reserve import Limit, reserve
from finclaw_cli.usage.store import Ledger
from tests.unit.test_ledger import AT, CALL, ONE
from tests.unit.test_ledger_reserve import exactly

TODAY = Limit(scope="daily", amount=Decimal(9), since=AT - timedelta(hours=1))
ASKED: dict[str, Callable[[Ledger], object]] = {
    "a request": lambda ledger: ledger.record(replace(ONE, run_id="run_now")),
    "the end of a request": lambda ledger: ledger.record(replace(ONE, run_id="run_0", at=AT)),
    "a call of a tool": lambda ledger: ledger.record(replace(CALL, run_id="run_now")),
    "money to be set aside": lambda ledger: reserve(ledger, exactly("0.1"), (TODAY,), AT),
}


def steps(path: Path, rows: int, ask: Callable[[Ledger], object]) -> int:
    """How many steps it takes in a ledger in which so much was spent long ago."""
    ledger, count = Ledger(path), 0
    long_ago = AT - timedelta(days=30)
    ledger.record_all(replace(ONE, run_id=f"run_{number}", at=long_ago) for number in range(rows))
    ledger.record_all(replace(CALL, run_id=f"run_{number}", at=long_ago) for number in range(rows))

    def counted() -> None:
        nonlocal count
        count += 1

    with ledger.transaction() as connection:
        connection.set_progress_handler(counted, 1)
    ask(ledger)
    ledger.close()
    return count


@pytest.mark.parametrize("asked", ASKED)
def test_the_steps_do_not_grow_with_the_ledger(tmp_path: Path, asked: str):
    few, many = (steps(tmp_path / f"{rows}.sqlite", rows, ASKED[asked]) for rows in (3, 1_000))
    assert 0 < many <= few + 10
