"""What an import of prices costs: `python -m tests.benchmarks.prices [ROWS]`.

A million rows of 200 symbols, in CPU seconds and in peak memory of a process. The yardstick is the shortest way:
`csv.reader` into a table of SQLite with the same key, without a check of a single value.
"""

from __future__ import annotations

import csv
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from tests.benchmarks.measure import compare

ROWS = 1_000_000
SYMBOL_ROWS = 5_000
TABLE = """
CREATE TABLE bars (
    symbol TEXT, date TEXT, open TEXT, high TEXT, low TEXT, close TEXT, volume TEXT, PRIMARY KEY (symbol, date)
) WITHOUT ROWID
"""
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


def write_prices(path: Path, rows: int) -> None:
    chance = random.Random(1)
    days = [day for day in (date(1990, 1, 1) + timedelta(days=n) for n in range(SYMBOL_ROWS * 2)) if day.weekday() < 5]
    with path.open("w") as stream:
        stream.write("symbol,date,open,high,low,close,volume\n")
        close = 100.0
        for number in range(rows):
            at = number % SYMBOL_ROWS
            close = 100.0 if at == 0 else close * (1 + chance.gauss(0, 0.01))
            opened = close * (1 + chance.gauss(0, 0.003))
            high, low = max(opened, close) + 0.02, min(opened, close) * 0.99
            volume = chance.randrange(10**5, 10**7)
            symbol = f"S{number // SYMBOL_ROWS:04}"
            stream.write(f"{symbol},{days[at]},{opened:.2f},{high:.2f},{low:.2f},{close:.2f},{volume}\n")


def plain(path: Path, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, path.open(newline="") as stream:
        connection.execute(TABLE)
        rows = csv.reader(stream)
        next(rows)
        connection.executemany("INSERT INTO bars VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()


def imported(path: Path, home: Path, *, sort: bool = False) -> None:
    from finclaw_market.importer import import_files
    from finclaw_market.options import ImportOptions

    report = import_files([path], home, ImportOptions(adjustment="split", sort=sort))
    if not report.imported:
        raise SystemExit(f"not imported: {report.problems}")


def timed(work: Callable[[Path], None]) -> Callable[[], float]:
    def once() -> float:
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            work(Path(folder))
            return time.process_time() - began

    return once


def cases(path: Path) -> Mapping[str, Callable[[], float]]:
    """CPU seconds of an import, first those of the plain one."""
    return {
        "csv.reader into a table": timed(lambda folder: plain(path, folder / "plain.db")),
        "finclaw data import, new symbols": timed(lambda folder: imported(path, folder)),
        "the same, row by row (--sort)": timed(lambda folder: imported(path, folder, sort=True)),
    }


def peak_mb(path: Path) -> int:
    """The peak memory of a process that imports a file."""
    with tempfile.TemporaryDirectory() as folder:
        code = f"from tests.benchmarks.prices import imported, Path; imported(Path({str(path)!r}), Path({folder!r})); {PEAK}"
        return int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.csv", Path(folder) / "large.csv"
        write_prices(small, rows // 10)
        write_prices(large, rows)
        print(f"{rows:,} rows")
        compare(cases(large), rounds=3)
        print(f"peak memory: {peak_mb(small)} MB for {rows // 10:,} rows, {peak_mb(large)} MB for {rows:,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
