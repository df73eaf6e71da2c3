"""A process that writes the ledger as fast as it can: `ledger_writer FOLDER/FILE rows|reserve RUN ROWS`.

Says `ready`, waits for a line, and then says the number of each row once it is written; or, where it asks for money
before each, how many times it got some.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from finclaw_cli.core.budget import AmountRange, Reservation
from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.entries import RequestEntry
from finclaw_cli.usage.reserve import Limit, Waiting, release, reserve
from finclaw_cli.usage.store import Ledger

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
COST = Decimal("0.010935")
ONCE = AmountRange(least_usd=COST, enough_usd=COST, most_usd=COST)


def request(run: str, turn: int) -> RequestEntry:
    return RequestEntry(
        at=AT,
        run_id=run,
        session_id="talk",
        turn=turn,
        attempt=1,
        agent_id="main",
        provider="anthropic",
        model="claude-sonnet-5-5",
        usage=Usage(input=100, output=20),
        cost_usd=COST,
        price_source="test",
    )


def write(ledger: Ledger, run: str, rows: int) -> None:
    for turn in range(rows):
        ledger.record(request(run, turn))
        os.write(1, b"%d\n" % turn)


def spend(ledger: Ledger, run: str, rows: int) -> None:
    limit = Limit(scope="daily", amount=COST * 40, since=AT)
    granted = 0
    for turn in range(rows):
        got = reserve(ledger, ONCE, (limit,), AT)
        while isinstance(got, Waiting) and got.place is not None:  # a request that has a place comes back for it
            got = reserve(ledger, ONCE, (limit,), AT, place=got.place)
        if isinstance(got, Reservation):
            ledger.record(request(run, turn))
            release(ledger, got)
            granted += 1
    os.write(1, b"%d\n" % granted)


def main(path: Path, what: str, run: str, rows: int) -> None:
    os.write(1, b"ready\n")
    sys.stdin.readline()
    ledger = Ledger(path)
    (write if what == "rows" else spend)(ledger, f"run_{run}", rows)
    ledger.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
