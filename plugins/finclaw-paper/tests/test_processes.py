from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

from broker_calls import Calls

SCRIPT = Path(__file__).with_name("writer.py")


def lines(*arguments: object) -> list[str]:
    """What the script prints; it must succeed."""
    environment = os.environ | {"PYTHONPATH": str(SCRIPT.parent)}
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True).stdout.splitlines()


def test_sixteen_processes_with_the_same_twenty_orders(calls: Calls) -> None:
    entered = [int(line) for line in lines("same", calls.home, 16)]
    assert (len(entered), sum(entered)) == (16, 20)
    calls.settings = {"fee": "0.01", "starting_cash": "100000000"}
    books = calls.data("reconcile")["books"]
    shares = sum(number % 7 + 1 for number in range(20))
    cash = Decimal(100_000_000) - shares * Decimal("12.5") - 20 * Decimal("0.01")
    assert books == {"consistent": True, "cash": f"{cash.normalize():f}", "orders": 20, "fills": 20, "differences": []}


def test_writers_killed_in_full_work_leave_whole_books(calls: Calls) -> None:
    rounds = [json.loads(line) for line in lines("endless", calls.home, 15, 20240103)]
    assert len(rounds) == 15
    for found in rounds:
        assert found["books"]["consistent"], found
        assert found["missing"] == []
    assert sum(found["acked"] for found in rounds) >= 30
    assert rounds[-1]["books"]["orders"] == rounds[-1]["books"]["fills"]
    calls.settings = {"starting_cash": "100000000"}
    calls.buy("100")
