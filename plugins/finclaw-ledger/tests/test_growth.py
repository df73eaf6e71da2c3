"""How the memory of imports grows with their files."""

from __future__ import annotations

import tracemalloc
from datetime import date, timedelta
from pathlib import Path

from finclaw_ledger.csvreader import Given
from finclaw_ledger.importer import Plan, import_raw
from finclaw_ledger.textfile import raw_file

FEW, MANY = 6_000, 16_000
HEAD = "Date,Payee,Amount\n"
OPTIONS = Given(account="Giro", currency="EUR")


def _newest_first(rows: int) -> list[str]:
    first = date(2020, 1, 1)
    return [f"{first + timedelta(days=at // 20)},Shop {at * 7919 % 10_007},-{at}.25\n" for at in reversed(range(rows))]


def _peak(lines: list[str], home: Path) -> int:
    """The most bytes that an import held beside the bytes of the file."""
    raw = raw_file("giro.csv", (HEAD + "".join(lines)).encode())
    tracemalloc.start()
    try:
        report = import_raw(raw, home, Plan(given=OPTIONS, write=True))
        assert report.new + report.duplicate == len(lines)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_import_holds_a_few_times_the_text_of_its_rows(tmp_path: Path) -> None:
    few, many = (_newest_first(rows) for rows in (FEW, MANY))
    _peak(few, tmp_path / "warm")
    for _first_and_again in range(2):
        held = {len(lines): _peak(lines, tmp_path / str(len(lines))) for lines in (few, many)}
        assert held[MANY] - held[FEW] < 5 * (len("".join(many)) - len("".join(few)))
