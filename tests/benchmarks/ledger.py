"""What a report of a large ledger costs: `python -m tests.benchmarks.ledger [ROWS]`.

A million requests of a year, five models. The yardstick is the plain sum in SQL that anybody would write for costs by
model and day; beside it, the same with all the counts that the report tells, and one bare sum without any groups.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.entries import RequestEntry
from finclaw_cli.usage.groups import Selection
from finclaw_cli.usage.report import RequestDimension, request_report
from finclaw_cli.usage.spending import spent
from finclaw_cli.usage.store import Ledger
from tests.benchmarks.measure import compare

ROWS = 1_000_000
FIRST = datetime(2025, 11, 1, tzinfo=UTC)
MODELS = (
    ("anthropic", "claude-opus-5-5"),
    ("anthropic", "claude-sonnet-5-5"),
    ("anthropic", "claude-haiku-5-5"),
    ("openai", "gpt-6.1-sol"),
    ("local", "unpriced"),
)
DAY = "date(at / 1000, 'unixepoch')"
COUNTS = "count(*), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(reasoning)"


def requests(rows: int) -> Iterator[RequestEntry]:
    chance = random.Random(1)
    for number in range(rows):
        provider, model = chance.choices(MODELS, (20, 50, 20, 9, 1))[0]
        usage = Usage(
            input=chance.randrange(5_000), output=chance.randrange(2_000), cache_read=chance.randrange(50_000)
        )
        cost = None if provider == "local" else Decimal(chance.randrange(10**6)).scaleb(-7)
        yield RequestEntry(
            at=FIRST + timedelta(days=365) * (number / rows),
            run_id=f"run_{number // 10:026}",
            session_id=f"session-{number // 50}",
            turn=number % 10,
            attempt=1,
            agent_id="main",
            provider=provider,
            model=model,
            usage=usage,
            cost_usd=cost,
            uncached_usd=None if cost is None else cost * Decimal(chance.randrange(9, 50)).scaleb(-1),
            price_source="genai-prices 0.2.3",
            status="complete" if chance.random() < 0.98 else "failed",
        )


def plain(path: Path, query: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(query).fetchall()


def report(
    path: Path,
    zone: str = "UTC",
    by: tuple[RequestDimension, ...] = ("model", "day"),
    selection: Selection | None = None,
) -> None:
    with reading(path) as connection:
        request_report(connection, by, selection, ZoneInfo(zone))


def timed(work: Callable[[], object]) -> Callable[[], float]:
    def once() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return once


def spent_since(path: Path, since: datetime) -> None:
    with reading(path) as connection:
        spent(connection, since)


@contextmanager
def cases(rows: int = ROWS) -> Iterator[Mapping[str, Callable[[], float]]]:
    """CPU seconds of reports of so many requests, first those of the plain sum."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        ledger = Ledger(path)
        ledger.record_all(requests(rows))
        ledger.close()
        by_day = f"FROM requests GROUP BY model, {DAY}"
        yield {
            "plain sum of costs by model, day": timed(lambda: plain(path, f"SELECT model, {DAY}, sum(cost) {by_day}")),
            "the same with all counts": timed(
                lambda: plain(path, f"SELECT model, {DAY}, sum(cost), {COUNTS} {by_day}")
            ),
            "one bare sum, no groups": timed(lambda: plain(path, "SELECT sum(cost) FROM requests NOT INDEXED")),
            "plain sum of costs by model": timed(
                lambda: plain(path, "SELECT model, sum(cost) FROM requests GROUP BY model")
            ),
            "the report by model, day": timed(lambda: report(path)),
            "the same, days of New York": timed(lambda: report(path, "America/New_York")),
            "the report by model": timed(lambda: report(path, by=("model",))),
            "the report by model since a month": timed(
                lambda: report(path, by=("model",), selection=Selection(since=FIRST + timedelta(days=335)))
            ),
            "spent in the last month": timed(lambda: spent_since(path, FIRST + timedelta(days=335))),
        }


def main(rows: int) -> None:
    with cases(rows) as found:
        print(f"{rows:,} rows")
        compare(found, rounds=5)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
