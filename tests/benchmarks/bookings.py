"""What an import of bookings and questions about them cost: `python -m tests.benchmarks.bookings [ROWS]`.

Bookings of 12 accounts over 25 years, in CPU seconds, and the peak memory of a process. The yardstick of the import is `csv.reader` into the same table of
the same store, without a check of a single value; that of a question is the sum in SQL that it needs.
"""

from __future__ import annotations

import csv
import os
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.testing.tools import run_tool, the_tool
from tests.benchmarks.measure import compare, peak_bytes
from tests.benchmarks.prices import timed

ROWS = 400_000
FIRST, DAYS = date(2000, 1, 1), 9_000
CATEGORIES = ("Groceries", "Rent", "Leisure", "")
PAYEES = ("Corner Market", "Landlord", "Employer", "City Transport", "Cinema", "Café", "Pharmacy", "Lakeside Insurance")
INSERT = """
INSERT INTO entries (
    identity, account, day, seq, amount, currency, payee, memo, category, kind, source_id, line
) VALUES (printf('%064d', ?), ?, ?, 1, ?, ?, ?, ?, ?, 'payment', 1, 1)
"""
SUMS = "count(*), sum(units), max(abs(CAST(amount AS REAL))), min(line), max(line) FROM entries"
SPENT = """
CASE WHEN category IS NULL THEN amount < '.'
ELSE EXISTS (SELECT 1 FROM outlays o WHERE o.currency = entries.currency AND o.category = entries.category) END
"""
PAID_AT = "payee LIKE '%cinema%' OR memo LIKE '%cinema%' OR category LIKE '%cinema%' OR symbol LIKE '%cinema%'"
MONTH = "day BETWEEN '2020-03-01' AND '2020-03-31'"
ACCOUNTS = 12
QUESTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("ledger_accounts", {}, f"SELECT account, currency, min(day), max(day), source_id, {SUMS} GROUP BY 1, 2, 5"),
    ("ledger_balance", {}, f"SELECT account, currency, source_id, {SUMS} GROUP BY 1, 2, 3"),
    (
        "ledger_transactions",
        {"payee": "cinema"},
        f"SELECT currency, amount < '.', source_id, {SUMS} WHERE {PAID_AT} GROUP BY 1, 2, 3",
    ),
    (
        "ledger_transactions",
        {"payee": "cinema 77"},
        f"SELECT currency, amount < '.', source_id, {SUMS} WHERE {PAID_AT.replace('cinema', 'cinema 77')} GROUP BY 1, 2, 3",
    ),
    (
        "ledger_transactions",
        {"period": "2020-03"},
        f"SELECT currency, amount < '.', source_id, {SUMS} WHERE {MONTH} GROUP BY 1, 2, 3",
    ),
    (
        "budget",
        {"amounts": {"Groceries": "400"}, "currency": "EUR", "period": "2020-03"},
        f"SELECT currency, category, source_id, {SUMS} WHERE {MONTH} GROUP BY 1, 2, 3",
    ),
    ("income_statement", {}, f"SELECT currency, category, {SPENT}, source_id, {SUMS} GROUP BY 1, 2, 3, 4"),
    ("ledger_transactions", {}, f"SELECT currency, amount < '.', source_id, {SUMS} GROUP BY 1, 2, 3"),
    ("spending", {}, f"SELECT currency, category, source_id, {SUMS} GROUP BY 1, 2, 3"),
    ("spending", {"by": "month"}, f"SELECT currency, substr(day, 1, 7), source_id, {SUMS} GROUP BY 1, 2, 3"),
)


