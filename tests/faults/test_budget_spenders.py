"""Processes that spend at the same time, and die while they hold money, never exceed a limit together."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

from finclaw_cli.app.local_time import local_now
from finclaw_cli.usage.limits import Limits
from finclaw_cli.usage.reserve import reserve
from finclaw_cli.usage.store import Ledger
from tests.faults.budget_spender import BREACHED, CRASHED
from tests.unit.test_budget_properties import held_now, spent_so_far
from tests.unit.test_ledger_reserve import exactly

ROUNDS = 20 if os.environ.get("FINCLAW_FAULTS") == "long" else 1
PROCESSES, REQUESTS = 6, 8
LIMIT = Decimal(2)
PROMPTLY_S = 300


def spenders(path: Path, first_seed: int) -> list[int]:
    """Let processes spend from one moment on; their exit codes."""
    command = [sys.executable, "-m", "tests.faults.budget_spender", str(path)]
    started = [
        subprocess.Popen(
            [*command, str(first_seed + number), str(REQUESTS), str(LIMIT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=PROMPTLY_S)
    return [process.returncode for process in started]


def test_what_processes_have_spent_and_hold_never_exceeds_a_limit(tmp_path: Path):
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        codes = spenders(path, number * PROCESSES)
        assert BREACHED not in codes
        assert set(codes) <= {0, CRASHED}
        assert LIMIT / 2 < spent_so_far(path) <= LIMIT
        assert_that_nothing_is_held(path)


def assert_that_nothing_is_held(path: Path) -> None:
    """What the dead have held is free as soon as another request is made."""
    ledger, now = Ledger(path), local_now()
    reserve(ledger, exactly(LIMIT * 9), Limits(daily_usd=LIMIT).at(now), now)
    assert held_now(path) == 0
    ledger.close()