def write_bookings(path: Path, rows: int) -> None:
    chance = random.Random(1)
    with path.open("w") as stream:
        stream.write("Account,Date,Payee,Memo,Amount,Currency,Category\n")
        for number in range(rows):
            spent = chance.random() < 0.9
            amount = -chance.randrange(100, 20_000) if spent else chance.randrange(100_000, 300_000)
            day = FIRST + timedelta(days=number * DAYS // rows)
            payee = f"{chance.choice(PAYEES)} {chance.randrange(500)}"
            money = f"{amount / 100:.2f},EUR,{CATEGORIES[number % len(CATEGORIES)]}"
            stream.write(f"Account {chance.randrange(ACCOUNTS)},{day},{payee},card payment {number % 1_000},{money}\n")


def plain(path: Path, home: Path) -> None:
    from finclaw_ledger.store import writing

    with writing(home) as connection, path.open(newline="") as stream:
        names = [(f"Account {number}",) * 2 for number in range(ACCOUNTS)]
        connection.executemany("INSERT INTO accounts VALUES (?, ?)", names)
        connection.execute("INSERT INTO sources (id, ref, sha256, how, retrieved_at) VALUES (1, '', '', '', '')")
        rows = csv.reader(stream)
        next(rows)
        found = (
            (number, account, day, *money[:2], payee, memo, money[2])
            for number, (account, day, payee, memo, *money) in enumerate(rows)
        )
        connection.executemany(INSERT, found)


def imported(path: Path, home: Path) -> None:
    from finclaw_ledger.csvreader import Given
    from finclaw_ledger.importer import Plan, import_raw
    from finclaw_ledger.textfile import read_raw

    report = import_raw(read_raw(path), home, Plan(given=Given(), write=True))
    if not report.wrote or report.rejected:
        raise SystemExit(f"not imported: {report.rejected[:3]}")


def summed(home: Path, query: str) -> None:
    import sqlite3

    with closing(sqlite3.connect(home / "books.db")) as connection:
        connection.execute(query).fetchall()


@cache
def tool_named(name: str) -> ToolDefinition:
    """A tool of the books, which a run makes once, and not for each call."""
    from finclaw_ledger.plugin import finclaw_tools

    return next(one for one in map(the_tool, finclaw_tools()) if one.name == name)


def asked(home: Path, name: str, given: dict[str, Any]) -> None:
    result = run_tool(tool_named(name), given, home=home)
    if result.is_error:
        raise SystemExit(result.content)


def peak_mb(path: Path) -> int:
    """The peak memory of a process that imports a file."""
    code = "from tests.benchmarks.bookings import imported, Path; import sys; imported(*map(Path, sys.argv[1:]))"
    with tempfile.TemporaryDirectory() as folder:
        return int(peak_bytes([sys.executable, "-c", code, str(path), folder], os.environ)) >> 20


def question(
    homes: tuple[Path, Path], name: str, given: dict[str, Any], query: str
) -> Mapping[str, Callable[[], float]]:
    """The question and its sums in SQL; and the question over the bookings of a month, which shows what is fixed."""
    home, little = homes
    return {
        f"the sums of {name} {given or ''} in SQL": timed(lambda _: summed(home, query)),
        f"{name} {given or ''}": timed(lambda _: asked(home, name, given)),
        "the same over one month's bookings": timed(lambda _: asked(little, name, given)),
    }


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, home = Path(folder) / "bookings.csv", Path(folder) / "home"
        write_bookings(path, rows)
        print(f"{rows:,} bookings")
        compare(
            {
                "csv.reader into the same table": timed(lambda store: plain(path, store)),
                "finclaw ledger import": timed(lambda store: imported(path, store)),
            },
            rounds=3,
        )
        tenth, month, little = (Path(folder) / name for name in ("tenth.csv", "month.csv", "little"))
        write_bookings(tenth, rows // 10)
        print(f"peak memory: {peak_mb(tenth)} MB for {rows // 10:,} bookings, {peak_mb(path)} MB for {rows:,}")
        imported(path, home)
        month.write_text("".join(line for line in path.open() if ",2020-03-" in line or line.startswith("Account,")))
        imported(month, little)
        for name, given, query in QUESTIONS:
            compare(question((home, little), name, given, query), rounds=3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
